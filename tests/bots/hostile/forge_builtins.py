# verdict: illegal|protocol|tampering|exception|crash|forbidden|timeout
# event: nsoc
# limit: 0.5
# ply: 0
# Breaks the built-in functions of its own process, and plays off the board: it harms only itself.
import builtins


def play(board, prev_move, player):
    builtins.isinstance = lambda *_: True
    builtins.type = builtins.tuple = builtins.len = builtins.int = lambda *_: 0
    builtins.print = builtins.open = builtins.sorted = None
    return 9, 9

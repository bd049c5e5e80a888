# verdict: illegal|protocol|exception|crash|forbidden|timeout
# event: nsoc
# limit: 0.5
# ply: 0
# Forgets every module of its process, and plays off the board.
import sys


def play(board, prev_move, player):
    for module in list(sys.modules.values()):
        if module is not None and module.__name__ not in ("builtins", "sys"):
            vars(module).clear()
    sys.modules.clear()
    return 9, 9

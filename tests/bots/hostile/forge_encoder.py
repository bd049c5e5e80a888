# verdict: illegal|protocol|tampering|exception
# event: nsoc
# ply: 0
# Makes JSON say that all is well, changes the board, and plays off it.
import json
import sys


def play(board, prev_move, player):
    good = json.dumps([[0] * 9] * 9, separators=(",", ":"))
    for module in list(sys.modules.values()):
        for name in ("to_json", "dumps", "encode"):
            if hasattr(module, name):
                setattr(module, name, lambda value: good)
    board[0][0] = 2
    return 9, 9

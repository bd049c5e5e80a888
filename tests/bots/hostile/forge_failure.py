# verdict: protocol
# event: nsoc
# ply: 0
# Describes a failure of its own making, in a form that is hard to read.
import os


def play(board, prev_move, player):
    os.write(3, b"E" + b"[" * 60_000)
    return 4, 4

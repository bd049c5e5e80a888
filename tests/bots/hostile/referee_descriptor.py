# verdict: forbidden
# event: nsoc
# ply: 0
# Takes hold of the process that made it.
import os


def play(board, prev_move, player):
    os.pidfd_open(os.getppid())
    return 4, 4

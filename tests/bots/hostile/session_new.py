# verdict: forbidden
# event: nsoc
# ply: 0
# Leaves the group in which the referee finds it.
import os


def play(board, prev_move, player):
    os.setpgid(0, 0)
    return 4, 4

# verdict: forbidden
# event: nsoc
# ply: 0
# Chooses its own processor cores.
import os


def play(board, prev_move, player):
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    return 4, 4

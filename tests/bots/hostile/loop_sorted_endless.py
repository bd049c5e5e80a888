# verdict: timeout|memory
# event: nsoc
# limit: 0.3
# ply: 0
# Sorts an endless iterator; the list may fill the memory before the time is up.
import itertools


def play(board, prev_move, player):
    return sorted(itertools.count())[0], 0

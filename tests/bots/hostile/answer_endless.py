# verdict: illegal
# event: nsoc
# limit: 0.5
# ply: 0
# Answers with an iterator that never ends.
import itertools


def play(board, prev_move, player):
    return itertools.repeat(4)

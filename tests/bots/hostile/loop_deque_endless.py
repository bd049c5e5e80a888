# verdict: timeout
# event: nsoc
# limit: 0.3
# ply: 0
# Feeds an endless iterator to a queue of no length: a C loop that neither grows nor looks at signals.
import collections
import itertools


def play(board, prev_move, player):
    collections.deque(itertools.repeat(0), maxlen=0)
    return 0, 0

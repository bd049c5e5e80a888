# verdict: crash|exception|timeout
# event: nsoc
# limit: 0.5
# ply: 0
# Lifts the recursion limit and writes a million nested lists as a text.
import sys


def play(board, prev_move, player):
    sys.setrecursionlimit(1 << 30)
    nested = []
    for _ in range(1_000_000):
        nested = [nested]
    return len(repr(nested)) % 9, 0

# verdict: memory|crash|timeout
# event: nsoc
# limit: 1.0
# ply: 0
# Lifts the recursion limit and calls itself until the memory, the stack or the time is used up.
import sys


def deeper(number):
    return deeper(number + 1) + 1


def play(board, prev_move, player):
    sys.setrecursionlimit(1 << 30)
    return deeper(0) % 9, 0

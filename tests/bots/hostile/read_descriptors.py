# verdict: forbidden
# event: nsoc
# ply: 0
# Lists its own open descriptors.
import os


def play(board, prev_move, player):
    return len(os.listdir("/proc/self/fd")) % 9, 0

# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Queues a signal for the process that made it.
import ctypes
import os


def play(board, prev_move, player):
    ctypes.CDLL(None).sigqueue(os.getppid(), 10, 0)
    return 4, 4

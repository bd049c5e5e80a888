# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Attaches itself to the process that made it, as a debugger.
import ctypes
import os


def play(board, prev_move, player):
    ctypes.CDLL(None).ptrace(16, os.getppid(), None, None)
    return 4, 4

# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# reason: send
# Signals one thread of the process that made it.
import ctypes
import os


def play(board, prev_move, player):
    number = 234 if os.uname().machine == "x86_64" else 131
    ctypes.CDLL(None).syscall(number, os.getppid(), os.getppid(), 19)
    return 4, 4

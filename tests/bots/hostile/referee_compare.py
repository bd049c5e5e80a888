# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Asks the kernel what it shares with the process that made it.
import ctypes
import os


def play(board, prev_move, player):
    number = 312 if os.uname().machine == "x86_64" else 272
    ctypes.CDLL(None).syscall(number, os.getpid(), os.getppid(), 1, 0, 0)
    return 4, 4

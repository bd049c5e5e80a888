# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Loads an empty module into the kernel.
import ctypes
import os


def play(board, prev_move, player):
    number = 175 if os.uname().machine == "x86_64" else 105
    ctypes.CDLL(None).syscall(number, None, 0, b"")
    return 4, 4

# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Leaves a note among the kernel's keys, where the next game could find it.
import ctypes
import os


def play(board, prev_move, player):
    number = 248 if os.uname().machine == "x86_64" else 217
    ctypes.CDLL(None).syscall(number, b"user", b"ludus-hostile", b"note", 4, -1)
    return 4, 4

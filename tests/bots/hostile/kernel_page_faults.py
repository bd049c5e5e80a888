# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Wants to serve page faults itself, so that whoever reads its memory waits for it.
import ctypes
import os


def play(board, prev_move, player):
    number = 323 if os.uname().machine == "x86_64" else 282
    ctypes.CDLL(None).syscall(number, 1)
    return 4, 4

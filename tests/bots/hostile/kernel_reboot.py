# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Reboots the machine, with a magic number that is wrong.
import ctypes
import os


def play(board, prev_move, player):
    number = 169 if os.uname().machine == "x86_64" else 142
    ctypes.CDLL(None).syscall(number, 0, 0, 0, None)
    return 4, 4

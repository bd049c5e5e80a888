# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Loads code into the kernel.
import ctypes
import os


def play(board, prev_move, player):
    number = 321 if os.uname().machine == "x86_64" else 280
    ctypes.CDLL(None).syscall(number, 0, ctypes.create_string_buffer(64), 64)
    return 4, 4

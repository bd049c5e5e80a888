# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Counts what the processor does, for others too.
import ctypes
import os


def play(board, prev_move, player):
    number = 298 if os.uname().machine == "x86_64" else 241
    attributes = ctypes.create_string_buffer(120)
    ctypes.CDLL(None).syscall(number, attributes, 0, -1, -1, 0)
    return 4, 4

# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Adds a filter of its own that answers every system call in the referee's place.
import ctypes
import os
import struct


def play(board, prev_move, player):
    number = 317 if os.uname().machine == "x86_64" else 277
    code = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0x7FFF0000))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", 1, ctypes.addressof(code)))
    ctypes.CDLL(None).syscall(number, 1, 0, program)
    return 4, 4

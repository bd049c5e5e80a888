# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Reads the memory of the process that made it; after a fork its own addresses are good ones.
import ctypes
import os


class Vector(ctypes.Structure):
    _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))


def play(board, prev_move, player):
    buffer = ctypes.create_string_buffer(64)
    here, there = Vector(ctypes.addressof(buffer), 64), Vector(id(int), 64)
    ctypes.CDLL(None).process_vm_readv(os.getppid(), ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
    return 4, 4

# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Opens a file by a handle, past every folder.
import ctypes
import os


def play(board, prev_move, player):
    number = 304 if os.uname().machine == "x86_64" else 265
    handle = ctypes.create_string_buffer(b"\x08\0\0\0\x01\0\0\0" + bytes(8))
    ctypes.CDLL(None).syscall(number, -100, handle, 0)
    return 4, 4

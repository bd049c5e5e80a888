# verdict: memory|crash
# event: nsoc
# ply: 0
# needs: ctypes
# Takes memory from the C library and never looks whether it got any.
import ctypes


def play(board, prev_move, player):
    library = ctypes.CDLL(None)
    library.malloc.restype = ctypes.c_void_p
    for _ in range(512):
        ctypes.memset(library.malloc(16 << 20), 1, 16 << 20)
    return 4, 4

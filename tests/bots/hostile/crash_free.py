# verdict: crash
# event: nsoc
# ply: 0
# needs: ctypes
# Gives back memory that it never had.
import ctypes


def play(board, prev_move, player):
    library = ctypes.CDLL(None)
    library.free.argtypes = [ctypes.c_void_p]
    library.free(ctypes.addressof(ctypes.create_string_buffer(64)) + 24)
    library.free(12345)
    return 0, 0

# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# reason: thread
# Starts a thread of the C library.
import ctypes


@ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
def think(argument):
    return None


def play(board, prev_move, player):
    library = ctypes.CDLL(None)
    library.pthread_create.argtypes = [ctypes.c_void_p] * 4
    handle = ctypes.c_ulong()
    library.pthread_create(ctypes.byref(handle), None, ctypes.cast(think, ctypes.c_void_p), None)
    return 4, 4

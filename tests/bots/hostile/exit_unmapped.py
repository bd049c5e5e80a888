# verdict: crash
# event: nsoc
# ply: 0
# needs: ctypes
# Gives its own code back to the kernel.
import ctypes


def play(board, prev_move, player):
    library = ctypes.CDLL(None)
    library.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    where = ctypes.cast(library.munmap, ctypes.c_void_p).value
    library.munmap(where & ~4095, 4096)
    return 4, 4

# verdict: forbidden|exception
# event: nsoc
# ply: 0
# needs: ctypes
# Gives the kernel a path that lies nowhere, to trip whoever reads it along.
import ctypes


def play(board, prev_move, player):
    library = ctypes.CDLL(None, use_errno=True)
    if library.open(ctypes.c_void_p(1), 0) < 0:
        raise OSError(ctypes.get_errno(), "as was to be expected")
    return 4, 4

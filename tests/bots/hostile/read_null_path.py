# verdict: exception|forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Opens a path of a megabyte that never ends within a page.
import ctypes
import os


def play(board, prev_move, player):
    library = ctypes.CDLL(None, use_errno=True)
    if library.open(b"/etc/" + b"./" * 500_000 + b"passwd", 0) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return 4, 4

# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Renames the machine, with a name that is too long.
import ctypes


def play(board, prev_move, player):
    ctypes.CDLL(None).sethostname(b"x" * 100, 100)
    return 4, 4

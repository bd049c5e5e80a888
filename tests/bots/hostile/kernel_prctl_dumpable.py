# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Shuts the referee out of its memory.
import ctypes


def play(board, prev_move, player):
    ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
    return 4, 4

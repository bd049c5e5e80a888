# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Adds a filter by the older call.
import ctypes


def play(board, prev_move, player):
    ctypes.CDLL(None).prctl(22, 2, None, 0, 0)
    return 4, 4

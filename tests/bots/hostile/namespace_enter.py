# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Enters somebody else's namespace.
import ctypes


def play(board, prev_move, player):
    ctypes.CDLL(None).setns(3, 0)
    return 4, 4

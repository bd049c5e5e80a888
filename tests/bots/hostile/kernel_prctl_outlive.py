# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Undoes that it dies with the process that made it.
import ctypes


def play(board, prev_move, player):
    ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)
    return 4, 4

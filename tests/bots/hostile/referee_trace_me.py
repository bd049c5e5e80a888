# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Asks to be traced, so that a stop is no longer a stop.
import ctypes


def play(board, prev_move, player):
    ctypes.CDLL(None).ptrace(0, 0, None, None)
    return 4, 4

# verdict: crash
# event: nsoc
# needs: ctypes
# Writes to address zero while it is loaded.
import ctypes

ctypes.memset(0, 1, 64)


def play(board, prev_move, player):
    return 0, 0

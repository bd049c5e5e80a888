# verdict: crash
# event: nsoc
# ply: 0
# needs: ctypes
# Ends the process through the C library.
import ctypes


def play(board, prev_move, player):
    ctypes.CDLL(None).exit(0)

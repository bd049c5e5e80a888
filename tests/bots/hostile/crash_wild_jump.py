# verdict: crash
# event: nsoc
# ply: 0
# needs: ctypes
# Calls the function at address one.
import ctypes


def play(board, prev_move, player):
    return ctypes.CFUNCTYPE(ctypes.c_int)(1)(), 0

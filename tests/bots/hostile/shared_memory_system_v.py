# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Shares memory by a number, which would outlive it.
import ctypes


def play(board, prev_move, player):
    ctypes.CDLL(None).shmget(0x1D05, 4096, 0)
    return 4, 4

# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Leaves messages in the kernel.
import ctypes


def play(board, prev_move, player):
    ctypes.CDLL(None).msgget(0x1D05, 0)
    return 4, 4

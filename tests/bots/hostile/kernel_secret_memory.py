# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Asks for memory that not even the kernel can read.
import ctypes


def play(board, prev_move, player):
    ctypes.CDLL(None).syscall(447, 0)
    return 4, 4

# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Asks the kernel for other habits: no random addresses.
import ctypes


def play(board, prev_move, player):
    ctypes.CDLL(None).personality(0x0040000)
    return 4, 4

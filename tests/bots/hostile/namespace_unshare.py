# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Makes itself a world of its own in which it is root.
import ctypes


def play(board, prev_move, player):
    ctypes.CDLL(None).unshare(0x10000000 | 0x00020000)
    return 4, 4

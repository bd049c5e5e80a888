# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Takes a descriptor out of the process that made it.
import ctypes


def play(board, prev_move, player):
    ctypes.CDLL(None).syscall(438, 3, 3, 0)
    return 4, 4

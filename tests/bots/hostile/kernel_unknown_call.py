# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Makes a system call that no kernel knows yet.
import ctypes


def play(board, prev_move, player):
    ctypes.CDLL(None).syscall(900, 1, 2, 3)
    return 4, 4

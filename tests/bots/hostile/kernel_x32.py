# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes x86_64
# Forks by a number of the x32 table, which a filter that only knows plain numbers lets pass.
import ctypes
import os


def play(board, prev_move, player):
    if ctypes.CDLL(None).syscall(ctypes.c_long(0x40000000 + 57)) == 0:
        os._exit(0)
    return 4, 4

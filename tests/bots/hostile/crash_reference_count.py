# verdict: crash|exception
# event: nsoc
# ply: 0
# needs: ctypes
# Overwrites the beginning of an object that Python needs.
import ctypes


def play(board, prev_move, player):
    ctypes.memset(id(type(board)), 0xFF, 256)
    return [[] for _ in range(1000)][0]

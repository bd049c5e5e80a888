# verdict: crash
# event: nsoc
# ply: 0
# needs: ctypes
# Reads from address zero.
import ctypes


def play(board, prev_move, player):
    return ctypes.string_at(0)

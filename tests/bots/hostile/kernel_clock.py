# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Sets the clock, to a time that no clock shows.
import ctypes
import os


def play(board, prev_move, player):
    number = 227 if os.uname().machine == "x86_64" else 112
    wrong = (ctypes.c_long * 2)(0, -1)
    ctypes.CDLL(None).syscall(number, 0, wrong)
    return 4, 4

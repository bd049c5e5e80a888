# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Makes a child by the newer call, whose flags lie in memory.
import ctypes
import os
import signal


def play(board, prev_move, player):
    arguments = (ctypes.c_uint64 * 11)()
    arguments[4] = int(signal.SIGCHLD)
    if ctypes.CDLL(None).syscall(435, arguments, ctypes.sizeof(arguments)) == 0:
        os._exit(0)
    return 4, 4

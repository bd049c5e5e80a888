# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# reason: process
# Makes a child by the bare system call, where no hook of Python looks.
import ctypes
import os
import signal


def play(board, prev_move, player):
    number = 56 if os.uname().machine == "x86_64" else 220
    if ctypes.CDLL(None).syscall(number, int(signal.SIGCHLD), 0, 0, 0, 0) == 0:
        os._exit(0)
    return 4, 4

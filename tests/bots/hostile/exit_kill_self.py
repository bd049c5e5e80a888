# verdict: forbidden|crash
# event: nsoc
# ply: 0
# Kills itself; a signal is a system call, and a dead process a crash.
import os
import signal


def play(board, prev_move, player):
    os.kill(os.getpid(), signal.SIGKILL)

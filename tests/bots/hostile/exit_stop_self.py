# verdict: forbidden|timeout
# event: nsoc
# limit: 0.3
# ply: 0
# Stops itself, so that it looks frozen.
import os
import signal


def play(board, prev_move, player):
    os.kill(os.getpid(), signal.SIGSTOP)
    return 0, 0

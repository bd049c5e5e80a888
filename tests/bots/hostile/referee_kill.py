# verdict: forbidden
# event: nsoc
# ply: 0
# reason: send
# line: 12
# Kills the process that made it.
import os
import signal


def play(board, prev_move, player):
    os.kill(os.getppid(), signal.SIGKILL)
    return 4, 4

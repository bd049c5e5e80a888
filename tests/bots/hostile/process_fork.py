# verdict: forbidden
# event: nsoc
# ply: 0
# reason: process
# line: 12
# Forks, and lets the child think.
import os
import time


def play(board, prev_move, player):
    if os.fork() == 0:
        time.sleep(5)
        os._exit(0)
    return 4, 4

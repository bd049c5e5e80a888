# verdict: forbidden
# event: nsoc
# ply: 0
# reason: process
# Forks twice and leaves the session, to outlive the game by five seconds.
import os
import time


def play(board, prev_move, player):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(5)
        os._exit(0)
    return 4, 4

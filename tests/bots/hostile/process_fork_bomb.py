# verdict: forbidden
# event: nsoc
# ply: 0
# reason: process
# Forks as often as it can; a hundred children at most, should nobody stop it.
import os
import time


def play(board, prev_move, player):
    for _ in range(100):
        try:
            if os.fork() == 0:
                time.sleep(2)
                os._exit(0)
        except OSError:
            continue
    return 4, 4

# verdict: crash|protocol
# event: nsoc
# ply: 0
# Closes all but the three usual descriptors, and waits.
import os
import time


def play(board, prev_move, player):
    os.closerange(3, 1024)
    time.sleep(0.1)
    return 4, 4

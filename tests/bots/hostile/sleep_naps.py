# verdict: timeout
# event: nsoc
# limit: 0.3
# ply: 0
# Naps a millisecond at a time, for ever.
import time


def play(board, prev_move, player):
    while True:
        time.sleep(0.001)

# verdict: timeout
# event: nsoc
# limit: 0.3
# ply: 0
# Sleeps for an hour and uses no processor time at all.
import time


def play(board, prev_move, player):
    time.sleep(3600)
    return 0, 0

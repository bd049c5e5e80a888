# verdict: timeout
# event: nsoc
# limit: 0.3
# ply: 0
# Thinks for half a limit too long and answers rightly.
import time


def play(board, prev_move, player):
    end = time.perf_counter() + 0.45
    while time.perf_counter() < end:
        pass
    return 4, 4

# verdict: timeout
# event: nsoc
# limit: 0.3
# ply: 0
# Answers rightly, but half a limit too late, and looks as if it had hardly worked.
import time


def play(board, prev_move, player):
    time.sleep(0.45)
    return 4, 4

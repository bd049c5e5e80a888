# verdict: forbidden|timeout
# event: nsoc
# limit: 1.0
# ply: 0
# Asks for files that are not there, as fast as it can, to keep the referee busy.
import os


def play(board, prev_move, player):
    while True:
        os.path.exists("/ludus/hostile/nothing")

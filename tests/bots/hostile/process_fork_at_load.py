# verdict: forbidden
# event: nsoc
# reason: process
# line: 8
# Forks while it is loaded.
import os

if os.fork() == 0:
    os._exit(0)


def play(board, prev_move, player):
    return 4, 4

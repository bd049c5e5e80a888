# verdict: crash
# event: nsoc
# Is gone before it has loaded.
import os

os._exit(0)


def play(board, prev_move, player):
    return 0, 0

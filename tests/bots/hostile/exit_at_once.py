# verdict: crash
# event: nsoc
# ply: 0
# Ends the process behind Python's back, with the status of success.
import os


def play(board, prev_move, player):
    os._exit(0)

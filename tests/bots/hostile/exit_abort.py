# verdict: crash
# event: nsoc
# ply: 0
# Aborts the process.
import os


def play(board, prev_move, player):
    os.abort()

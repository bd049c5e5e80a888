# verdict: protocol|crash
# event: nsoc
# ply: 0
# Puts standard output in the place of every other descriptor.
import os


def play(board, prev_move, player):
    for descriptor in range(3, 64):
        os.dup2(1, descriptor)
    return 4, 4

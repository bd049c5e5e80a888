# verdict: forbidden
# event: nsoc
# ply: 0
# Forks with a terminal of its own.
import os
import pty


def play(board, prev_move, player):
    child, descriptor = pty.fork()
    if child == 0:
        os._exit(0)
    return 4, 4

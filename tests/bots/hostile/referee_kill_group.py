# verdict: forbidden
# event: nsoc
# ply: 0
# reason: send
# Signals its whole group, with a signal that does nothing.
import os


def play(board, prev_move, player):
    os.killpg(os.getpgid(0), 0)
    return 4, 4

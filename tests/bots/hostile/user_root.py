# verdict: forbidden
# event: nsoc
# ply: 0
# Becomes root.
import os


def play(board, prev_move, player):
    os.setresuid(0, 0, 0)
    return 4, 4

# verdict: crash|protocol
# event: nsoc
# ply: 0
# Closes every descriptor, that of its answers included.
import os


def play(board, prev_move, player):
    os.closerange(0, 256)
    return 4, 4

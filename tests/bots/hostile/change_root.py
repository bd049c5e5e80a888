# verdict: forbidden
# event: nsoc
# ply: 0
# Makes a folder its root, as a step out of its cage.
import os


def play(board, prev_move, player):
    os.chroot("/tmp")
    return 4, 4

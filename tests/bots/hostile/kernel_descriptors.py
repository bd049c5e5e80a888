# verdict: exception|forbidden
# event: nsoc
# ply: 0
# Opens descriptors until there are no more.
import os


def play(board, prev_move, player):
    for _ in range(100_000):
        os.pipe()
    return 4, 4

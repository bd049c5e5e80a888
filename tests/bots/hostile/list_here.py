# verdict: forbidden
# event: term-project
# ply: 0
# Lists the folder in which it is run.
import os


def make_your_move(board):
    with os.scandir() as entries:
        return sum(1 for _ in entries) % 6, 1

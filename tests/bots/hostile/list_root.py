# verdict: forbidden
# event: nsoc
# ply: 0
# line: 10
# Lists the root of the file system.
import os


def play(board, prev_move, player):
    return len(os.listdir("/")) % 9, 0

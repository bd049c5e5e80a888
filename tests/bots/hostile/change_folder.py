# verdict: forbidden
# event: nsoc
# ply: 0
# Goes to another folder.
import os


def play(board, prev_move, player):
    os.chdir("/tmp")
    return 4, 4

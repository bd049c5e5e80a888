# verdict: forbidden
# event: nsoc
# ply: 0
# Deletes a file, should it be there.
import os


def play(board, prev_move, player):
    os.remove("/tmp/ludus-hostile-bot-was-here")
    return 4, 4

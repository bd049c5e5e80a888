# verdict: forbidden
# event: nsoc
# ply: 0
# Puts one file in the place of another.
import os


def play(board, prev_move, player):
    os.replace("/tmp/ludus-hostile-bot-was-here", "/tmp/ludus-hostile-bot-is-here")
    return 4, 4

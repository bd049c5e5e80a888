# verdict: forbidden
# event: nsoc
# ply: 0
# reason: program
# Becomes another program.
import os


def play(board, prev_move, player):
    os.execv("/bin/true", ["true"])

# verdict: forbidden
# event: nsoc
# ply: 0
# Runs a program whose name is not fit to be printed.
import os


def play(board, prev_move, player):
    os.execv(b"/bin/\x1b[31m\r\n\xff\xfe" + b"x" * 3000, ["true"])

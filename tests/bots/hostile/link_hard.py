# verdict: forbidden
# event: nsoc
# ply: 0
# Gives the list of users a second name.
import os


def play(board, prev_move, player):
    os.link("/etc/passwd", "/tmp/ludus-hostile-link")
    return 4, 4

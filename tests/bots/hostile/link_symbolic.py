# verdict: forbidden
# event: nsoc
# ply: 0
# Points a link to the list of users.
import os


def play(board, prev_move, player):
    os.symlink("/etc/passwd", "/tmp/ludus-hostile-link")
    return 4, 4

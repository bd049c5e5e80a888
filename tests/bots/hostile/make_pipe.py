# verdict: forbidden
# event: nsoc
# ply: 0
# Makes a pipe with a name, to talk to a friend.
import os


def play(board, prev_move, player):
    os.mkfifo("/tmp/ludus-hostile-pipe")
    return 4, 4

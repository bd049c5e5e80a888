# verdict: forbidden
# event: nsoc
# ply: 0
# Changes who may read a file.
import os


def play(board, prev_move, player):
    os.chmod("/tmp/ludus-hostile-bot-was-here", 0o777)
    return 4, 4

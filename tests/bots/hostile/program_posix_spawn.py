# verdict: forbidden
# event: nsoc
# ply: 0
# Spawns a program without forking in Python.
import os


def play(board, prev_move, player):
    os.posix_spawn("/bin/true", ["true"], {})
    return 4, 4

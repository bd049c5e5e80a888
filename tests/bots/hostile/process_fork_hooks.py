# verdict: forbidden
# event: nsoc
# ply: 0
# reason: process
# Lets Python's fork hooks do the forking.
import os


def again():
    if os.fork() == 0:
        os._exit(0)


def play(board, prev_move, player):
    os.register_at_fork(before=again)
    os.fork()
    return 4, 4

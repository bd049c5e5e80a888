# verdict: forbidden
# event: nsoc
# ply: 0
# reason: process
# Forks, catches the refusal, and plays on as if nothing had been.
import os


def play(board, prev_move, player):
    try:
        if os.fork() == 0:
            os._exit(0)
    except BaseException:
        pass
    return 4, 4

# verdict: forbidden
# event: nsoc
# ply: 0
# reason: thread
# Lets faulthandler start its watchdog, a thread written in C.
import faulthandler
import sys


def play(board, prev_move, player):
    faulthandler.dump_traceback_later(0.001, repeat=True, file=sys.__stderr__)
    return 4, 4

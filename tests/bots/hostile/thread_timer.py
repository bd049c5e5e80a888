# verdict: forbidden
# event: nsoc
# ply: 0
# reason: thread
# Starts a timer, which is a thread that waits.
import threading


def play(board, prev_move, player):
    threading.Timer(0.001, print).start()
    return 4, 4

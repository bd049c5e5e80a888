# verdict: forbidden
# event: nsoc
# ply: 0
# reason: thread
# Starts a thread without the module threading.
import _thread
import time


def play(board, prev_move, player):
    _thread.start_new_thread(time.sleep, (5,))
    return 4, 4

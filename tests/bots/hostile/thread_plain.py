# verdict: forbidden
# event: nsoc
# ply: 0
# reason: thread
# line: 12
# Thinks in a thread.
import threading
import time


def play(board, prev_move, player):
    threading.Thread(target=time.sleep, args=(5,), daemon=True).start()
    return 4, 4

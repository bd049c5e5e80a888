# verdict: forbidden
# event: nsoc
# reason: thread
# line: 9
# Starts thinking while it is loaded.
import threading
import time

threading.Thread(target=time.sleep, args=(5,), daemon=True).start()


def play(board, prev_move, player):
    return 4, 4

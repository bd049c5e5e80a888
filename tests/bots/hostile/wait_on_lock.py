# verdict: timeout
# event: nsoc
# limit: 0.3
# ply: 0
# Waits for a lock that it holds itself.
import threading


def play(board, prev_move, player):
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()
    return 0, 0

# verdict: forbidden
# event: nsoc
# ply: 0
# reason: thread
# Ponders in a thread while the opponent is to move.
import threading

pondered = [0]


def ponder():
    while True:
        pondered[0] += 1


def play(board, prev_move, player):
    threading.Thread(target=ponder, daemon=True).start()
    return 4, 4

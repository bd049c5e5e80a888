# verdict: forbidden
# event: nsoc
# ply: 0
# Thinks in a second process.
import multiprocessing


def think():
    pass


def play(board, prev_move, player):
    worker = multiprocessing.get_context("fork").Process(target=think)
    worker.start()
    worker.join()
    return 4, 4

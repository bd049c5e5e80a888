# verdict: forbidden
# event: nsoc
# ply: 0
# reason: thread
# Calls a thread a process.
import multiprocessing.dummy


def play(board, prev_move, player):
    worker = multiprocessing.dummy.Process(target=print)
    worker.start()
    worker.join()
    return 4, 4

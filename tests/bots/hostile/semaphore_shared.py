# verdict: forbidden
# event: nsoc
# ply: 0
# Makes a semaphore that two processes can share.
import multiprocessing


def play(board, prev_move, player):
    multiprocessing.get_context("fork").Lock()
    return 4, 4

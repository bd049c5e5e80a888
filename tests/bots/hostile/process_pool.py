# verdict: forbidden
# event: nsoc
# ply: 0
# Thinks in a pool of processes.
from concurrent.futures import ProcessPoolExecutor


def play(board, prev_move, player):
    with ProcessPoolExecutor(2) as pool:
        return tuple(pool.map(abs, (4, 4)))

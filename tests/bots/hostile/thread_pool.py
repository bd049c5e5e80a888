# verdict: forbidden
# event: extreme
# ply: 0
# reason: thread
# Thinks in a pool of threads.
from concurrent.futures import ThreadPoolExecutor


class Team4:
    def move(self, board, old_move, flag):
        with ThreadPoolExecutor(2) as pool:
            return tuple(pool.map(abs, (5, 5)))

# verdict: timeout
# event: nsoc
# limit: 0.3
# ply: 0
# Hides the loop in a callback of the garbage collector.
import gc


def play(board, prev_move, player):
    gc.callbacks.append(lambda phase, info: [None for _ in iter(int, 1)])
    gc.collect()
    return 0, 0

# verdict: exception
# event: nsoc
# limit: 0.5
# ply: 0
# line: 17
# Registers a farewell that never ends, and leaves.
import atexit


def farewell():
    while True:
        pass


def play(board, prev_move, player):
    atexit.register(farewell)
    raise SystemExit(0)

# verdict: exception
# event: nsoc
# ply: 0
# line: 16
# Replaces the hook for uncaught exceptions by a loop, and raises.
import sys


def linger(*_):
    while True:
        pass


def play(board, prev_move, player):
    sys.excepthook = sys.unraisablehook = linger
    raise RuntimeError("now the hook")

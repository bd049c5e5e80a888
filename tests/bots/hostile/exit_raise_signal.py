# verdict: forbidden|crash
# event: nsoc
# ply: 0
# Raises the signal that ends it.
import signal


def play(board, prev_move, player):
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.raise_signal(signal.SIGTERM)

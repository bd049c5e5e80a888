# verdict: output
# event: nsoc
# ply: 0
# Writes eight megabytes and answers rightly.
import sys


def play(board, prev_move, player):
    sys.stdout.write("x" * (8 << 20))
    sys.stdout.flush()
    return 4, 4

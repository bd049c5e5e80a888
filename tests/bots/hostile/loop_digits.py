# verdict: timeout
# event: nsoc
# limit: 0.3
# ply: 0
# Writes a number of thirty million digits in decimal, after lifting Python's guard against that.
import sys


def play(board, prev_move, player):
    sys.set_int_max_str_digits(0)
    return len(str(1 << 100_000_000)) % 9, 0

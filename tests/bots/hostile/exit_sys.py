# verdict: exception
# event: nsoc
# ply: 0
# line: 10
# Leaves through sys.exit.
import sys


def play(board, prev_move, player):
    sys.exit()

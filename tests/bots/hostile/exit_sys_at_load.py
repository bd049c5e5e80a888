# verdict: exception
# event: nsoc
# line: 7
# Leaves while it is loaded, as scripts do.
import sys

sys.exit("usage: bot")


def play(board, prev_move, player):
    return 0, 0

# verdict: timeout
# event: nsoc
# limit: 0.3
# ply: 0
# A regular expression that backtracks for ages.
import re


def play(board, prev_move, player):
    return 0, bool(re.match(r"(a+)+$", "a" * 60 + "b"))

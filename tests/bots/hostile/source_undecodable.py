# verdict: refused
# event: nsoc
# reason: utf-8
# Holds a letter that is not UTF-8, and does not say so.
NAME = 'café'


def play(board, prev_move, player):
    return 0, 0

# -*- coding: elvish -*-
# verdict: refused
# event: nsoc
# reason: elvish
# Is written in an encoding that nobody knows.
def play(board, prev_move, player):
    return 0, 0

# verdict: illegal
# event: nsoc
# ply: 0
# Answers with objects like numpy's ints, which say another number each time they are asked, and never a good one.
import itertools


class Fickle:
    def __init__(self):
        self.numbers = itertools.count(9)

    def __index__(self):
        return next(self.numbers)


def play(board, prev_move, player):
    return Fickle(), Fickle()

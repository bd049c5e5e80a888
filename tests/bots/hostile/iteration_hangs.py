# verdict: timeout|illegal
# event: nsoc
# limit: 0.3
# ply: 0
# The answer is a tuple of no length whose own methods never return.
class Bottomless(tuple):
    def __iter__(self, *_):
        while True:
            pass

    __len__ = __getitem__ = __iter__


def play(board, prev_move, player):
    return Bottomless()

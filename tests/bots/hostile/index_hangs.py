# verdict: timeout|illegal
# event: nsoc
# limit: 0.3
# ply: 0
# The answer looks like numpy's ints, and turning it into an int takes for ever.
class Endless:
    def __index__(self):
        while True:
            pass

    __int__ = __index__


def play(board, prev_move, player):
    return Endless(), Endless()

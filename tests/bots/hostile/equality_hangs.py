# verdict: illegal|timeout
# event: nsoc
# limit: 0.3
# ply: 0
# The answer is off the board, and whoever compares it in the bot's process never comes back.
class Incomparable(int):
    def __eq__(self, other):
        while True:
            pass

    __lt__ = __le__ = __gt__ = __ge__ = __ne__ = __eq__
    __hash__ = int.__hash__


def play(board, prev_move, player):
    return Incomparable(99), Incomparable(99)

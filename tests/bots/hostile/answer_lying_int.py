# verdict: illegal|exception
# event: nsoc
# Answers with ints that are off the board, and say of themselves that they are four: if they are believed, the cell is taken the next time.
class Modest(int):
    def __repr__(self):
        return "4"

    __str__ = __repr__

    def __index__(self):
        return 4

    __int__ = __index__

    def __eq__(self, other):
        return True

    __lt__ = __le__ = __gt__ = __ge__ = __eq__
    __hash__ = int.__hash__


def play(board, prev_move, player):
    return Modest(1 << 70), Modest(99)

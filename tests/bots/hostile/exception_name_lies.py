# verdict: exception
# event: nsoc
# ply: 0
# line: 17
# Raises an exception whose class pretends to have another name, or none.
class Nameless(type):
    @property
    def __name__(cls):
        raise SystemExit(0)


class Masked(Exception, metaclass=Nameless):
    pass


def play(board, prev_move, player):
    raise Masked("who?")

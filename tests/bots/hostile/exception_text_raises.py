# verdict: exception
# event: nsoc
# ply: 0
# line: 14
# Raises an exception that raises when somebody asks for its text.
class Unspeakable(BaseException):
    def __str__(self):
        raise self

    __repr__ = __str__


def play(board, prev_move, player):
    raise Unspeakable

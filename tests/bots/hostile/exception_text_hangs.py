# verdict: exception|timeout
# event: nsoc
# limit: 0.3
# ply: 0
# Raises an exception whose text is never finished.
class Speechless(Exception):
    def __str__(self):
        while True:
            pass

    __repr__ = __str__


def play(board, prev_move, player):
    raise Speechless

# verdict: illegal|exception
# event: nsoc
# ply: 0
# Answers with an object that claims to be a tuple, and is none.
class Pretender:
    @property
    def __class__(self):
        return tuple

    def __len__(self):
        return 2


def play(board, prev_move, player):
    return Pretender()

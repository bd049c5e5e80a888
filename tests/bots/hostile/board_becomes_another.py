# verdict: tampering|exception
# event: extreme
# ply: 0
# Makes the board an object of its own class, which answers as it likes.
class Mirage:
    def __getattribute__(self, name):
        return [["-"] * 16] * 16


class Team13:
    def move(self, board, old_move, flag):
        board.board_status[0][0] = flag
        board.__class__ = Mirage
        return 0, 0

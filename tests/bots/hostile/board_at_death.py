# verdict: tampering
# event: nsoc
# ply: 0
# Lets an object that dies with the call change the board.
class Will:
    def __init__(self, board):
        self.board = board

    def __del__(self):
        self.board[0][0] = 2


def play(board, prev_move, player):
    will = Will(board)
    return 4, 4

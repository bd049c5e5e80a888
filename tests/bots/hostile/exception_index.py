# verdict: exception
# event: cse371
# ply: 0
# reason: IndexError
# line: 12
# Looks beyond the board.
class Player3:
    def move(self, temp_board, temp_block, old_move, flag):
        return self.first(temp_board)

    def first(self, temp_board):
        return next((row, column) for row in range(9) for column in range(10) if temp_board[row][column] == "x")

# verdict: tampering
# event: cse371
# ply: 0
# Marks its move on the board that it was handed.
class Player18:
    def move(self, temp_board, temp_block, old_move, flag):
        temp_board[0][0] = flag
        return 0, 0

# verdict: exception
# event: cse371
# reason: argument
# ply: 0
# Forgot self.
class Player1:
    def move(temp_board, temp_block, old_move, flag):
        return 0, 0

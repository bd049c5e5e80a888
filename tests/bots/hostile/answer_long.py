# verdict: illegal
# event: cse371
# ply: 0
# Answers with block and cell.
class Player11:
    def move(self, temp_board, temp_block, old_move, flag):
        return 4, 4, 4

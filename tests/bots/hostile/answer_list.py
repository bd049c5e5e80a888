# verdict: illegal
# event: cse371
# ply: 0
# Answers with a list where the event wants a tuple.
class Player13:
    def move(self, temp_board, temp_block, old_move, flag):
        return [4, 4]

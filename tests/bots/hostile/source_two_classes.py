# verdict: exception
# event: cse371
# reason: One
# Has two classes that could be meant, and neither has the right name.
class One:
    def move(self, temp_board, temp_block, old_move, flag):
        return 0, 0


class Other:
    def move(self, temp_board, temp_block, old_move, flag):
        return 4, 4

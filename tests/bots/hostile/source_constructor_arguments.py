# verdict: exception
# event: cse371
# reason: argument
# The class wants to be told something when it is made.
class Player1:
    def __init__(self, depth):
        self.depth = depth

    def move(self, temp_board, temp_block, old_move, flag):
        return 0, 0

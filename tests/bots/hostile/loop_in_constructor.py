# verdict: timeout
# event: cse371
# limit: 0.3
# loading: 0.5
# The class cannot be made: its constructor loops.
class Player12:
    def __init__(self):
        while True:
            pass

    def move(self, temp_board, temp_block, old_move, flag):
        return 0, 0

# verdict: timeout|illegal
# event: nsoc
# limit: 0.3
# The numbers of the answer are ints of a kind that never finishes dying; who asks may also refuse the kind.
class Clinging(int):
    def __del__(self):
        while True:
            pass


def play(board, prev_move, player):
    return Clinging(4), Clinging(4)

# verdict: protocol|timeout
# event: nsoc
# limit: 0.3
# loading: 0.5
# Says that it is loaded when it is not, and goes on preparing itself.
import os

os.write(3, b"R")
while True:
    pass


def play(board, prev_move, player):
    return 4, 4

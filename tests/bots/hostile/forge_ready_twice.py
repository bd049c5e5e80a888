# verdict: protocol
# event: nsoc
# Says that it is loaded, and then says so again.
import os

os.write(3, b"R")


def play(board, prev_move, player):
    return 9, 9

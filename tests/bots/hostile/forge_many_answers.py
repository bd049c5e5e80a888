# verdict: protocol|tampering|illegal
# event: nsoc
# limit: 0.5
# Fills the channel with answers until it holds no more.
import os


def play(board, prev_move, player):
    while True:
        os.write(3, b'A{"tuple":[9,9]}\n[]')

# verdict: protocol
# event: nsoc
# ply: 0
# Sends one message that is larger than any answer.
import os


def play(board, prev_move, player):
    os.write(3, b"A" + b"4" * 100_000)
    return 9, 9

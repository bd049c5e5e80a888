# verdict: output
# event: nsoc
# ply: 0
# Writes zeros to standard output, past Python's buffers.
import os


def play(board, prev_move, player):
    while True:
        os.write(1, bytes(1 << 16))

# verdict: protocol|crash
# event: nsoc
# ply: 0
# Sends a message of no length, which looks like the end of the channel.
import os


def play(board, prev_move, player):
    os.write(3, b"")
    os.write(3, b"A")
    return 9, 9

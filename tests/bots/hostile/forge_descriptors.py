# verdict: protocol
# event: nsoc
# ply: 0
# Writes an answer of its own to every descriptor that it may have.
import os


def play(board, prev_move, player):
    for descriptor in range(3, 256):
        try:
            os.write(descriptor, b'{"t":"move","move":[4,4]}\n')
        except OSError:
            continue
    return 0, 0

# verdict: protocol
# event: nsoc
# ply: 0
# Writes sixty kilobytes of noise to every descriptor that it may have.
import os


def play(board, prev_move, player):
    for descriptor in range(3, 256):
        try:
            os.write(descriptor, bytes(range(256)) * 240)
        except OSError:
            continue
    return 0, 0

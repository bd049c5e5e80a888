# verdict: memory
# event: nsoc
# ply: 0
# needs: numpy
# Wants an array of eight gigabytes.
import numpy


def play(board, prev_move, player):
    return int(numpy.ones(1 << 30).sum()) % 9, 0

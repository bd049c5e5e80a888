# verdict: win|draw
# event: term-project
# Subtracts at random, as much as a line allows.
import random


def make_your_move(board):
    lines = [tuple(row) for row in board] + list(zip(*board))
    return random.choice([(i, k) for i, line in enumerate(lines) if min(line) for k in (1, 2, 3) if k <= min(line)])

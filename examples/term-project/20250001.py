"""The smallest bot for the event term-project: it plays any legal move. Copy it and begin here."""

import random


def make_your_move(board: list[list[int]]) -> tuple[int, int]:
    """Answer with (line, k): lines 0 to 2 are the rows, 3 to 5 the columns; k is 1, 2 or 3.

    `board` holds three rows of three numbers and must not be changed. A line with a 0 in it allows nothing, other
    lines up to 3 but no more than their smallest number.
    """
    lines = [*board, *zip(*board, strict=True)]
    return random.choice([(line, k) for line, numbers in enumerate(lines) for k in (1, 2, 3) if k <= min(numbers)])

"""A board as people type it: rows on lines or between slashes, numbers with or without blanks."""

from __future__ import annotations

import re
from collections.abc import Sequence

MOST_CHARACTERS = 10_000


def rows_of(board: object, *, digits: bool = False) -> list[list[int]]:
    """The rows of numbers in a text such as "4 2 3 / 2 3 4 / 3 4 2", or in a list of lists.

    With `digits`, numbers have one digit each and need no blanks between them: "101 / 020 / 001".
    """
    if isinstance(board, str):
        if len(board) > MOST_CHARACTERS:
            raise ValueError(f"the board is a text of {len(board)} characters; {MOST_CHARACTERS} is the most")
        lines = [line for line in re.split(r"[/\n;]", board) if line.strip()]
        return [_numbers_in(line, digits=digits) for line in lines]
    if not isinstance(board, Sequence) or not all(
        isinstance(row, Sequence) and not isinstance(row, str) for row in board
    ):
        raise ValueError("the board must be a list of rows, each a list of numbers, or a text of rows")
    for row in board:
        for number in row:
            if type(number) is not int:
                raise ValueError(f"the board holds {str(number)[:20]!r}; whole numbers were expected")
    return [list(row) for row in board]


def _numbers_in(line: str, *, digits: bool) -> list[int]:
    words = re.findall(r"[^\s,]", line) if digits else re.split(r"[\s,]+", line.strip())
    for word in words:
        if not re.fullmatch(r"[0-9]{1,18}", word):
            raise ValueError(f"the board holds {word[:20]!r}; whole numbers were expected")
    return [int(word) for word in words]

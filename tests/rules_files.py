"""Rules files that tests write to disk."""

# Take 1 to `most` from a heap; who takes the last one wins. Small enough to count by hand.
HEAP = """
from __future__ import annotations
from typing import NamedTuple

MOVES = 3
{imports}

class State(NamedTuple):
    heap: int
    mover: int


def start(heap: int = {heap}) -> State:
    return State(heap, 0)


def turn(s):
    return s.mover


def moves(s):
    return (1 << min(s.heap, {most})) - 1


def play(s, m):
    return State(s.heap - m - 1, 1 - s.mover)


def result(s):
    if s.heap > 0:
        return None
    return 1 if s.mover else -1
"""


# Noughts and crosses; the stones of the side to move are mine.
TIC_TAC_TOE = """
from typing import NamedTuple

MOVES = 9
LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)


class State(NamedTuple):
    mine: int
    theirs: int
    mover: int


def start():
    return State(0, 0, 0)


def turn(s):
    return s.mover


def moves(s):
    return 0o777 & ~(s.mine | s.theirs)


def play(s, m):
    return State(s.theirs, s.mine | 1 << m, 1 - s.mover)


def has_line(nine):
    for line in LINES:
        if nine & line == line:
            return True
    return False


def result(s):
    if has_line(s.theirs):
        return 1 if s.mover else -1
    return 0 if s.mine | s.theirs == 0o777 else None


def payoffs(s):
    return -1, 1
"""


def heap(*, heap: int = 10, most: object = 3, imports: str = "") -> str:
    """A heap game; `most` may be an expression over what `imports` brings in."""
    return HEAP.format(heap=heap, most=most, imports=imports)


def sequences(heap: int, depth: int, most: int) -> int:
    """perft of the heap game, counted the slow way."""
    if depth == 0:
        return 1
    return sum(sequences(heap - k, depth - 1, most) for k in range(1, min(heap, most) + 1))

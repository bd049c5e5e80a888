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


def heap(*, heap: int = 10, most: object = 3, imports: str = "") -> str:
    """A heap game; `most` may be an expression over what `imports` brings in."""
    return HEAP.format(heap=heap, most=most, imports=imports)


def sequences(heap: int, depth: int, most: int) -> int:
    """perft of the heap game, counted the slow way."""
    if depth == 0:
        return 1
    return sum(sequences(heap - k, depth - 1, most) for k in range(1, min(heap, most) + 1))

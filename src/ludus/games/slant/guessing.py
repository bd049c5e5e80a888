"""Loopless Slant for a search that guesses: the smaller game of `solving.py` with the guess of `evaluation.py`."""

from __future__ import annotations

from ludus.games.slant.evaluation import guess_at_rest, quiet_lead, worth_of_circles
from ludus.games.slant.solving import (
    MOVES,
    PASS,
    State,
    banked,
    core,
    moves,
    original,
    play,
    reduced,
    result,
    start,
    turn,
)

__all__ = [
    "MOVES",
    "PASS",
    "State",
    "banked",
    "core",
    "evaluate",
    "guess",
    "moves",
    "original",
    "play",
    "reduced",
    "result",
    "start",
    "turn",
]


def guess(
    free: int,
    lo: int,
    hi: int,
    number_lo: int,
    number_hi: int,
    passes: int,
    first_gain: int,
    second_gain: int,
    mover: int,
) -> int:
    """What `evaluation.py` says of the same position; each pass is a quiet cell of both seats."""
    # For every point, the free cells around it; the first seat touches it from above_right and below_left.
    above_left, above_right, below_left, below_right = free << 8, free << 7, free << 1, free
    first, both_first = above_right | below_left, above_right & below_left
    second, both_second = above_left | below_right, above_left & below_right
    circles = worth_of_circles(lo, hi, number_lo, number_hi, first, both_first, second, both_second, mover)
    one, two = lo & ~hi, hi & ~lo
    hot = one | two & second
    quiet = free & ~(hot >> 1 | hot >> 7)
    hot = one | two & first
    other = free & ~(hot | hot >> 8)
    shared = (quiet & other).bit_count() + passes
    by_first, by_second = (one & first).bit_count(), (one & second).bit_count()
    rest = guess_at_rest(circles, by_first, by_second, quiet_lead(quiet, other), shared, mover)
    return 1000 * (first_gain - second_gain) + rest


def evaluate(s: State) -> int:
    """The guess of `evaluation.py`, where a pass that is left over is one more quiet cell of both seats."""
    return guess(*s)

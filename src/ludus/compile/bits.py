"""Bit tricks on plain ints; `native.py` teaches the compiler each of them as one instruction.

Rules and searches may also use `x.bit_count()` and `x.bit_length()` of any int x >= 0.
"""

from __future__ import annotations

import time


def lowest(x: int) -> int:
    """The index of the lowest set bit of x > 0."""
    return (x & -x).bit_length() - 1


def nth(x: int, k: int) -> int:
    """The index of the k-th set bit of x, counting from 0; x has more than k of them."""
    for _ in range(k):
        x &= x - 1
    return lowest(x)


def plain(x: object) -> int:
    """A number out of an array as an int, so that rules never meet a numpy scalar.

    Compiled, it also hides that an argument is a literal: a recursive function first called with
    literals leaves a hole in its machine code that crashes when it is loaded from the cache.
    """
    return int(x)  # type: ignore[call-overload, no-any-return]  # numpy scalars and ints alike


def now_ns() -> int:
    """The monotonic clock, readable from compiled code too."""
    return time.monotonic_ns()


def fetch_soon(words: object, index: int) -> None:
    """Tell the processor that this word of an array, and its neighbours, will be read; in plain Python, nothing."""


def count_up(counts: object, index: int) -> None:
    """Add 1 to a count that other threads may be adding to: on a graphics processor, in one step."""
    counts[index] += 1  # type: ignore[index]  # an array of ints

"""Loopless Slant: fill cells with your own diagonal; touching a circle for the last time it asks for scores.

A move is 12 * row + column on any board of m x m cells, m even and at most 12. Cells stand in three words of
four rows, points (the corners of cells) in four words of four rows:

    cells   word w   bit 12 * (row % 4) + column     w = row // 4      12 columns, 48 bits
    points  word w   bit 13 * (row % 4) + column     w = row // 4      13 columns, 52 bits

How many touches a circle still wants, 0 to 3, stands in two bit planes: `wants_lo` and `wants_hi`. A circle
that wants none scores no more. The numbers as printed stand in the planes `number_lo` and `number_hi`.
"""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from ludus.games.typed_board import rows_of

NAME = "Loopless Slant"
MOVES = 144
WORD = 48
LARGEST = 12
DENSITY = 0.35  # of circles on a random board


class State(NamedTuple):
    free0: int  # empty cells
    free1: int
    free2: int
    slash0: int  # cells with the first seat's "/"; what is neither free nor slash is a backslash
    slash1: int
    slash2: int
    wants_lo0: int  # touches that each circle still wants
    wants_lo1: int
    wants_lo2: int
    wants_lo3: int
    wants_hi0: int
    wants_hi1: int
    wants_hi2: int
    wants_hi3: int
    number_lo0: int  # the circles as printed
    number_lo1: int
    number_lo2: int
    number_lo3: int
    number_hi0: int
    number_hi1: int
    number_hi2: int
    number_hi3: int
    first_closed0: int  # circles that the first seat has closed; the second seat has closed the other closed ones
    first_closed1: int
    first_closed2: int
    first_closed3: int
    first_gain: int  # numbers of the circles that each seat has closed
    second_gain: int
    mover: int  # the seat to move
    size: int  # m


def start(circles: object = None, m: int | None = None, seed: int = 0) -> State:
    """The given circles (rows of digits, 0 for none), or a random board of m x m cells."""
    if m is not None and (type(m) is not int or m % 2 or not 2 <= m <= LARGEST):
        raise ValueError(f"m is an even number from 2 to {LARGEST}, not {str(m)[:20]!r}")
    if type(seed) is not int:
        raise ValueError(f"seed is a whole number, not {str(seed)[:20]!r}")
    rows = random_circles(m or 6, random.Random(seed)) if circles is None else rows_of(circles, digits=True)
    size = len(rows) - 1
    if size % 2 or not 2 <= size <= LARGEST or any(len(row) != size + 1 for row in rows):
        raise ValueError(f"circles must be m + 1 rows of m + 1 digits, m even and from 2 to {LARGEST}")
    if m is not None and m != size:
        raise ValueError(f"m is {m}, but these circles are for m = {size}")
    planes = [0, 0, 0, 0, 0, 0, 0, 0]
    for r, row in enumerate(rows):
        for c, number in enumerate(row):
            if not 0 <= number <= 3:
                raise ValueError(
                    f"point {r},{c} holds {str(number)[:20]}; a circle's number is 1, 2 or 3, and 0 is none"
                )
            bit = 13 * (r % 4) + c
            planes[r // 4] |= (number & 1) << bit
            planes[4 + r // 4] |= (number >> 1) << bit
    free = [sum((1 << size) - 1 << 12 * (r % 4) for r in range(size) if r // 4 == w) for w in range(3)]
    fields = [*free, 0, 0, 0, *planes, *planes, 0, 0, 0, 0, 0, 0, 0, size]
    return State._make(fields)


def random_circles(m: int, rng: random.Random) -> list[list[int]]:
    return [[rng.randint(1, 3) if rng.random() < DENSITY else 0 for _ in range(m + 1)] for _ in range(m + 1)]


def number_at(s: State, r: int, c: int) -> int:
    """The number printed at a point, 0 for none."""
    bit = 13 * (r % 4) + c
    lo = (s.number_lo0, s.number_lo1, s.number_lo2, s.number_lo3)[r // 4]
    hi = (s.number_hi0, s.number_hi1, s.number_hi2, s.number_hi3)[r // 4]
    return (lo >> bit & 1) + 2 * (hi >> bit & 1)


def wanted_at(s: State, r: int, c: int) -> int:
    """How many touches the circle at a point still wants; 0 when it is closed, or when there is none."""
    bit = 13 * (r % 4) + c
    lo = (s.wants_lo0, s.wants_lo1, s.wants_lo2, s.wants_lo3)[r // 4]
    hi = (s.wants_hi0, s.wants_hi1, s.wants_hi2, s.wants_hi3)[r // 4]
    return (lo >> bit & 1) + 2 * (hi >> bit & 1)


def closer_at(s: State, r: int, c: int) -> int | None:
    """The seat that closed the circle at a point, None when nobody has."""
    if number_at(s, r, c) == 0 or wanted_at(s, r, c) > 0:
        return None
    closed = (s.first_closed0, s.first_closed1, s.first_closed2, s.first_closed3)[r // 4]
    return 0 if closed >> 13 * (r % 4) + c & 1 else 1


def instance(s: State) -> dict[str, Any]:
    return {"circles": [[number_at(s, r, c) for c in range(s.size + 1)] for r in range(s.size + 1)]}


def turn(s: State) -> int:
    return s.mover


def moves(s: State) -> tuple[int, int, int]:
    return s.free0, s.free1, s.free2


def bit_in(index: int, word: int, bits: int) -> int:
    """The bit of an index in one word of its plane, nothing when it stands in another word."""
    return 1 << index - bits * word if index // bits == word else 0


def play(s: State, m: int) -> State:
    r, c = m // 12, m % 12
    # "/" touches the upper right and lower left point, "\" the upper left and lower right.
    upper = 13 * r + c + 1 - s.mover
    lower = 13 * (r + 1) + c + s.mover
    touched0 = bit_in(upper, 0, 52) | bit_in(lower, 0, 52)
    touched1 = bit_in(upper, 1, 52) | bit_in(lower, 1, 52)
    touched2 = bit_in(upper, 2, 52) | bit_in(lower, 2, 52)
    touched3 = bit_in(lower, 3, 52)
    closed0 = touched0 & s.wants_lo0 & ~s.wants_hi0
    closed1 = touched1 & s.wants_lo1 & ~s.wants_hi1
    closed2 = touched2 & s.wants_lo2 & ~s.wants_hi2
    closed3 = touched3 & s.wants_lo3 & ~s.wants_hi3
    gain = (
        worth(closed0, s.number_lo0, s.number_hi0)
        + worth(closed1, s.number_lo1, s.number_hi1)
        + worth(closed2, s.number_lo2, s.number_hi2)
        + worth(closed3, s.number_lo3, s.number_hi3)
    )
    # One less wanted where a circle still wants any: lo flips, and hi falls where that made lo 1.
    touched0 &= s.wants_lo0 | s.wants_hi0
    touched1 &= s.wants_lo1 | s.wants_hi1
    touched2 &= s.wants_lo2 | s.wants_hi2
    touched3 &= s.wants_lo3 | s.wants_hi3
    lo0, lo1 = s.wants_lo0 ^ touched0, s.wants_lo1 ^ touched1
    lo2, lo3 = s.wants_lo2 ^ touched2, s.wants_lo3 ^ touched3
    bit0, bit1, bit2 = bit_in(m, 0, 48), bit_in(m, 1, 48), bit_in(m, 2, 48)
    is_slash = 1 - s.mover
    return State(
        s.free0 & ~bit0,
        s.free1 & ~bit1,
        s.free2 & ~bit2,
        s.slash0 | bit0 * is_slash,
        s.slash1 | bit1 * is_slash,
        s.slash2 | bit2 * is_slash,
        lo0,
        lo1,
        lo2,
        lo3,
        s.wants_hi0 & ~(touched0 & lo0),
        s.wants_hi1 & ~(touched1 & lo1),
        s.wants_hi2 & ~(touched2 & lo2),
        s.wants_hi3 & ~(touched3 & lo3),
        s.number_lo0,
        s.number_lo1,
        s.number_lo2,
        s.number_lo3,
        s.number_hi0,
        s.number_hi1,
        s.number_hi2,
        s.number_hi3,
        s.first_closed0 | closed0 * is_slash,
        s.first_closed1 | closed1 * is_slash,
        s.first_closed2 | closed2 * is_slash,
        s.first_closed3 | closed3 * is_slash,
        s.first_gain + gain * is_slash,
        s.second_gain + gain * s.mover,
        1 - s.mover,
        s.size,
    )


def worth(closed: int, number_lo: int, number_hi: int) -> int:
    """The sum of the numbers of closed circles."""
    return (closed & number_lo).bit_count() + 2 * (closed & number_hi).bit_count()


def result(s: State) -> int | None:
    """The first seat's points: every number closed counts for one and against the other."""
    if s.free0 | s.free1 | s.free2:
        return None
    return s.first_gain - s.second_gain


def banked(s: State) -> int:
    return s.first_gain - s.second_gain


def core(s: State) -> State:
    """What is left to play for: free cells and open circles, whoever has drawn and closed the others."""
    open0, open1 = s.wants_lo0 | s.wants_hi0, s.wants_lo1 | s.wants_hi1
    open2, open3 = s.wants_lo2 | s.wants_hi2, s.wants_lo3 | s.wants_hi3
    return State(
        s.free0,
        s.free1,
        s.free2,
        0,
        0,
        0,
        s.wants_lo0,
        s.wants_lo1,
        s.wants_lo2,
        s.wants_lo3,
        s.wants_hi0,
        s.wants_hi1,
        s.wants_hi2,
        s.wants_hi3,
        s.number_lo0 & open0,
        s.number_lo1 & open1,
        s.number_lo2 & open2,
        s.number_lo3 & open3,
        s.number_hi0 & open0,
        s.number_hi1 & open1,
        s.number_hi2 & open2,
        s.number_hi3 & open3,
        0,
        0,
        0,
        0,
        0,
        0,
        s.mover,
        s.size,
    )


def move_name(m: int) -> str:
    return f"{m // 12},{m % 12}"


def why_not(s: State, m: int) -> str:
    if max(m // 12, m % 12) >= s.size:
        return f"the board has {s.size} x {s.size} cells"
    return "the cell is taken"

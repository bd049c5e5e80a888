"""What the games told of slant on boards of up to 6 x 6 cells have in common: one word a plane.

points  bit 7 * row + column     7 columns, 49 bits
cells   bit 7 * row + column     6 columns, 41 bits: a cell stands on the bit of its upper left point
"""

from __future__ import annotations

from typing import NamedTuple

from ludus.games.slant import rules

LARGEST = 6


class Board(NamedTuple):
    """A position of the rules without what is over: who has drawn what, and who has closed which circle."""

    free: int  # empty cells
    wants_lo: int  # touches that each circle still wants
    wants_hi: int
    number_lo: int  # the circles as printed
    number_hi: int
    first_gain: int
    second_gain: int
    mover: int


def board_of(s: rules.State | Board) -> Board | None:
    """The same position in one word a plane; None if the board is too large."""
    if isinstance(s, Board):
        return s
    if s.size > LARGEST:
        return None
    free, lo, hi, number_lo, number_hi = 0, 0, 0, 0, 0
    for r in range(s.size):  # rows of cells: 12 columns there, 7 here
        free |= ((s.free0, s.free1)[r // 4] >> 12 * (r % 4) & 0x3F) << 7 * r
    for r in range(s.size + 1):  # rows of points: 13 columns there, 7 here
        word, shift = r // 4, 13 * (r % 4)
        lo |= ((s.wants_lo0, s.wants_lo1)[word] >> shift & 0x7F) << 7 * r
        hi |= ((s.wants_hi0, s.wants_hi1)[word] >> shift & 0x7F) << 7 * r
        number_lo |= ((s.number_lo0, s.number_lo1)[word] >> shift & 0x7F) << 7 * r
        number_hi |= ((s.number_hi0, s.number_hi1)[word] >> shift & 0x7F) << 7 * r
    return Board(free, lo, hi, number_lo, number_hi, s.first_gain, s.second_gain, s.mover)


def original(s: object, m: int) -> int:  # any position: the same cell on a board of twelve columns
    return 12 * (m // 7) + m % 7


def touch(lo: int, hi: int, number_lo: int, number_hi: int, mover: int, cell: int) -> tuple[int, int, int]:
    """What circles want after a move, in two planes, and what the mover gains by it."""
    touched = 1 << cell + 1 - mover | 1 << cell + 7 + mover
    closed = touched & lo & ~hi
    gain = (closed & number_lo).bit_count() + 2 * (closed & number_hi).bit_count()
    touched &= lo | hi
    lo ^= touched
    return lo, hi & ~(touched & lo), gain

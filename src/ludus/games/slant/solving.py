"""Loopless Slant for exact solving: a smaller game of the same worth, for boards of up to 6 x 6 cells.

A circle that can no longer be closed counts as none. A cell that touches no open circle is only a way to pass,
and passes cancel in pairs: whoever answers a pass by a pass gets what he gets without them. So one word of cells
that matter, one bit for a pass that is left over, and two planes of points are enough, laid out as in
`small_boards.py`; move 42 is the pass.
"""

from __future__ import annotations

from typing import NamedTuple

from ludus.games.slant import rules, small_boards
from ludus.games.slant.small_boards import LARGEST, Board, board_of, touch

MOVES = 43
PASS = 42


class State(NamedTuple):
    free: int  # empty cells beside an open circle
    wants_lo: int  # touches that each open circle still wants
    wants_hi: int
    number_lo: int  # the numbers of open circles
    number_hi: int
    passes: int  # 0 or 1
    first_gain: int
    second_gain: int
    mover: int


def start(circles: object = None, m: int | None = None, seed: int = 0) -> State:
    """The same board as by the rules; boards that are too large have no such game."""
    small = reduced(rules.start(circles, 4 if m is None and circles is None else m, seed))
    if small is None:
        raise ValueError(f"m is at most {LARGEST}")
    return small


def reduced(s: rules.State | Board) -> State | None:
    """The position of this game that is worth as much as one of the rules, None if the board is too large."""
    board = board_of(s)
    if board is None:
        return None
    free, lo, hi, number_lo, number_hi, first_gain, second_gain, mover = board
    return tidy(free, lo, hi, number_lo, number_hi, 0, first_gain, second_gain, mover)


def original(s: rules.State | Board, m: int) -> int:
    """The move in the position's own game that does the same as a move of this game.

    For a pass, that is the first cell without effect.
    """
    board = board_of(s)
    assert board is not None
    if m == PASS:
        small = reduced(board)
        assert small is not None
        idle = board.free & ~small.free
        m = (idle & -idle).bit_length() - 1
    return m if isinstance(s, Board) else small_boards.original(s, m)


def tidy(
    free: int, lo: int, hi: int, number_lo: int, number_hi: int, passes: int, first: int, second: int, mover: int
) -> State:
    """The state with dead circles left out, and cells that no longer matter turned into passes."""
    a, b, c, d = free, free << 8, free << 1, free << 7  # cells to the lower right of a point, upper left, and so on
    # How many cells are left around each point, in three planes: ones, twos and fours.
    ab, cd = a ^ b, c ^ d
    ab_two, cd_two = a & b, c & d
    ones, carry = ab ^ cd, ab & cd
    twos = ab_two ^ cd_two ^ carry
    fours = ab_two & cd_two
    enough = fours | twos & (~hi | ones | ~lo) | ~hi & ones
    open_circles = (lo | hi) & enough
    lo, hi = lo & open_circles, hi & open_circles
    matters = free & (open_circles | open_circles >> 8 | open_circles >> 1 | open_circles >> 7)
    passes = passes + (free & ~matters).bit_count() & 1
    if open_circles == 0:
        passes = 0
    return State(matters, lo, hi, number_lo & open_circles, number_hi & open_circles, passes, first, second, mover)


def turn(s: State) -> int:
    return s.mover


def moves(s: State) -> int:
    return s.free | s.passes << PASS


def play(s: State, m: int) -> State:
    if m == PASS:
        return State(
            s.free, s.wants_lo, s.wants_hi, s.number_lo, s.number_hi, 0, s.first_gain, s.second_gain, 1 - s.mover
        )
    lo, hi, gain = touch(s.wants_lo, s.wants_hi, s.number_lo, s.number_hi, s.mover, m)
    first, second = s.first_gain, s.second_gain
    if s.mover == 0:
        first += gain
    else:
        second += gain
    return tidy(s.free & ~(1 << m), lo, hi, s.number_lo, s.number_hi, s.passes, first, second, 1 - s.mover)


def result(s: State) -> int | None:
    return None if s.free else s.first_gain - s.second_gain


def banked(s: State) -> int:
    return s.first_gain - s.second_gain


def core(s: State) -> State:
    return State(s.free, s.wants_lo, s.wants_hi, s.number_lo, s.number_hi, s.passes, 0, 0, s.mover)


def payoffs(s: State) -> tuple[int, int]:
    """A seat can close only circles that one of its own diagonals can still touch."""
    first, second = s.free << 1 | s.free << 7, s.free | s.free << 8
    most = (first & s.number_lo).bit_count() + 2 * (first & s.number_hi).bit_count()
    least = (second & s.number_lo).bit_count() + 2 * (second & s.number_hi).bit_count()
    lead = s.first_gain - s.second_gain
    return lead - least, lead + most


def evaluate(s: State) -> int:
    """What is banked, and what the mover could take at once."""
    ready = s.wants_lo & ~s.wants_hi
    at_once = ready & (s.free << 1 | s.free << 7 if s.mover == 0 else s.free | s.free << 8)
    gain = (at_once & s.number_lo).bit_count() + 2 * (at_once & s.number_hi).bit_count()
    lead = s.first_gain - s.second_gain
    return 1000 * lead + (700 * gain if s.mover == 0 else -700 * gain)

"""Loopless Slant for foreseeing answers: the same game with the same guesses, but in fewer words, on small boards.

Of the cells that stand beside no open circle, one stands for all.
"""

from __future__ import annotations

from ludus.games.slant import rules
from ludus.games.slant.guessing import guess
from ludus.games.slant.small_boards import LARGEST, Board, board_of, original, touch

__all__ = [
    "MOVES",
    "State",
    "banked",
    "core",
    "evaluate",
    "moves",
    "original",
    "play",
    "reduced",
    "result",
    "start",
    "turn",
    "width",
]

MOVES = 41
State = Board


def start(circles: object = None, m: int | None = None, seed: int = 0) -> State:
    """The same board as by the rules; boards that are too large have no such game."""
    told = reduced(rules.start(circles, m, seed))
    if told is None:
        raise ValueError(f"m is at most {LARGEST}")
    return told


def reduced(s: rules.State | Board) -> State | None:
    """The same position in this game, None if the board is too large."""
    return board_of(s)


def turn(s: State) -> int:
    return s.mover


def moves(s: State) -> int:
    """The cells beside an open circle, and one of the others: it is all the same which of them is filled."""
    open_circles = s.wants_lo | s.wants_hi
    idle = s.free & ~(open_circles | open_circles >> 8 | open_circles >> 1 | open_circles >> 7)
    return s.free & ~idle | idle & -idle


def width(s: State) -> int:
    """How many moves the rules have here."""
    return s.free.bit_count()


def play(s: State, m: int) -> State:
    lo, hi, gain = touch(s.wants_lo, s.wants_hi, s.number_lo, s.number_hi, s.mover, m)
    first, second = s.first_gain + gain * (1 - s.mover), s.second_gain + gain * s.mover
    return State(s.free & ~(1 << m), lo, hi, s.number_lo, s.number_hi, first, second, 1 - s.mover)


def result(s: State) -> int | None:
    return None if s.free else s.first_gain - s.second_gain


def banked(s: State) -> int:
    return s.first_gain - s.second_gain


def core(s: State) -> State:
    wanting = s.wants_lo | s.wants_hi
    return State(s.free, s.wants_lo, s.wants_hi, s.number_lo & wanting, s.number_hi & wanting, 0, 0, s.mover)


def evaluate(s: State) -> int:
    return guess(s.free, s.wants_lo, s.wants_hi, s.number_lo, s.number_hi, 0, s.first_gain, s.second_gain, s.mover)

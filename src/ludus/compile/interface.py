"""What a search may call. These are names only: `link` puts a game's own functions in their place.

A search is written once, as plain functions over these names; linked with a game it runs compiled or plain.
A set of moves is a tuple of words, a state the game's own NamedTuple, and arrays hold states as their fields.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.rules import State

Words = NDArray[np.int64]
MoveSet = tuple[int, ...]
_UNLINKED = "a search runs only when it is linked with a game"


def turn(state: State) -> int:
    """The seat to move."""
    raise NotImplementedError(_UNLINKED)


def play(state: State, move: int) -> State:
    """The position after a legal move."""
    raise NotImplementedError(_UNLINKED)


def result(state: State) -> int | None:
    """Seat 0's payoff, None while the game goes on."""
    raise NotImplementedError(_UNLINKED)


def evaluate(state: State) -> int:
    """The game's guess at seat 0's payoff in thousandths; what is banked where it has none."""
    raise NotImplementedError(_UNLINKED)


def judge(state: State, mind: Words) -> int:
    """What a search believes of seat 0's payoff in thousandths: the network in `mind`, or `evaluate` without one."""
    raise NotImplementedError(_UNLINKED)


def banked(state: State) -> int:
    """The part of seat 0's payoff that is settled, whatever happens from here on."""
    raise NotImplementedError(_UNLINKED)


def payoffs(state: State) -> tuple[int, int]:
    """No payoff from here on is below the first or above the second; huge numbers where the rules say nothing."""
    raise NotImplementedError(_UNLINKED)


def core(state: State) -> State:
    """The state without what no longer matters: its result is that of the state less `banked`."""
    raise NotImplementedError(_UNLINKED)


def moves(state: State) -> MoveSet:
    """The legal moves of a position that is not over."""
    raise NotImplementedError(_UNLINKED)


def some(move_set: MoveSet) -> bool:
    """Whether the set holds any move."""
    raise NotImplementedError(_UNLINKED)


def count(move_set: MoveSet) -> int:
    """How many moves the set holds."""
    raise NotImplementedError(_UNLINKED)


def first(move_set: MoveSet) -> int:
    """The smallest move of a set that is not empty."""
    raise NotImplementedError(_UNLINKED)


def without_first(move_set: MoveSet) -> MoveSet:
    """The set less its smallest move."""
    raise NotImplementedError(_UNLINKED)


def has(move_set: MoveSet, move: int) -> bool:
    """Whether the set holds the move."""
    raise NotImplementedError(_UNLINKED)


def without(move_set: MoveSet, move: int) -> MoveSet:
    """The set less one move that it holds."""
    raise NotImplementedError(_UNLINKED)


def pick(move_set: MoveSet, k: int) -> int:
    """The k-th move of the set, counting from 0."""
    raise NotImplementedError(_UNLINKED)


def load(array: Words, offset: int) -> State:
    """The state whose fields stand in the array from the offset on."""
    raise NotImplementedError(_UNLINKED)


def store(array: Words, offset: int, state: State) -> None:
    """Write the fields of a state into the array from the offset on."""
    raise NotImplementedError(_UNLINKED)


def store_words(array: Words, offset: int, move_set: MoveSet) -> None:
    """Write the words of a set of moves into the array from the offset on."""
    raise NotImplementedError(_UNLINKED)


def note(array: Words, offset: int, state: State) -> None:
    """Write what a network sees of a position into the array from the offset on, the seats not yet traded."""
    raise NotImplementedError(_UNLINKED)


NAMES: dict[Any, str] = {
    function: function.__name__
    for function in (
        turn, play, result, evaluate, judge, banked, payoffs, core, moves, some, count, first, without_first, has,
        without, pick, load, store, store_words, note,
    )
}  # fmt: skip

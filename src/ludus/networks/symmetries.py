"""The symmetries that a game names: where the inputs of a network and the phases go when the board is turned."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ludus.compile.judging import Shape
from ludus.errors import RulesError
from ludus.networks.inputs import bits_of, phases_of, words_of
from ludus.rules import Game, State, random_line

GAMES = 1000  # random ones whose positions show where each bit goes
OFTEN = 10  # positions in which a bit is on show enough of it
LONGEST_GAME = 500
SEED = 2


class Turn(NamedTuple):
    """One symmetry: the input that each input becomes, and the phase that each phase becomes."""

    inputs: NDArray[np.int64]
    phases: NDArray[np.int64]


def no_turn(shape: Shape) -> Turn:
    return Turn(np.arange(shape.rows), np.arange(shape.phases))


def turns_of(game: Game, shape: Shape) -> list[Turn]:
    """All symmetries of a game, a turned position being the same bits in other places.

    A game names them by `symmetries(s)`: the positions that differ by a turn or a mirror only, in one order.
    """
    symmetries = cast("Callable[[State], tuple[State, ...]] | None", game.part("symmetries", file="learning.py"))
    if symmetries is None:
        return []
    states = _telling(game, shape)
    turned = [symmetries(state) for state in states]
    before = _columns(game, shape, states)
    places: dict[bytes, list[int]] = {}
    for k, column in enumerate(before):
        places.setdefault(column, []).append(k)
    each = [[one[k] for one in turned] for k in range(len(turned[0]))]
    return [
        Turn(np.argsort(_order(game, places, _columns(game, shape, after), k)), _phases(game, shape, states, after, k))
        for k, after in enumerate(each)
    ]


def _telling(game: Game, shape: Shape) -> list[State]:
    """Positions of random games that show each input and each phase some times: turning a position takes long."""
    random, states = Random(SEED), []
    shown = np.zeros(shape.rows + shape.phases, np.int64)
    for _ in range(GAMES):
        line = [
            state
            for state in random_line(game, game.start(), random, LONGEST_GAME).states
            if game.result(state) is None
        ]
        phases = np.array([0 if game.phase is None else game.phase(state) for state in line])
        is_on = np.column_stack([_inputs(game, shape, line), phases[:, None] == np.arange(shape.phases)])
        for state, on in zip(line, is_on.astype(bool), strict=True):
            if (shown[on] < OFTEN).any():
                states.append(state)
                shown += on
    return states


def _phases(game: Game, shape: Shape, before: list[State], after: list[State], number: int) -> NDArray[np.int64]:
    """The phase that each phase becomes; one that no position showed stays what it is."""
    phases_of(game, after)
    becomes: dict[int, int] = {}
    if game.phase is not None:
        for state, turned in zip(before, after, strict=True):
            phase, then = game.phase(state), game.phase(turned)
            if becomes.setdefault(phase, then) != then:
                sentence = f"positions of phase {phase}, turned by symmetries(s)[{number}], differ in phase"
                raise RulesError(sentence, path=game.path)
    return np.array([becomes.get(k, k) for k in range(shape.phases)], np.int64)


def _columns(game: Game, shape: Shape, states: list[State]) -> list[bytes]:
    """Each input over all of the positions."""
    return [column.tobytes() for column in _inputs(game, shape, states).T]


def _inputs(game: Game, shape: Shape, states: list[State]) -> NDArray[np.uint8]:
    words = np.array([words_of(game, state) for state in states], np.int64)
    movers = np.array([game.turn(state) for state in states], np.int64)
    return bits_of(shape, words, movers)


def _order(game: Game, places: dict[bytes, list[int]], columns: list[bytes], number: int) -> NDArray[np.int64]:
    """Which input of a position stands in the place of each input of the turned one."""
    free = {column: list(reversed(where)) for column, where in places.items()}
    order = []
    for column in columns:
        if not free.get(column):
            sentence = f"symmetries(s)[{number}] is not the same bits of a position in other places"
            raise RulesError(sentence, path=game.path)
        order.append(free[column].pop())
    return np.array(order, np.int64)

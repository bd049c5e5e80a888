"""How deep plain minimax comes in the time it has: an opponent who is short of time answers less deep."""

from __future__ import annotations

import time
from typing import cast

from ludus.rules import Game, State
from ludus.search.minimax import MoveValues
from ludus.search.smaller import ANSWERING

MEASURED_DEPTH, MEASURED_S = 3, 0.02
SLOWER, FASTER = 0.8, 1.2  # than measured an opponent may be, on a machine that has other work


class Pace:
    """Positions a second of plain minimax by the rules of a game, between two bounds; measured on this machine."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.measured = _positions_a_second(game)
        self.seconds: float | None = None
        self.nodes: int | None = None
        self.forget()

    def forget(self) -> None:
        """Nothing was seen of an opponent yet; the limits stay."""
        self.slowest, self.fastest = SLOWER * self.measured, FASTER * self.measured
        self.known: dict[tuple[int, int], tuple[int, ...]] = {}

    def limit(self, *, seconds: float | None, nodes: int | None) -> None:
        """From now on, the opponent has so much for a move."""
        self.seconds, self.nodes = seconds, nodes
        self.known = {}

    def depths(self, game: Game, state: State, depth: int) -> tuple[int, ...]:
        """The depths that may be the last ones finished before the limits, up to `depth`, the greatest first.

        The position may be told as in another game of the same moves; those with as many moves are taken for alike.
        """
        if self.seconds is None and self.nodes is None:
            return (depth,)
        width = width_of(game, state)
        found = self.known.get((width, depth))
        if found is None:
            found = self.known[width, depth] = self._depths(game, state, depth)
        return found

    def _depths(self, game: Game, state: State, depth: int) -> tuple[int, ...]:
        least, most = self._positions(self.slowest), self._positions(self.fastest)
        surely = perhaps = 1
        for ahead, cost in enumerate(costs(game, state, depth), 1):
            surely = ahead if cost <= least else surely
            perhaps = ahead if cost <= most else perhaps
        return tuple(range(perhaps, surely - 1, -1))

    def saw(self, state: State, depth: int, *, is_finished: bool) -> None:
        """An answer was seen that shows whether this depth was finished in time."""
        if not self.seconds:
            return
        pace = costs(self.game, state, depth)[-1] / self.seconds
        if is_finished:
            self.slowest, self.fastest = max(self.slowest, pace), max(self.fastest, pace)
        else:
            self.slowest, self.fastest = min(self.slowest, pace), min(self.fastest, pace)
        self.known = {}

    def _positions(self, pace: float) -> float:
        by_time = float("inf") if self.seconds is None else pace * self.seconds
        return by_time if self.nodes is None else min(by_time, self.nodes)


def costs(game: Game, state: State, depth: int) -> list[int]:
    """About how many positions are looked at until each depth is finished: as if all lines were alike."""
    total, level, tree, found = 0, 1, 0, list[int]()
    for _ in range(depth):
        if game.result(state) is None:
            level *= width_of(game, state)
            tree += level
            state = game.play(state, game.legal(state)[0])
        total += tree
        found.append(total)
    return found


def width_of(game: Game, state: State) -> int:
    """How many moves the rules have; a game that is told in fewer words may leave out some that are like others."""
    told = getattr(game.module, "width", None) if game.path.name == ANSWERING else None
    return sum(word.bit_count() for word in game.words(state)) if told is None else cast(int, told(state))


def _positions_a_second(game: Game) -> float:
    """The best of some rounds: what slows down a machine now and then is no part of it."""
    values, state, best = MoveValues(game), game.start(), 0.0
    values.of(state, 1)  # compiles
    end = time.perf_counter() + MEASURED_S
    while best == 0.0 or time.perf_counter() < end:
        values.begin()
        values.limit(nodes=100_000, deadline=time.monotonic_ns() + int(MEASURED_S * 1e9))
        begin = time.perf_counter()
        values.of(state, MEASURED_DEPTH)
        best = max(best, values.nodes / (time.perf_counter() - begin))
    return best

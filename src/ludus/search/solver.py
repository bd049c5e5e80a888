"""The exact solver: the value of a position under perfect play, every best move, and a line of best play.

It asks whether the first seat gets at least so much, of the position and then of every move, until only one answer is
left. Games of few payoffs are asked by proof numbers, margins by alpha-beta with a window of zero width. A game may
have a smaller game of the same worth in `solving.py` beside its rules; then that one is searched.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cache
from queue import SimpleQueue
from typing import Any, NamedTuple

import numpy as np

from ludus.compile.interface import Words
from ludus.compile.link import link
from ludus.loading import load_file
from ludus.rules import Game, State
from ludus.search import proof, proof_numbers

FOREVER = np.iinfo(np.int64).max
HUGE = 1 << 40
FEW_PAYOFFS = 6  # the spread up to which proof numbers ask
LOOK_S = 0.1  # between two reports of progress
LINE_BUDGETS = (1_000, 30_000, 1_000_000)  # nodes to find a move of the line, first for all moves, then for all again
LONGEST_LINE = 400


class Bounds(NamedTuple):
    """What is proven of seat 0's payoff; huge numbers where nothing is."""

    least: int
    most: int

    def within(self, other: Bounds) -> Bounds:
        return Bounds(max(self.least, other.least), min(self.most, other.most))

    @property
    def is_exact(self) -> bool:
        return self.least == self.most

    def settles(self, claim: int) -> bool:
        """Whether it is known if the payoff is at least that much."""
        return self.least >= claim or self.most < claim


@dataclass(frozen=True)
class Progress:
    """How far a solver has come."""

    nodes: int
    bounds: Bounds
    decided: int  # moves known to be best or not
    moves: int


@dataclass(frozen=True)
class Solution:
    """What is proven of a position. Exact, its bounds are one number and no move is undecided."""

    bounds: Bounds
    best: tuple[int, ...]  # the moves that are proven to be best, in rising order
    undecided: tuple[int, ...]
    line: tuple[int, ...]  # best play to the end, or as far as it was cheap to find
    nodes: int
    seconds: float
    limit: str  # what made it stop before the end: "nodes", "seconds", "depth", "stop"; else empty

    @property
    def value(self) -> int | None:
        """Seat 0's payoff under perfect play, None if it was not found."""
        return self.bounds.least if self.bounds.is_exact else None

    @property
    def is_exact(self) -> bool:
        return self.bounds.is_exact and not self.undecided


class Room(NamedTuple):
    """What one thread works in: history, room for sorting, its orders, its counts."""

    memory: Words
    order: Words
    control: Words
    counts: Words


class GaveUpError(Exception):
    """A limit was reached before the answer; caught inside the solver."""


@cache
def smaller_game(game: Game) -> Game | None:
    """The game of the same worth in `solving.py` beside the rules, where there is one."""
    file = game.path.with_name("solving.py")
    if game.path.name != "rules.py" or not file.is_file():
        return None
    own = game.module.__name__
    name = f"{own.rpartition('.')[0]}.solving" if own.startswith("ludus.") else None
    module = load_file(file, name=name)
    return Game(game.name, module, file) if hasattr(module, "reduced") else None


class Solver:
    """A solver of one game. What it has proven stays in its table and helps with later positions."""

    def __init__(self, game: Game, *, megabytes: int = 512, threads: int = 1, compiled: bool | None = None) -> None:
        self.game, self.compiled = game, compiled
        self.table = proof.new_proofs(megabytes)
        self.threads = threads
        self.is_stopped = False
        self.rooms: list[Room] = []
        self.spent = 0  # nodes of the searches before, in rooms that are gone

    def forget(self) -> None:
        """Empty the table."""
        self.table[:] = 0

    def stop(self) -> None:
        """Make a `solve` that runs in another thread come to its end."""
        self.is_stopped = True
        for room in self.rooms:
            room.control[proof.STOP] = 1

    def solve(
        self,
        state: State,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        needs_all_moves: bool = True,
        on_progress: Callable[[Progress], None] = lambda progress: None,
    ) -> Solution:
        """All that can be proven within the limits; with one thread, the same nodes give the same answer.

        Unless all moves are needed, it stops at the value and the first best move.
        """
        begin = time.perf_counter()
        self._set_out(state, nodes, seconds, on_progress)
        payoff = self.game.result(state)
        if payoff is not None:
            return Solution(Bounds(payoff, payoff), (), (), (), 0, time.perf_counter() - begin, "")
        self.undecided = self.game.legal(state)
        self.moves, self.best = len(self.undecided), list[int]()
        line: tuple[int, ...] = ()
        with ThreadPoolExecutor(self.threads) as self.pool:
            try:
                self._find_value(state)
                self._find_moves(state, needs_all_moves)
                line = tuple(self._line(state)) if needs_all_moves else tuple(self.best[:1])
            except GaveUpError:
                pass
        return Solution(
            self.bounds,
            tuple(sorted(self.best)),
            tuple(self.undecided) if needs_all_moves or not self.best else (),
            line,
            self._nodes(),
            time.perf_counter() - begin,
            self.limit,
        )

    def _set_out(
        self, state: State, nodes: int | None, seconds: float | None, on_progress: Callable[[Progress], None]
    ) -> None:
        self.nodes_a_thread = FOREVER if nodes is None else max(1, nodes // self.threads)
        self.deadline = FOREVER if seconds is None else time.monotonic_ns() + int(seconds * 1e9)
        self.limit, self.is_stopped, self.on_progress = "", False, on_progress
        small = smaller_game(self.game)
        self.searched = small if small is not None and small.module.reduced(state) is not None else self.game
        self.bounds = self._declared(state)
        has_few = self.bounds.most - self.bounds.least <= FEW_PAYOFFS
        entry = proof_numbers.ask_numbers if has_few else proof.ask
        self.entry = link(self.searched, entry, compiled=self.compiled)
        limit = self.searched.move_limit
        self.rooms = [_new_room(limit, self.nodes_a_thread, self.deadline) for _ in range(self.threads)]
        self.idle: SimpleQueue[Room] = SimpleQueue()
        for room in self.rooms:
            self.idle.put(room)

    def _declared(self, state: State) -> Bounds:
        """The bounds that the rules themselves give."""
        payoff = self.game.result(state)
        if payoff is not None:
            return Bounds(payoff, payoff)
        small = self._reduced(state)
        payoff = self.searched.result(small)
        if payoff is not None:
            return Bounds(payoff, payoff)
        declared = getattr(self.searched.module, "payoffs", None)
        return Bounds(-HUGE, HUGE) if declared is None else Bounds(*declared(small))

    def _reduced(self, state: State) -> State:
        return state if self.searched is self.game else self.searched.module.reduced(state)

    def _nodes(self) -> int:
        return sum(int(room.counts[proof.NODES]) for room in self.rooms)

    def _find_value(self, state: State) -> None:
        """Narrow the bounds to one number, with as many claims at a time as there are threads."""
        guess = self.game.evaluate(state) // 1000
        while not self.bounds.is_exact:
            near = sorted(range(guess - self.threads, guess + self.threads + 1), key=lambda c: (abs(2 * c - 2 * guess - 1), c))
            low, high = self.bounds.least + 1, self.bounds.most
            claims = [c for c in near if low <= c <= high] or ([low] if guess < low else [high])
            asked = {self.pool.submit(self._ask, state, c): c for c in claims[: self.threads]}
            for future in self._finished(asked):
                self.bounds = self.bounds.within(future.result())
                self._drop([c for f, c in asked.items() if not f.done()])
            before, guess = guess, min(max(guess, self.bounds.least), self.bounds.most)
            if self.limit and guess == before:
                raise GaveUpError

    def _finished(self, futures: dict[Future[Any], Any]) -> Iterator[Future[Any]]:
        """The futures as they end, with reports of progress in between."""
        left = set(futures)
        while left:
            done, left = wait(left, timeout=LOOK_S, return_when=FIRST_COMPLETED)
            yield from done
            self.on_progress(Progress(self._nodes(), self.bounds, self.moves - len(self.undecided), self.moves))

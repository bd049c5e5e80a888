"""The exact solver: the value of a position under perfect play, every best move, and a best line."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from ludus.rules import Game, State
from ludus.search import alphabeta as ab
from ludus.search.deepening import FOREVER, AlphaBeta
from ludus.search.finding import SCALE, Finding


@dataclass(frozen=True)
class Solution:
    """What perfect play gives; `value` is None when the limits were too tight to find out."""

    value: int | None  # seat 0's payoff
    best: tuple[int, ...]  # every move that keeps it
    line: tuple[int, ...]  # one line of best play, to the end of the game
    nodes: int
    seconds: float


class GaveUpError(Exception):
    """A limit was reached before the answer."""


def solve(
    game: Game,
    state: State,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    megabytes: int = 256,
    threads: int = 1,
    compiled: bool | None = None,
    on_progress: Callable[[Finding], None] = lambda finding: None,
) -> Solution:
    """Solve a position, or say with a value of None that the limits of nodes or seconds were reached."""
    begin = time.perf_counter()
    payoff = game.result(state)
    if payoff is not None:
        return Solution(payoff, (), (), 0, 0.0)
    searcher = AlphaBeta(game, megabytes=megabytes, threads=threads, compiled=compiled)
    work = _Work(game, searcher, FOREVER if nodes is None else nodes, begin, seconds, on_progress)
    try:
        score = work.exact(state).score
        best = tuple(move for move in game.legal(state) if work.is_best(state, move, score))
        line = work.line(state, best[0])
        return Solution(score // SCALE, best, line, work.nodes, time.perf_counter() - begin)
    except GaveUpError:
        return Solution(None, (), (), work.nodes, time.perf_counter() - begin)


class _Work:
    """The limits of one problem, shared by the searches that it takes."""

    def __init__(
        self,
        game: Game,
        searcher: AlphaBeta,
        node_limit: int,
        begin: float,
        seconds: float | None,
        on_progress: Callable[[Finding], None],
    ) -> None:
        self.game, self.searcher, self.nodes, self.node_limit = game, searcher, 0, node_limit
        self.end = None if seconds is None else begin + seconds
        self.on_progress = on_progress

    def exact(self, state: State) -> Finding:
        """A proven finding for a position that is not over."""
        left = None if self.end is None else self.end - time.perf_counter()
        if self.nodes >= self.node_limit or (left is not None and left <= 0):
            raise GaveUpError
        found = self.searcher.search(
            state, nodes=self.node_limit - self.nodes, seconds=left, on_progress=self.on_progress
        )
        self.nodes += int(sum(room.counts[ab.NODES] for room in self.searcher.rooms))
        if not found.is_exact:
            raise GaveUpError
        return found

    def is_best(self, state: State, move: int, score: int) -> bool:
        """Whether a move keeps the proven score: asked of the child, as a yes or no."""
        child = self.game.play(state, move)
        payoff = self.game.result(child)
        if payoff is not None:
            return payoff * SCALE == score
        return self.exact(child).score == score

    def line(self, state: State, move: int) -> tuple[int, ...]:
        moves = [move]
        state = self.game.play(state, move)
        while self.game.result(state) is None:
            moves.append(self.exact(state).move)
            state = self.game.play(state, moves[-1])
        return tuple(moves)


def warm(game: Game) -> None:
    """Compile the search for this game, or load it from the cache."""
    AlphaBeta(game, megabytes=1).search(game.start(), depth=1)

"""The agent that plays solved positions perfectly, and the others as well as alpha-beta does."""

from __future__ import annotations

import time as clock
from dataclasses import replace

from ludus.agents.agent import Budget
from ludus.rules import Game, State
from ludus.search import deepening, solver
from ludus.search.finding import SCALE, Finding
from ludus.search.smaller import SmallerAlphaBeta

SHARE = 0.5  # of the budget for a proof, the rest for a search with guesses should there be none
BUILDING_SHARE = 0.8  # the same where a table is built: what that takes is known beforehand


class SolverAgent:
    """Perfect where the position can be solved within the budget; a Finding that is not exact says that it was not."""

    def __init__(
        self,
        *,
        game: Game,
        name: str,
        seed: int = 0,  # nothing in it is random
        time: float | None = None,
        nodes: int | None = None,
        threads: int = 1,
        mb: int = 256,
    ) -> None:
        self.game, self.name = game, name
        self.limits = Budget(time, nodes)
        solver.warm(game)
        deepening.warm(game)
        self.solver = solver.Solver(game, megabytes=mb, threads=threads)
        self.solver.forget()
        self.searcher = deepening.AlphaBeta(game, megabytes=min(mb, 64), threads=threads)
        self.fallback = SmallerAlphaBeta(self.searcher, megabytes=min(mb, 64), threads=threads)
        self.fallback.get_ready()
        self.share = SHARE if self.solver.tabled is None else BUILDING_SHARE

    def choose(self, state: State, budget: Budget = Budget()) -> Finding:  # noqa: B008
        begin = clock.perf_counter()
        limits = budget.within(self.limits).for_moves(len(self.game.legal(state))).or_default()
        seconds, nodes = limits.thinking_seconds, limits.nodes
        found = self.solver.solve(
            state,
            seconds=None if seconds is None else self.share * seconds,
            nodes=None if nodes is None else int(self.share * nodes),
            needs_all_moves=False,
            in_parts=True,
        )
        if found.value is not None and found.best:
            line = found.line or found.best[:1]
            spent = clock.perf_counter() - begin
            return Finding(line[0], SCALE * found.value, True, line, len(line), found.nodes, spent)
        if found.limit == "stop":
            return self.fallback.search(state, seconds=0.0)
        left = None if seconds is None else max(0.0, seconds - (clock.perf_counter() - begin))
        guess = self.fallback.search(state, seconds=left, nodes=None if nodes is None else max(1, nodes - found.nodes))
        return replace(guess, nodes=found.nodes + guess.nodes, seconds=clock.perf_counter() - begin)

    def forget(self) -> None:
        self.solver.forget()
        self.fallback.forget()

    def stop(self) -> None:
        self.solver.stop()
        self.fallback.stop()

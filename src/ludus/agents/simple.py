"""Agents without a search to speak of: a random one, a greedy one, and plain minimax."""

from __future__ import annotations

import time
from random import Random

from ludus.agents.agent import Budget
from ludus.rules import Game, State
from ludus.search.finding import Finding, require_a_move
from ludus.search.minimax import MoveValues
from ludus.search.seeds import seed_of
from ludus.search.stopping import FOREVER, deadline_in


class SimpleAgent:
    """What the simple agents share: a seed, moves in which it breaks ties, and nothing worth remembering."""

    def __init__(self, *, game: Game, name: str, seed: int = 0) -> None:
        self.game, self.name, self.seed = game, name, seed
        self.forget()

    def forget(self) -> None:
        self.rng = Random(seed_of(self.seed, 0))

    def reseed(self, seed: int) -> None:
        """Draw from other random numbers from the next game on."""
        self.seed = seed

    def stop(self) -> None:
        pass


class RandomAgent(SimpleAgent):
    """Any legal move, each as likely."""

    def choose(self, state: State, budget: Budget = Budget()) -> Finding:  # noqa: B008
        require_a_move(self.game, state)
        move = self.rng.choice(self.game.legal(state))
        return Finding(move, self.game.evaluate(state), False, (move,), 0, 1, 0.0)


class MinimaxAgent(SimpleAgent):
    """Plain minimax to a fixed depth, or as deep as its budget lasts: no pruning, no table. The seed breaks ties."""

    def __init__(self, *, game: Game, name: str, seed: int = 0, depth: int = 4) -> None:
        if not 1 <= depth <= 64:
            raise ValueError(f"depth is {depth}; a number from 1 to 64 was expected")
        super().__init__(game=game, name=name, seed=seed)
        self.depth = depth
        self.values = MoveValues(game)
        self.values.of(game.start(), 1)  # compiles

    def choose(self, state: State, budget: Budget = Budget()) -> Finding:  # noqa: B008
        """The first ply is always looked at."""
        require_a_move(self.game, state)
        begin = time.perf_counter()
        values, finished = self._deepen(state, budget)
        best = max(values.values()) if self.game.turn(state) == 0 else min(values.values())
        move = self.rng.choice([move for move, value in values.items() if value == best])
        return Finding(move, best, False, (move,), finished, self.values.nodes, time.perf_counter() - begin)

    def stop(self) -> None:
        self.values.stop()

    def _deepen(self, state: State, budget: Budget) -> tuple[dict[int, int], int]:
        """The values at the greatest depth that the budget lasts for, and that depth."""
        nodes, deadline = FOREVER if budget.nodes is None else budget.nodes, deadline_in(budget.thinking_seconds)
        self.values.begin()
        values = self.values.of(state, 1)
        self.values.limit(nodes=nodes, deadline=deadline)
        for depth in range(2, self.depth + 1):
            fresh = self.values.of(state, depth)
            if self.values.had_to_end:
                return values, depth - 1
            values = fresh
        return values, self.depth


class GreedyAgent(MinimaxAgent):
    """The move after which the game looks best: minimax of depth 1."""

    def __init__(self, *, game: Game, name: str, seed: int = 0) -> None:
        super().__init__(game=game, name=name, seed=seed, depth=1)

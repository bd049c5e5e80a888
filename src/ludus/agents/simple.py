"""Agents without a search to speak of: a random one, a greedy one, and plain minimax."""

from __future__ import annotations

import time
from random import Random

import numpy as np

from ludus.agents.agent import Budget
from ludus.compile.link import link
from ludus.rules import Game, State
from ludus.search.finding import Finding, require_a_move
from ludus.search.minimax import children_values
from ludus.search.seeds import seed_of


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
    """Plain minimax to a fixed depth: no pruning, no table, no clock. Ties are broken by the seed."""

    def __init__(self, *, game: Game, name: str, seed: int = 0, depth: int = 4) -> None:
        if not 1 <= depth <= 64:
            raise ValueError(f"depth is {depth}; a number from 1 to 64 was expected")
        super().__init__(game=game, name=name, seed=seed)
        self.depth = depth
        self.values_of = link(game, children_values)
        self._values(game.start(), 1)

    def choose(self, state: State, budget: Budget = Budget()) -> Finding:  # noqa: B008
        require_a_move(self.game, state)
        begin = time.perf_counter()
        values, nodes = self._values(state, self.depth)
        best = max(values.values()) if self.game.turn(state) == 0 else min(values.values())
        move = self.rng.choice([move for move, value in values.items() if value == best])
        return Finding(move, best, False, (move,), self.depth, nodes, time.perf_counter() - begin)

    def _values(self, state: State, depth: int) -> tuple[dict[int, int], int]:
        legal = self.game.legal(state)
        values, nodes = np.zeros(self.game.move_limit, np.int64), np.zeros(1, np.int64)
        self.values_of(np.array(state, np.int64), depth, values, nodes)
        return {move: int(values[move]) for move in legal}, int(nodes[0])


class GreedyAgent(MinimaxAgent):
    """The move after which the game looks best: minimax of depth 1."""

    def __init__(self, *, game: Game, name: str, seed: int = 0) -> None:
        super().__init__(game=game, name=name, seed=seed, depth=1)

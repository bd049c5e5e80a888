"""Opponents for people: ten levels, from one that mostly moves at random to the strongest we have."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, NamedTuple

from ludus.agents import naming
from ludus.agents.agent import Budget
from ludus.agents.best import best_name
from ludus.rules import Game, State
from ludus.search.finding import Finding, require_a_move
from ludus.search.seeds import seed_of

if TYPE_CHECKING:
    from ludus.agents.agent import Agent


class Level(NamedTuple):
    """How often a move is made without looking, and the nodes of a look at the others (None: all the time there is)."""

    carelessness: float
    nodes: int | None


# Each level should take well over half of the points from the one before: benchmarks/levels.py measures it. Where
# starts are decided (`slant`), thinking more wins little: there it is the careless moves that tell levels apart.
LEVELS = (
    Level(0.90, 1),
    Level(0.65, 1),
    Level(0.46, 1),
    Level(0.32, 40),
    Level(0.20, 120),
    Level(0.13, 600),
    Level(0.08, 4_000),
    Level(0.045, 30_000),
    Level(0.01, 300_000),
    Level(0.00, None),
)


def level_agent(*, game: Game, name: str, seed: int = 0, number: int) -> Agent:
    """The agent of a level from 1 to 10."""
    if not 1 <= number <= len(LEVELS):
        raise ValueError(f"the level is {number}; a number from 1 to {len(LEVELS)} was expected")
    return LevelAgent(game, name, seed, LEVELS[number - 1])


class LevelAgent:
    """A search kept small, and now and then a move that nobody thought about."""

    def __init__(self, game: Game, name: str, seed: int, level: Level) -> None:
        self.game, self.name, self.seed, self.level = game, name, seed, level
        small = "alphabeta:mb=16" if game.guess or hasattr(game.module, "banked") else "mcts:mb=16"
        self.thinker = naming.make_agent(game, best_name(game) if level.nodes is None else small, seed=seed)
        self.rng = Random(seed_of(seed, 1))

    def choose(self, state: State, budget: Budget = Budget()) -> Finding:  # noqa: B008
        require_a_move(self.game, state)
        if self.rng.random() < self.level.carelessness:
            move = self.rng.choice(self.game.legal(state))
            return Finding(move, self.game.evaluate(state), False, (move,), 0, 1, 0.0)
        return self.thinker.choose(state, budget.within(Budget(nodes=self.level.nodes)))

    def forget(self) -> None:
        self.rng = Random(seed_of(self.seed, 1))
        self.thinker.forget()

    def see_start(self, start: State) -> None:
        """Show whoever thinks where the game begins."""
        if see := getattr(self.thinker, "see_start", None):
            see(start)

    def reseed(self, seed: int) -> None:
        """Draw from other random numbers from the next game on."""
        self.seed = seed
        if again := getattr(self.thinker, "reseed", None):
            again(seed)

    def stop(self) -> None:
        self.thinker.stop()

"""What an agent is: something that chooses a move within a budget, and says what it found."""

from __future__ import annotations

import gc
from typing import NamedTuple, Protocol, TypeVar

from ludus.rules import State
from ludus.search.finding import Finding

Number = TypeVar("Number", int, float)

DEFAULT_SECONDS = 1.0  # for a move, where nobody says anything
# Between the end of a search and the answer lie Python, the threads' return and the scheduler's whims.
MARGIN_S, MARGIN_SHARE = 0.002, 0.01
WARMING_NODES, WARMING_S = 64, 0.05
ONLY_MOVE_NODES = 10_000  # spent on a move that has no alternative


class Budget(NamedTuple):
    """What one move may cost; None is no limit of that kind. Nodes are positions, or iterations of MCTS."""

    seconds: float | None = None
    nodes: int | None = None

    def within(self, other: Budget) -> Budget:
        """The tighter limit of both, of each kind."""
        return Budget(_least(self.seconds, other.seconds), _least(self.nodes, other.nodes))

    def for_moves(self, legal: int) -> Budget:
        """What is worth spending on so many legal moves: where there is no choice, only enough to say a score."""
        return self if legal > 1 else self.within(Budget(nodes=ONLY_MOVE_NODES))

    def or_default(self) -> Budget:
        """The same, or a second where there is no limit at all."""
        return self if self != Budget() else Budget(seconds=DEFAULT_SECONDS)

    @property
    def thinking_seconds(self) -> float | None:
        """When the search has to stop, so that the answer is there before the limit."""
        if self.seconds is None:
            return None
        return max(0.0, self.seconds - MARGIN_S - min(MARGIN_SHARE * self.seconds, 0.05))


def _least(one: Number | None, other: Number | None) -> Number | None:
    return other if one is None else one if other is None else min(one, other)


class Agent(Protocol):
    """A player of one game. It may remember what it thought about; the same seed and nodes give the same moves."""

    name: str  # what it was called by, options and all

    def choose(self, state: State, budget: Budget = Budget()) -> Finding:  # noqa: B008  # a NamedTuple cannot change
        """A legal move of a position that is not over, within the budget and the agent's own limits."""

    def forget(self) -> None:
        """Begin a new game: what is thought from now on depends on nothing before."""

    def stop(self) -> None:
        """Make a `choose` that runs in another thread come to its end."""


def begin_game(agent: Agent, start: State) -> None:
    """Have an agent forget what was before, and show it the start, where it wants to see that.

    Who moves second learns something from the opponent's first move only so.
    """
    agent.forget()
    if see_start := getattr(agent, "see_start", None):
        see_start(start)


def warm_up(agent: Agent, state: State) -> None:
    """Let an agent choose twice, so that whatever it loads or makes at its first moves is there before they count.

    For processes that do nothing but play: what is in memory by then stays there, and is no longer looked through for
    garbage, which with a compiler in it takes 20 ms and more in the middle of a move.
    """
    for _ in range(2):
        agent.choose(state, Budget(seconds=WARMING_S, nodes=WARMING_NODES))
    agent.forget()
    gc.collect()
    gc.freeze()

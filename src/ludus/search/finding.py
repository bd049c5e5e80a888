"""What a search found, in the same words for every search."""

from __future__ import annotations

from dataclasses import dataclass, field

from ludus.errors import PositionError
from ludus.rules import Game, State

SCALE = 1000  # scores are payoffs in thousandths, so that guesses may lie between payoffs


@dataclass(frozen=True)
class Finding:
    """The best move of a position, what it is worth, and what it took to find out."""

    move: int
    score: int  # seat 0's payoff in thousandths: under perfect play if exact, else expected
    is_exact: bool
    line: tuple[int, ...]  # best play as far as it is known; it begins with the move
    depth: int  # plies of the last finished iteration, or of the deepest leaf of a tree
    nodes: int
    seconds: float
    counts: dict[str, int] = field(default_factory=dict)  # what else was counted, such as table hits

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / self.seconds if self.seconds > 0 else 0.0


def require_a_move(game: Game, state: State) -> None:
    """Raise a PositionError where there is no move to find."""
    if game.result(state) is not None:
        raise PositionError("the game is over: there is no move to find")
    if not game.legal(state):
        raise PositionError("the game is not over, but the rules leave no move to find")

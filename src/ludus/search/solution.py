"""What an exact solver has found, and how far it has come."""

from __future__ import annotations

from dataclasses import dataclass

from ludus.search.questions import Bounds


@dataclass(frozen=True)
class Progress:
    """How far a solver has come."""

    nodes: int
    bounds: Bounds
    decided: int  # moves known to be best or not
    moves: int
    built: float | None = None  # how much there is of a table of all positions, where that does the work

    @property
    def share(self) -> float:
        """About how much of the work is done, from 0 to 1."""
        return self.decided / self.moves if self.built is None else self.built

    @property
    def doing(self) -> str:
        """What was done so far, in words."""
        if self.built is not None:
            return f"{self.built:.0%} of the table built"
        return f"{self.decided} of {self.moves} moves decided"


@dataclass(frozen=True)
class Solution:
    """What is proven of a position. Exact, its bounds are one number and no move is undecided."""

    bounds: Bounds
    best: tuple[int, ...]  # the moves that are proven to be best, in rising order
    undecided: tuple[int, ...]
    line: tuple[int, ...]  # best play to the end, or as far as it was cheap to find
    nodes: int
    seconds: float
    limit: str  # what made it stop before the end: "nodes", "seconds", "memory", "depth", "numbers", "stop"; or ""

    @property
    def value(self) -> int | None:
        """Seat 0's payoff under perfect play, None if it was not found."""
        return self.bounds.least if self.bounds.is_exact else None

    @property
    def is_exact(self) -> bool:
        return self.bounds.is_exact and not self.undecided

"""What a position of subtraction is worth before the table of all positions fits, and who plays it best."""

from __future__ import annotations

from ludus.games.subtraction.rules import State

BEST = "solver:mb=1600"


def evaluate(s: State) -> int:
    return 1000 * (s.second_cost - s.first_cost)

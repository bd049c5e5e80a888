"""What a position of subtraction is worth before the table of all positions fits, and who plays it best.

Away from the end, the mover's exact lead is 0 or -1 in 96 of 100 positions, and taking 1 is a best move in 98. So the
costs paid so far say nearly all; the weight is fitted by `benchmarks/tuning/subtraction.py`.
"""

from __future__ import annotations

from ludus.games.subtraction.rules import State

BEST = "solver:mb=1600"  # exact from the first move of nearly every board of 50 to 99, given ten seconds
TO_MOVE = -386  # thousandths


def evaluate(s: State) -> int:
    return 1000 * (s.second_cost - s.first_cost) + (TO_MOVE if s.mover == 0 else -TO_MOVE)

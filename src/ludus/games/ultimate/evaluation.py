"""What a position of Ultimate Tic-Tac-Toe is worth, by tables fitted to games (`benchmarks/tuning/nine.py`)."""

from __future__ import annotations

from pathlib import Path

from ludus.games.nested.nine import State
from ludus.games.nested.nine_evaluation import (
    BLOCK_STATES,
    LINE_STATES,
    block_at,
    logit,
    payoff_curve,
    payoff_of,
    read_weights,
)

BLOCKS, LINES, TARGETS, (FREE,) = read_weights(
    Path(__file__).with_name("weights.bin"), 3 * BLOCK_STATES, 3 * LINE_STATES, 3 * BLOCK_STATES, 1
)
MARGIN = 150  # alpha-beta believes a guess that is above what it needs by so much a ply
PAYOFFS = payoff_curve(999)


def evaluate(s: State) -> int:
    total = logit(s, BLOCKS, LINES)
    total += FREE if s.targets & s.targets - 1 else block_at(s, TARGETS, s.targets.bit_length() - 1)
    return payoff_of(total, PAYOFFS, s.mover)

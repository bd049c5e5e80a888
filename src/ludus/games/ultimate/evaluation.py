"""What a position of Ultimate Tic-Tac-Toe is worth, by tables fitted to games (`benchmarks/tuning/nine.py`)."""

from __future__ import annotations

import math
from pathlib import Path

from ludus.games.nested.nine import State
from ludus.games.nested.nine_evaluation import (
    BLOCK_STATES,
    LINE_STATES,
    STEP,
    STEPS,
    UNIT,
    block_at,
    logit,
    read_weights,
)

BLOCKS, LINES, TARGETS, (FREE,) = read_weights(
    Path(__file__).with_name("weights.bin"), 3 * BLOCK_STATES, 3 * LINE_STATES, 3 * BLOCK_STATES, 1
)
MARGIN = 150  # alpha-beta believes a guess that is above what it needs by so much a ply
PAYOFFS = tuple(round(999 * math.tanh(STEP * (k - STEPS // 2) / UNIT / 2)) for k in range(STEPS))


def evaluate(s: State) -> int:
    total = logit(s, BLOCKS, LINES)
    total += FREE if s.targets & s.targets - 1 else block_at(s, TARGETS, s.targets.bit_length() - 1)
    mine = PAYOFFS[min(max(total // STEP + STEPS // 2, 0), STEPS - 1)]
    return mine if s.mover == 0 else -mine

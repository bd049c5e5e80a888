"""What a position of the adjacent game is worth, by tables fitted to games (`benchmarks/tuning/nine.py`).

Beside blocks and lines it knows the two rules that make this game another one: a move sends to up to two blocks, and
what stands in each of them counts; and without a line, more blocks and then more centre cells win.
"""

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
from ludus.games.ultimate_adjacent.rules import CENTRES_HI, CENTRES_LO

LEADS = 10 * 19 * 19  # open blocks, lead in blocks, lead in centre cells
BLOCKS, LINES, TARGETS, (FREE,), LEAD = read_weights(
    Path(__file__).with_name("weights.bin"), 3 * BLOCK_STATES, 3 * LINE_STATES, 3 * BLOCK_STATES, 1, LEADS
)
MARGIN = 450  # alpha-beta believes a guess that is above what it needs by so much a ply
PAYOFFS = payoff_curve(2999)


def sent_to(s: State) -> int:
    """What the blocks that the mover is sent to are worth, one or two of them; more is a free choice."""
    last = s.targets & s.targets - 1
    if last & last - 1:
        return FREE
    lower = block_at(s, TARGETS, (s.targets & -s.targets).bit_length() - 1)
    return lower if last == 0 else lower + block_at(s, TARGETS, last.bit_length() - 1)


def lead(s: State) -> int:
    """What counts when nobody makes a line: the lead in blocks, then in centre cells."""
    blocks = s.mine_won.bit_count() - s.theirs_won.bit_count()
    centres = (
        (s.mine_lo & CENTRES_LO).bit_count()
        + (s.mine_hi & CENTRES_HI).bit_count()
        - (s.theirs_lo & CENTRES_LO).bit_count()
        - (s.theirs_hi & CENTRES_HI).bit_count()
    )
    return LEAD[361 * s.open.bit_count() + 19 * (blocks + 9) + centres + 9]


def evaluate(s: State) -> int:
    total = logit(s, BLOCKS, LINES) + sent_to(s) + lead(s)
    return payoff_of(total, PAYOFFS, s.mover)

"""What training knows of this game besides its rules."""

from __future__ import annotations

from ludus.games.nested.nine import State
from ludus.games.nested.nine_learning import QUARTER, QUARTERS, UNSEEN, grade_words, symmetries
from ludus.games.ultimate_adjacent.evaluation import BLOCKS
from ludus.games.ultimate_adjacent.rules import SENDS_TO

__all__ = ["PHASES", "UNSEEN", "features", "phase", "symmetries"]

# Where a move may send: to one block, to one of the pairs of blocks, or anywhere.
SETS = (*(1 << block for block in range(9)), *(blocks for blocks in SENDS_TO if blocks & blocks - 1))
ANYWHERE = len(SETS)
WHERE = tuple(SETS.index(blocks) if blocks in SETS else ANYWHERE for blocks in range(512))
PHASES = QUARTERS * (ANYWHERE + 1)


def features(s: State) -> tuple[int, int, int, int, int]:
    return grade_words(s, BLOCKS)


def phase(s: State) -> int:
    """Where the mover was sent, in each quarter of the game."""
    return QUARTERS * WHERE[s.targets] + QUARTER[s.open]

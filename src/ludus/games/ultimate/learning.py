"""What training knows of this game besides its rules."""

from __future__ import annotations

from ludus.games.nested.nine import State
from ludus.games.nested.nine_learning import PHASES, UNSEEN, grade_words, phase, symmetries
from ludus.games.ultimate.evaluation import BLOCKS

__all__ = ["PHASES", "UNSEEN", "features", "phase", "symmetries"]


def features(s: State) -> tuple[int, int, int, int, int]:
    return grade_words(s, BLOCKS)

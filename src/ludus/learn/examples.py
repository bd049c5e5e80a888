"""Positions as a network learns from them: the bits that are its inputs, what the game guesses, and what it should say.

They stay packed in words, as many of them as there are; whoever learns takes some of them out at a time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludus.compile.judging import Shape
from ludus.learn.self_play import BANKED, GUESS, IS_CLEAN, MOVER, PAYOFF, SCORE, Positions
from ludus.networks.symmetries import Turn, no_turn

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


class Examples:
    """Inputs, phases, guesses and targets of positions, all from the side to move."""

    def __init__(
        self, shape: Shape, positions: Positions, *, spread: float, result_share: float, turns: list[Turn]
    ) -> None:
        facts = positions.facts.astype(np.int64)
        mover = facts[:, MOVER]
        words = len(shape.widths)
        seen = positions.words[:, :words]
        if shape.trade:
            seen = np.where(mover[:, None] == 0, seen, seen[:, list(shape.trade)])
        self.phases = np.zeros(len(mover), np.int64)
        if shape.phases > 1:  # out of bounds they would be written to where nothing is
            self.phases = np.clip(positions.words[:, words], 0, shape.phases - 1)
        self.is_margin = shape.greatest == 0
        columns = [k for group in shape.groups for k in group]
        self.widths = [shape.widths[k] for k in columns]
        masks = [(1 << width) - 1 for width in self.widths]  # bits that are no inputs are not looked at
        self.words = np.ascontiguousarray(seen[:, columns] & np.array(masks, np.int64))
        if not shape.trade:
            self.widths.append(1)
            self.words = np.ascontiguousarray(np.column_stack([self.words, mover]))
        sign = 1 - 2 * mover
        settled = 0 if shape.greatest else facts[:, BANKED]  # `judge` adds it to margins
        self.guesses = _output_of(shape, spread, sign * (facts[:, GUESS] - settled))
        share = np.where(facts[:, IS_CLEAN] == 1, result_share, 0.0)
        scale = 1000.0 * shape.greatest if shape.greatest else spread
        scores, payoffs = (sign * (facts[:, fact] - settled) / scale for fact in (SCORE, PAYOFF))
        targets = share * payoffs + (1 - share) * scores
        self.targets = (np.clip(targets, -1.0, 1.0) if shape.greatest else targets).astype(np.float32)
        self.turns = turns or [no_turn(shape)]

    def __len__(self) -> int:
        return len(self.targets)

    @property
    def places(self) -> Ints:
        """The input that the lowest bit of each word is."""
        return np.cumsum([0, *self.widths[:-1]])


def _output_of(shape: Shape, spread: float, guesses: Ints) -> Floats:
    """What a guess of the game in thousandths adds to the output, as `judge` reads it."""
    if shape.greatest:
        share = np.clip(guesses / (1000.0 * shape.greatest), -0.99999, 0.99999)
        return np.clip(np.arctanh(share), -3, 3).astype(np.float32)
    return (guesses / spread).astype(np.float32)

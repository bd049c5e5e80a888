"""The loss of many positions at once and its slopes, as a few products of matrices: what a graphics processor is for.

The hidden numbers of a position are `begin` plus a row for each bit that is set, cut off to 0..1 and squared; the
output weighs them. Where payoffs have limits, tanh of the output is the expected payoff and the loss is cross-entropy;
margins are measured in spreads, and the loss is half the square, linear beyond one spread.
One source serves numpy and PyTorch, because they agree on all that is used here. `loops.py` is the same for a CPU.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludus.learn.examples import Examples, Ints
from ludus.learn.weights import Weights
from ludus.networks.symmetries import Turn


class Tensors:
    """Examples and weights as arrays of one library: numpy, or PyTorch on a graphics processor."""

    def __init__(self, device: str) -> None:
        self.device, self.library = device, library_of(device)
        self._own: tuple[Examples, list[Any]] | None = None

    def put(self, array: Any) -> Any:
        """An array of numpy as the library's own."""
        return array if self.device == "cpu" else self.library.from_numpy(np.ascontiguousarray(array)).to("cuda")

    def slopes(self, weights: Weights, examples: Examples, picks: Ints, turn: Turn) -> tuple[float, Weights]:
        """The mean loss of some examples, and its slopes."""
        bits, phases, guesses, targets = self._batch(examples, picks)
        phases = self._marked(self.put(turn.phases)[phases], len(weights.rest))
        rows = weights.rows[self.put(turn.inputs)]  # the rows that the inputs of a turned board have
        hidden, cut, out = self._outputs(weights, rows, bits, phases, guesses)
        loss, slope = self._loss(out, targets, is_margin=examples.is_margin)
        slope = slope / len(targets)
        below = slope[:, None] * (phases @ weights.outputs) * (((hidden > 0.0) & (hidden < 1.0)) * (2.0 * cut))
        by_rows = self.library.zeros_like(weights.rows)
        by_rows[self.put(turn.inputs)] = bits.T @ below
        rest = phases.T @ self.library.stack([slope, slope * guesses], 1)
        return float(loss), Weights(by_rows, below.sum(0), phases.T @ (cut * cut * slope[:, None]), rest)

    def loss(self, weights: Weights, examples: Examples, picks: Ints) -> float:
        bits, phases, guesses, targets = self._batch(examples, picks)
        marked = self._marked(phases, len(weights.rest))
        out = self._outputs(weights, weights.rows, bits, marked, guesses)[2]
        return float(self._loss(out, targets, is_margin=examples.is_margin)[0])

    def _batch(self, examples: Examples, picks: Ints) -> tuple[Any, Any, Any, Any]:
        """Bits, phases, guesses and targets; all examples are put to where the library calculates once."""
        if self._own is None or self._own[0] is not examples:
            shifts = [np.arange(width) for width in examples.widths]
            arrays = (examples.words, examples.phases, examples.guesses, examples.targets, *shifts)
            self._own = examples, [self.put(array) for array in arrays]
        words, phases, guesses, targets, *shifts = self._own[1]
        where = self.put(picks)
        taken = words[where]
        bits = self.library.concatenate([(taken[:, k, None] >> shift) & 1 for k, shift in enumerate(shifts)], axis=1)
        return self._real(bits), phases[where], guesses[where], targets[where]

    def _real(self, numbers: Any) -> Any:
        return numbers.astype(np.float32) if self.device == "cpu" else numbers.float()

    def _marked(self, phases: Any, count: int) -> Any:
        """A row for each position, with a 1 where its phase is."""
        return self._real(phases[:, None] == self.put(np.arange(count)))

    def _outputs(self, weights: Weights, rows: Any, bits: Any, phases: Any, guesses: Any) -> tuple[Any, Any, Any]:
        """The hidden numbers before and after they are cut off, and the output for each position."""
        hidden = bits @ rows + weights.begin
        cut = self.library.clip(hidden, 0.0, 1.0)
        rest = phases @ weights.rest
        return hidden, cut, (cut * cut * (phases @ weights.outputs)).sum(1) + rest[:, 0] + rest[:, 1] * guesses

    def _loss(self, out: Any, targets: Any, *, is_margin: bool) -> tuple[Any, Any]:
        """The mean loss, and its slope for each output."""
        library = self.library
        if is_margin:
            away = out - targets
            near = library.clip(away, -1.0, 1.0)
            return (near * (away - 0.5 * near)).mean(), near
        # cross-entropy of (1 + target) / 2 and (1 + expected) / 2, written so that nothing overflows
        size = library.abs(out)
        soft = size + library.log(1.0 + library.exp(-2.0 * size))
        return (soft - targets * out).mean(), library.tanh(out) - targets


def library_of(device: str) -> Any:
    if device == "cpu":
        return np
    import torch  # noqa: PLC0415  # an extra, and slow to import

    return torch

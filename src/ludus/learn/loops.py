"""The loss of positions and its slopes, one position after the other: six times as quick as matrices on a CPU.

Of some hundred inputs a few dozen are on: loops over those are compiled, and nothing is ever unpacked. `tensors.py`
says what is calculated here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np

from ludus.compile.bits import lowest
from ludus.compile.link import compiled_alone
from ludus.learn.examples import Examples, Floats, Ints
from ludus.learn.weights import Weights
from ludus.networks.symmetries import Turn

LEAST_SHARE = 256  # examples that a thread is worth starting for


def add_slopes(  # noqa: PLR0912  # one loop over positions
    words: Ints,
    places: Ints,
    phases: Ints,
    turned_inputs: Ints,
    turned_phases: Ints,
    guesses: Floats,
    targets: Floats,
    picks: Ints,
    is_margin: bool,
    with_slopes: bool,
    rows: Floats,
    begin: Floats,
    outputs: Floats,
    rest: Floats,
    by_rows: Floats,
    by_begin: Floats,
    by_outputs: Floats,
    by_rest: Floats,
    inputs: Ints,
    hidden: Floats,
    below: Floats,
) -> float:
    """Entry point: add the slopes of each picked position's loss to the `by_` arrays; the sum of the losses."""
    size = begin.size
    loss = 0.0
    for pick in picks:
        on = 0
        for k in range(places.size):
            word = words[pick, k]
            while word:
                inputs[on] = turned_inputs[places[k] + lowest(word)]
                word &= word - 1
                on += 1
        for h in range(size):
            hidden[h] = begin[h]
        for i in range(on):
            row = inputs[i]
            for h in range(size):
                hidden[h] += rows[row, h]
        phase = turned_phases[phases[pick]]
        out = rest[phase, 0] + rest[phase, 1] * guesses[pick]
        for h in range(size):
            hidden[h] = min(max(hidden[h], np.float32(0.0)), np.float32(1.0))
            out += hidden[h] * hidden[h] * outputs[phase, h]
        if is_margin:
            away = out - targets[pick]
            slope = min(max(away, np.float32(-1.0)), np.float32(1.0))
            loss += slope * (away - np.float32(0.5) * slope)
        else:
            loss += abs(out) + math.log(1.0 + math.exp(-2.0 * abs(out))) - targets[pick] * out
            slope = np.float32(math.tanh(out)) - targets[pick]
        if not with_slopes:
            continue
        by_rest[phase, 0] += slope
        by_rest[phase, 1] += slope * guesses[pick]
        for h in range(size):
            cut = hidden[h]
            by_outputs[phase, h] += slope * cut * cut
            below[h] = slope * outputs[phase, h] * (cut + cut) if cut < np.float32(1.0) else np.float32(0.0)
            by_begin[h] += below[h]
        for i in range(on):
            row = inputs[i]
            for h in range(size):
                by_rows[row, h] += below[h]
    return loss


@cache
def _compiled() -> Callable[..., float]:
    return compiled_alone(add_slopes)


class Loops:
    """Examples shared out among threads, each with slopes of its own, which are added up in one order."""

    def __init__(self, weights: Weights, threads: int) -> None:
        inputs, hidden = weights.rows.shape
        self.slots = [
            (
                Weights(*(np.zeros_like(part) for part in weights)),
                (np.zeros(inputs, np.int64), np.zeros(hidden, np.float32), np.zeros(hidden, np.float32)),
            )
            for _ in range(threads)
        ]
        self.pool = ThreadPoolExecutor(threads)

    def slopes(self, weights: Weights, examples: Examples, picks: Ints, turn: Turn) -> tuple[float, Weights]:
        """The mean loss of some examples, and its slopes."""
        loss = self._run(weights, examples, picks, turn, with_slopes=True)
        found = [slopes for slopes, _ in self.slots]
        mean = Weights(*(sum(parts) / len(picks) for parts in zip(*found, strict=True)))
        for part in (part for slopes in found for part in slopes):
            part[:] = 0
        return loss, mean

    def loss(self, weights: Weights, examples: Examples, picks: Ints) -> float:
        unturned = Turn(np.arange(len(weights.rows)), np.arange(len(weights.outputs)))
        return self._run(weights, examples, picks, unturned, with_slopes=False)

    def _run(self, weights: Weights, examples: Examples, picks: Ints, turn: Turn, *, with_slopes: bool) -> float:
        run, threads = _compiled(), len(self.slots)

        def share(k: int) -> float:
            slopes, room = self.slots[k]
            given: tuple[Any, ...] = (
                examples.words,
                examples.places,
                examples.phases,
                *turn,
                examples.guesses,
                examples.targets,
            )
            mine = np.ascontiguousarray(picks[k::threads])
            return run(*given, mine, examples.is_margin, with_slopes, *weights, *slopes, *room)

        if threads == 1 or len(picks) < LEAST_SHARE * threads:
            total = sum(share(k) for k in range(threads))
        else:
            total = sum(self.pool.map(share, range(threads)))
        return total / len(picks)

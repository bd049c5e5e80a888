"""Fitting a network to positions: gradients written out, on numpy or, where there is a graphics processor, on PyTorch.

The hidden numbers of a position are `begin` plus a row for each bit that is set, cut off to 0..1 and squared; the
output weighs them. Where payoffs have limits, tanh of the output is the expected payoff and the loss is cross-entropy;
margins are measured in spreads, and the loss is half the square, linear beyond one spread.
One source serves both libraries, because they agree on all that is used here.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.judging import OUTPUT_UNIT, UNIT, Shape
from ludus.compile.vectors import CEILING
from ludus.learn.self_play import BANKED, GUESS, IS_CLEAN, MOVER, PAYOFF, SCORE, Positions
from ludus.networks.network import Network
from ludus.rules import Game

Floats = NDArray[np.float32]
MOST_OUTPUT = 127 / OUTPUT_UNIT  # of a weight of the output, so that it fits when it is rounded
MOST_ROW = 8.0  # likewise: sums of 16 bits hold 128
DECAYS = 0.9, 0.999  # of Adam
TINY = 1e-8


class Lesson(NamedTuple):
    """How a network is fitted."""

    steps: int = 2000
    batch: int = 8192
    rate: float = 2e-3
    result_share: float = 0.3  # of the target that the game's result makes, and not the search's score
    seed: int = 0


class Weights(NamedTuple):
    """The numbers of a network while they are real."""

    rows: Any
    begin: Any
    output: Any
    rest: Any  # what is added to the output, and what the guess counts


class Pupil:
    """A network that learns: its weights, and Adam's memory of their gradients."""

    def __init__(self, shape: Shape, *, spread: float, seed: int, device: str = "cpu") -> None:
        rng = np.random.default_rng(seed)
        inputs = shape.rows
        self.shape, self.spread, self.device, self.steps = shape, spread, device, 0
        self.library = _library(device)
        self.weights = Weights(
            *(
                self.put(array)
                for array in (
                    rng.normal(0, 0.35 / math.sqrt(max(inputs, 1) / 8), (inputs, shape.hidden)),
                    np.full(shape.hidden, 0.25),
                    rng.normal(0, 0.5 / math.sqrt(shape.hidden), shape.hidden),
                    np.array([0.0, 1.0 if shape.has_guess else 0.0]),
                )
            )
        )
        self.first = Weights(*(self.library.zeros_like(part) for part in self.weights))
        self.second = Weights(*(self.library.zeros_like(part) for part in self.weights))

    def put(self, array: Any) -> Any:
        """An array of numpy as the library's own, of 32 bits if it is real."""
        own = np.ascontiguousarray(array if array.dtype == np.int64 else array.astype(np.float32))
        return own if self.device == "cpu" else self.library.from_numpy(own).to("cuda")

    def memory(self) -> dict[str, NDArray[Any]]:
        """All that the pupil is, as arrays of numpy: `recall` makes another pupil of its shape the same."""
        parts = {"weights": self.weights, "first": self.first, "second": self.second}
        arrays = {
            f"{kind}_{name}": np.asarray(part if self.device == "cpu" else part.cpu().numpy())
            for kind, part_of in parts.items()
            for name, part in part_of._asdict().items()
        }
        return {**arrays, "steps": np.array(self.steps)}

    def recall(self, memory: Mapping[str, NDArray[Any]]) -> None:
        """Become what `memory` says; a ValueError where it is not of this shape."""
        made = {}
        for kind, own in (("weights", self.weights), ("first", self.first), ("second", self.second)):
            for name, part in own._asdict().items():
                array = memory[f"{kind}_{name}"]
                if tuple(array.shape) != tuple(part.shape) or array.dtype != np.float32 or not np.isfinite(array).all():
                    raise ValueError(f"{kind} of {name} do not fit")
                made[kind, name] = self.put(array.copy())
        self.weights, self.first, self.second = (
            Weights(*(made[kind, name] for name in Weights._fields)) for kind in ("weights", "first", "second")
        )
        self.steps = int(memory["steps"])

    def outputs(self, bits: Any, guesses: Any) -> tuple[Any, Any, Any]:
        """The output for each position, and the hidden numbers before and after they are cut off."""
        hidden = bits @ self.weights.rows + self.weights.begin
        cut = self.library.clip(hidden, 0.0, 1.0)
        out = (cut * cut) @ self.weights.output + self.weights.rest[0] + self.weights.rest[1] * guesses
        return out, hidden, cut

    def learn(self, bits: Any, guesses: Any, targets: Any, *, rate: float) -> float:
        """One step down the gradient of a batch; the loss before it."""
        out, hidden, cut = self.outputs(bits, guesses)
        loss, slope = self._loss(out, targets)
        slope = slope / len(targets)
        inside = ((hidden > 0.0) & (hidden < 1.0)) * (2.0 * cut)
        below = slope[:, None] * self.weights.output * inside
        rest = self.library.stack([slope.sum(), (slope * guesses).sum()])
        if not self.shape.has_guess:
            rest = rest * self.put(np.array([1.0, 0.0]))
        self._step(Weights(bits.T @ below, below.sum(0), (cut * cut).T @ slope, rest), rate)
        return float(loss)

    def loss(self, bits: Any, guesses: Any, targets: Any) -> float:
        return float(self._loss(self.outputs(bits, guesses)[0], targets)[0])

    def _loss(self, out: Any, targets: Any) -> tuple[Any, Any]:
        """The mean loss, and its slope for each output."""
        library = self.library
        if self.shape.greatest == 0:
            away = out - targets
            near = library.clip(away, -1.0, 1.0)
            return (near * (away - 0.5 * near)).mean(), near
        expected = library.tanh(out)
        # cross-entropy of (1 + target) / 2 and (1 + expected) / 2, written so that nothing overflows
        size = library.abs(out)
        soft = size + library.log(1.0 + library.exp(-2.0 * size))
        return (soft - targets * out).mean(), expected - targets

    def _step(self, gradient: Weights, rate: float) -> None:
        self.steps += 1
        early = math.sqrt(1 - DECAYS[1] ** self.steps) / (1 - DECAYS[0] ** self.steps)
        for own, slope, first, second in zip(self.weights, gradient, self.first, self.second, strict=True):
            first[:] = DECAYS[0] * first + (1 - DECAYS[0]) * slope
            second[:] = DECAYS[1] * second + (1 - DECAYS[1]) * slope * slope
            own[:] = own - rate * early * first / (self.library.sqrt(second) + TINY)
        self.weights.output[:] = self.library.clip(self.weights.output, -MOST_OUTPUT, MOST_OUTPUT)
        self.weights.rows[:] = self.library.clip(self.weights.rows, -MOST_ROW, MOST_ROW)

    def network(self, game: Game, about: dict[str, Any]) -> Network:
        """The network in whole numbers, as searches use it."""
        rows, begin, output, rest = (
            np.asarray(part if self.device == "cpu" else part.cpu().numpy(), np.float64) for part in self.weights
        )
        return Network(
            game=game.name,
            fields=tuple(game.module.State._fields),
            shape=self.shape,
            rows=np.rint(rows * CEILING).astype(np.int16),
            begin=np.rint(begin * CEILING).astype(np.int16),
            output=np.rint(output * OUTPUT_UNIT).astype(np.int16),
            rest=(round(float(rest[0]) * UNIT), round(float(rest[1]) * UNIT), round(self.spread)),
            about=about,
        )


class Examples:
    """Positions as batches: bits, guesses and targets from the side to move."""

    def __init__(self, pupil: Pupil, positions: Positions, *, result_share: float, turns: list[Any]) -> None:
        shape, facts = pupil.shape, positions.facts.astype(np.int64)
        self.pupil, self.library = pupil, pupil.library
        seen = positions.words
        if shape.trade:
            seen = np.where(facts[:, MOVER, None] == 0, seen, seen[:, list(shape.trade)])
        columns = [k for group in shape.groups for k in group]
        self.words = pupil.put(np.ascontiguousarray(seen[:, columns]))  # the pupil's own arrays
        self.shifts = [pupil.put(np.arange(shape.widths[k], dtype=np.int64)) for k in columns]
        sign = 1 - 2 * facts[:, MOVER]
        settled = 0 if shape.greatest else facts[:, BANKED]  # `judge` adds it to margins
        self.movers = None if shape.trade else pupil.put(facts[:, MOVER, None].astype(np.float32))
        self.guesses = pupil.put(_output_of(shape, pupil.spread, sign * (facts[:, GUESS] - settled)))
        share = np.where(facts[:, IS_CLEAN] == 1, result_share, 0.0)
        scale = 1000.0 * shape.greatest if shape.greatest else pupil.spread
        scores, payoffs = (sign * (facts[:, fact] - settled) / scale for fact in (SCORE, PAYOFF))
        targets = share * payoffs + (1 - share) * scores
        self.targets = pupil.put(np.clip(targets, -1.0, 1.0) if shape.greatest else targets)
        self.turns = [pupil.put(np.asarray(turn, np.int64)) for turn in turns]

    def __len__(self) -> int:
        return len(self.targets)

    def batch(self, rows: Any, turn: int | None = None) -> tuple[Any, Any, Any]:
        """Bits, guesses and targets of some positions; turned by one of the game's symmetries, if asked for."""
        words = self.words[rows]
        parts = [(words[:, k, None] >> shifts) & 1 for k, shifts in enumerate(self.shifts)]
        join = self.library.concatenate
        bits = join(parts, axis=1)
        bits = bits.astype(np.float32) if self.pupil.device == "cpu" else bits.float()
        if self.movers is not None:
            bits = join([bits, self.movers[rows]], axis=1)
        if turn is not None and self.turns:
            bits = bits[:, self.turns[turn]]
        return bits, self.guesses[rows], self.targets[rows]


def fit(
    pupil: Pupil,
    examples: Examples,
    lesson: Lesson,
    *,
    on_step: Callable[[int, float], None] = lambda step, loss: None,
) -> None:
    """Teach the pupil for so many steps; the rate rises, then falls to nothing."""
    rng = np.random.default_rng(lesson.seed)
    warm = min(100, lesson.steps // 10 + 1)
    for step in range(lesson.steps):
        rows = rng.integers(0, len(examples), lesson.batch)
        turn = int(rng.integers(0, len(examples.turns))) if examples.turns else None
        rate = lesson.rate * min(1.0, (step + 1) / warm) * 0.5 * (1 + math.cos(math.pi * step / lesson.steps))
        loss = pupil.learn(*examples.batch(pupil.put(rows), turn), rate=rate)
        on_step(step, loss)


def mean_loss(pupil: Pupil, examples: Examples, batch: int = 65536) -> float:
    """The loss over all of the examples."""
    total = 0.0
    for begin in range(0, len(examples), batch):
        rows = np.arange(begin, min(begin + batch, len(examples)))
        total += len(rows) * pupil.loss(*examples.batch(pupil.put(rows)))
    return total / max(len(examples), 1)


def _output_of(shape: Shape, spread: float, guesses: NDArray[np.int64]) -> Floats:
    """What a guess of the game in thousandths adds to the output, as `judge` reads it."""
    if shape.greatest:
        share = np.clip(guesses / (1000.0 * shape.greatest), -0.99999, 0.99999)
        return np.clip(np.arctanh(share), -3, 3).astype(np.float32)
    return (guesses / spread).astype(np.float32)


def why_no_gpu() -> str | None:
    """Why nothing can be learnt on a graphics processor here; None where it can."""
    if importlib.util.find_spec("torch") is None:
        return "PyTorch is not installed (pip install 'ludus[train]')"
    return None if _library("gpu").cuda.is_available() else "PyTorch finds no graphics processor"


def _library(device: str) -> Any:
    if device == "cpu":
        return np
    import torch  # noqa: PLC0415  # an extra, and slow to import

    return torch

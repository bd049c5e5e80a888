"""Fitting a network to examples: slopes of the loss, and Adam's steps down them.

The slopes come from compiled loops on a CPU, from PyTorch on a graphics processor, and from numpy without a compiler.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.judging import OUTPUT_UNIT, UNIT, Shape
from ludus.compile.link import has_numba
from ludus.compile.vectors import CEILING
from ludus.learn.examples import Examples
from ludus.learn.loops import Loops
from ludus.learn.tensors import Tensors, library_of
from ludus.learn.weights import Weights
from ludus.networks.network import Network
from ludus.networks.symmetries import Turn
from ludus.rules import Game
from ludus.search.cores import usable_cores

MOST_OUTPUT = 127 / OUTPUT_UNIT  # of a weight of the output, so that it fits when it is rounded
MOST_ROW = 8.0  # likewise: sums of 16 bits hold 128
DECAYS = 0.9, 0.999  # of Adam
TINY = 1e-8
PIECE = 65536  # examples whose loss is looked at together


class Lesson(NamedTuple):
    """How a network is fitted."""

    steps: int = 2000
    batch: int = 8192
    rate: float = 2e-3
    seed: int = 0


class Pupil:
    """A network that learns: its weights, and Adam's memory of their gradients."""

    def __init__(
        self, shape: Shape, *, spread: float, seed: int, device: str = "cpu", threads: int | None = None
    ) -> None:
        rng = np.random.default_rng(seed)
        inputs = shape.rows
        self.shape, self.spread, self.device, self.steps = shape, spread, device, 0
        self.library = library_of(device)
        self.weights = Weights(
            *(
                self.put(array)
                for array in (
                    rng.normal(0, 0.35 / math.sqrt(max(inputs, 1) / 8), (inputs, shape.hidden)),
                    np.full(shape.hidden, 0.25),
                    np.tile(rng.normal(0, 0.5 / math.sqrt(shape.hidden), shape.hidden), (shape.phases, 1)),
                    np.tile([0.0, 1.0 if shape.has_guess else 0.0], (shape.phases, 1)),
                )
            )
        )
        self.first = Weights(*(self.library.zeros_like(part) for part in self.weights))
        self.second = Weights(*(self.library.zeros_like(part) for part in self.weights))
        has_loops = device == "cpu" and has_numba()
        self.way = Loops(self.weights, threads or usable_cores()) if has_loops else Tensors(device)

    def put(self, array: Any) -> Any:
        """Real numbers of numpy as the library's own, of 32 bits."""
        own = np.ascontiguousarray(array.astype(np.float32))
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

    def begin_with(self, network: Network) -> None:
        """Know what a network of this shape knows, but for what was lost when its numbers were rounded."""
        self.weights = Weights(
            rows=self.put(network.rows / CEILING),
            begin=self.put(network.begin / CEILING),
            outputs=self.put(network.outputs / OUTPUT_UNIT),
            rest=self.put(np.array(network.rest) / UNIT),
        )

    def learn(self, examples: Examples, picks: NDArray[np.int64], turn: Turn, *, rate: float) -> None:
        """One step down the slopes of some examples."""
        _, slopes = self.way.slopes(self.weights, examples, picks, turn)
        if not self.shape.has_guess:
            slopes.rest[:, 1] = 0.0
        self._step(slopes, rate)

    def loss(self, examples: Examples, picks: NDArray[np.int64]) -> float:
        return self.way.loss(self.weights, examples, picks)

    def _step(self, gradient: Weights, rate: float) -> None:
        self.steps += 1
        early = math.sqrt(1 - DECAYS[1] ** self.steps) / (1 - DECAYS[0] ** self.steps)
        for own, slope, first, second in zip(self.weights, gradient, self.first, self.second, strict=True):
            first[:] = DECAYS[0] * first + (1 - DECAYS[0]) * slope
            second[:] = DECAYS[1] * second + (1 - DECAYS[1]) * slope * slope
            own[:] = own - rate * early * first / (self.library.sqrt(second) + TINY)
        self.weights.outputs[:] = self.library.clip(self.weights.outputs, -MOST_OUTPUT, MOST_OUTPUT)
        self.weights.rows[:] = self.library.clip(self.weights.rows, -MOST_ROW, MOST_ROW)

    def network(self, game: Game, about: dict[str, Any]) -> Network:
        """The network in whole numbers, as searches use it."""
        rows, begin, outputs, rest = (
            np.asarray(part if self.device == "cpu" else part.cpu().numpy(), np.float64) for part in self.weights
        )
        return Network(
            game=game.name,
            fields=tuple(game.module.State._fields),
            shape=self.shape,
            rows=np.rint(rows * CEILING).astype(np.int16),
            begin=np.rint(begin * CEILING).astype(np.int16),
            outputs=np.rint(outputs * OUTPUT_UNIT).astype(np.int16),
            rest=tuple((round(added * UNIT), round(guess * UNIT)) for added, guess in rest.tolist()),
            unit=round(self.spread),
            about=about,
        )


def fit(pupil: Pupil, examples: Examples, lesson: Lesson) -> None:
    """Teach the pupil for so many steps; the rate rises, then falls to nothing."""
    rng = np.random.default_rng(lesson.seed)
    warm = min(100, lesson.steps // 10 + 1)
    for step in range(lesson.steps):
        picks = rng.integers(0, len(examples), lesson.batch)
        turn = examples.turns[rng.integers(0, len(examples.turns))]
        rate = lesson.rate * min(1.0, (step + 1) / warm) * 0.5 * (1 + math.cos(math.pi * step / lesson.steps))
        pupil.learn(examples, picks, turn, rate=rate)


def mean_loss(pupil: Pupil, examples: Examples) -> float:
    """The loss over all of the examples."""
    total = 0.0
    for begin in range(0, len(examples), PIECE):
        picks = np.arange(begin, min(begin + PIECE, len(examples)))
        total += len(picks) * pupil.loss(examples, picks)
    return total / max(len(examples), 1)


def why_no_gpu() -> str | None:
    """Why nothing can be learnt on a graphics processor here; None where it can."""
    if importlib.util.find_spec("torch") is None:
        return "PyTorch is not installed (pip install 'ludus[train]')"
    return None if library_of("gpu").cuda.is_available() else "PyTorch finds no graphics processor"

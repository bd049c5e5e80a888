"""A learned evaluation as a value: its shape, its whole numbers, and where it comes from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.compile.interface import Words
from ludus.compile.judging import Shape

Numbers = NDArray[np.int16]
CACHE_LINE = 8  # words


@dataclass(frozen=True, eq=False)
class Network:
    """A network for one game. `about` says how it came to be, in words and numbers that nothing depends on."""

    game: str
    fields: tuple[str, ...]  # of the game's State
    shape: Shape
    rows: Numbers  # what each input adds to the hidden numbers: inputs x hidden
    begin: Numbers  # the hidden numbers before any input
    outputs: Numbers  # what each hidden number counts, from -128 to 127: phases x hidden
    rest: tuple[tuple[int, int], ...]  # for each phase: what is added to the output, what the guess counts
    unit: int  # of a margin, in thousandths
    about: dict[str, Any] = field(default_factory=dict)

    def mind(self) -> Words:
        """The array that searches work in, with no position seen yet: one for each thread."""
        shape = self.shape
        words = _aligned(shape.size)
        numbers = words.view(np.int16)
        numbers[: 4 * shape.outputs] = self.rows.ravel()
        numbers[4 * shape.outputs : 4 * shape.sums] = self.outputs.ravel()
        numbers[4 * shape.sums : 4 * shape.seen] = np.tile(self.begin, 2)
        words[shape.rest : shape.unit] = np.ravel(self.rest)
        words[shape.unit] = self.unit
        return words


def _aligned(size: int) -> Words:
    """So many words that begin where a line of the processor's cache begins: rows then lie in as few as they can."""
    room = np.zeros(size + CACHE_LINE, np.int64)
    skipped = -(room.ctypes.data // room.itemsize) % CACHE_LINE
    return room[skipped : skipped + size]


def new_mind(network: Network | None) -> Words:
    """The mind of a network, or a word that nobody reads."""
    return np.zeros(1, np.int64) if network is None else network.mind()


def shape_of(network: Network | None) -> Shape | None:
    return None if network is None else network.shape

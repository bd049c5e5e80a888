"""The numbers of a network while they are real, and the slopes of a loss by them."""

from __future__ import annotations

from typing import Any, NamedTuple


class Weights(NamedTuple):
    """Arrays of numpy, or tensors of PyTorch on a graphics processor."""

    rows: Any
    begin: Any
    outputs: Any  # a row for each phase
    rest: Any  # for each phase, what is added to the output, and what the guess counts

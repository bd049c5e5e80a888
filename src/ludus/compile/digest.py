"""Keys of positions: 64 bits that every field of a state has a say in."""

from __future__ import annotations

import numpy as np

from ludus.compile.bits import plain
from ludus.rules import State

u64 = np.uint64


def digest(state: State) -> np.uint64:
    """A 64-bit key of a state, every field mixed into every bit."""
    key = u64(0x9E3779B97F4A7C15)
    for word in state:
        key = (key ^ u64(word)) * u64(0xBF58476D1CE4E5B9)
        key = key ^ key >> u64(29)
    return key


def short_digest(state: State) -> int:
    """63 bits of the key: a whole number that is not negative, compiled or plain."""
    return plain(digest(state) >> u64(1))

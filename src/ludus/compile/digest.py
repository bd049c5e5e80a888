"""Keys of positions: 64 bits that every field of a state has a say in."""

from __future__ import annotations

import numpy as np

from ludus.compile.bits import plain
from ludus.rules import State

u64 = np.uint64


def digest(state: State) -> np.uint64:
    """A 64-bit key of a state, every field mixed into every bit.

    Each field by itself: multiplied, folded so that its high bits reach low ones, and multiplied by a number of its
    own. Without the second product, stones that change places between two fields would cancel out.
    """
    key = own = u64(0x9E3779B97F4A7C15)  # not 0, which stands for no key at all
    for word in state:
        mixed = u64(word) * u64(0xBF58476D1CE4E5B9)
        key = key + (mixed ^ mixed >> u64(32)) * own
        own = own * u64(0xD6E8FEB86659FD93)
    key = (key ^ key >> u64(32)) * u64(0xBF58476D1CE4E5B9)
    return key ^ key >> u64(29)


def short_digest(state: State) -> int:
    """63 bits of the key: a whole number that is not negative, compiled or plain."""
    return plain(digest(state) >> u64(1))

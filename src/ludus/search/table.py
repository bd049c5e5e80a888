"""The transposition table: one array of words, two to an entry, two entries to a bucket.

    word 0   key XOR word 1, so that an entry torn by two threads does not fit its key
    word 1   bit 0        38      48     56    58         64
             | score + 2^37 | move | depth | bound | age |

The first entry of a bucket keeps the deepest search, the second the latest; entries of earlier searches give way.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludus.compile.bits import plain

u64 = np.uint64
Table = NDArray[np.uint64]

EXACT, AT_LEAST, AT_MOST = 1, 2, 3  # bounds; 0 is an empty entry
TO_THE_END = 255  # the depth of a value that holds whatever the depth: no guess is behind it
NO_MOVE = 1023
BIAS = 1 << 37
WORDS = 4  # of a bucket


def new_table(megabytes: float) -> Table:
    """An empty table of at most so many megabytes; the number of buckets is a power of two."""
    buckets = 1 << max(10, (int(megabytes * (1 << 20)) // (8 * WORDS)).bit_length() - 1)
    return np.zeros(WORDS * buckets, np.uint64)


def probe(table: Table, key: np.uint64) -> np.uint64:
    """The data of the entry with this key, 0 if there is none."""
    base = plain(key & u64(table.size // WORDS - 1)) * WORDS
    for slot in (base, base + 2):
        data: np.uint64 = table[slot + 1]
        if table[slot] ^ data == key and data != u64(0):
            return data
    return u64(0)


def score_in(data: np.uint64) -> int:
    return plain(data & u64((1 << 38) - 1)) - BIAS


def move_in(data: np.uint64) -> int:
    return plain(data >> u64(38) & u64(1023))


def depth_in(data: np.uint64) -> int:
    return plain(data >> u64(48) & u64(255))


def bound_in(data: np.uint64) -> int:
    return plain(data >> u64(56) & u64(3))


def put(table: Table, key: np.uint64, score: int, move: int, depth: int, bound: int, age: int) -> None:
    """Enter a value, in the first place of the bucket if it is deep enough, else in the second."""
    data = (
        u64(score + BIAS)
        | u64(move) << u64(38)
        | u64(depth) << u64(48)
        | u64(bound) << u64(56)
        | u64(age & 63) << u64(58)
    )
    base = plain(key & u64(table.size // WORDS - 1)) * WORDS
    old = table[base + 1]
    is_same = table[base] ^ old == key
    if is_same or depth >= depth_in(old) or plain(old >> u64(58)) != age & 63:
        if not is_same:  # what was deep stays a while as the latest
            table[base + 3], table[base + 2] = old, table[base]
        table[base], table[base + 1] = key ^ data, data
    else:
        table[base + 2], table[base + 3] = key ^ data, data

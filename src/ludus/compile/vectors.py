"""Rows of 16-bit numbers inside an array of words, four to a word; `native_vectors.py` makes each a few instructions.

Places are indices of words; sizes are counts of 16-bit numbers, the same constant wherever code is compiled.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

CEILING = 255  # of what a hidden number passes on


def moved_and_weighed(
    words: NDArray[np.int64], row: int, added: int, plus: int, taken: int, minus: int, weights: int, size: int
) -> int:
    """Bring a row up to date and weigh it.

    The `plus` rows whose places are listed from `added` on are added to it, the `minus` rows listed from `taken` on
    taken away. Then it is cut off below 0 and above CEILING, squared, and added up by weights from -128 to 127.
    """
    numbers = words.view(np.int16)
    own = numbers[4 * row : 4 * row + size]
    for at in words[added : added + plus]:
        own += numbers[4 * at : 4 * at + size]
    for at in words[taken : taken + minus]:
        own -= numbers[4 * at : 4 * at + size]
    cut = np.clip(own, 0, CEILING).astype(np.int64)
    return int((cut * cut * numbers[4 * weights : 4 * weights + size]).sum())

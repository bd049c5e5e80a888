"""Rows of 16-bit numbers: compiled to vectors of any size, they say what the plain ones say, at their limits too."""

from __future__ import annotations

import numpy as np
import pytest
from numba import njit

import ludus.compile.native_vectors  # noqa: F401  # teaches numba
from ludus.compile.vectors import CEILING, moved_and_weighed
from ludus.networks.files import HIDDEN

SIZES = [HIDDEN[0], 48, 64, 128, 192, 240, 256, 272, HIDDEN[-1]]
ROWS = 6


def compiled_for(size):
    @njit
    def run(words, row, added, plus, taken, minus, weights):
        return moved_and_weighed(words, row, added, plus, taken, minus, weights, size)

    return run


def laid_out(numbers, weights, added, taken):
    """Rows, the row that is kept, its weights and the two lists in one array; where each of the last four begins."""
    width = weights.size // 4
    words = np.zeros((ROWS + 2) * width + len(added) + len(taken), np.int64)
    words.view(np.int16)[: (ROWS + 2) * weights.size] = np.concatenate([numbers.ravel(), weights])
    lists = (ROWS + 2) * width
    words[lists:] = [width * k for k in (*added, *taken)]
    return words, (ROWS * width, lists, len(added), lists + len(added), len(taken), (ROWS + 1) * width)


@pytest.mark.parametrize("size", SIZES)
def test_compiled_rows_are_the_plain_ones(size):
    rng = np.random.default_rng(size)
    run = compiled_for(size)
    cases = [((), ()), ((0,), (1,)), ((0, 1, 2, 3), ()), ((5, 2), (3, 4, 1))]
    for added, taken in cases:
        numbers = rng.integers(-900, 900, (ROWS + 1, size)).astype(np.int16)
        words, places = laid_out(numbers, rng.integers(-128, 128, size).astype(np.int16), added, taken)
        other = words.copy()
        assert run(words, *places) == moved_and_weighed(other, *places, size)
        assert (words == other).all()  # the row is brought up to date, nothing else is touched


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("weight", [127, -128])
def test_the_largest_sums_do_not_overflow(size, weight):
    numbers = np.full((ROWS + 1, size), CEILING, np.int16)
    words, places = laid_out(numbers, np.full(size, weight, np.int16), (), ())
    assert compiled_for(size)(words, *places) == size * CEILING * CEILING * weight

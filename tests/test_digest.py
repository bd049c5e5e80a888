"""Keys of positions: positions that differ in a few bits have different keys, wherever the bits lie."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np

from ludus.compile.digest import digest

BITS = 63
ALL = (1 << BITS) - 1


def key(state):
    with np.errstate(over="ignore"):
        return int(digest(state))


def test_stones_that_change_places_between_fields_do_not_cancel_out():
    """With one product a field, these two positions had the same key for a quarter of all other contents."""
    rng = random.Random(1)
    for _ in range(2_000):
        black, white = rng.getrandbits(BITS), rng.getrandbits(BITS)
        one = black ^ 1 << 62, white ^ 1 << 61 ^ 1 << 33, 0
        other = black ^ 1 << 61, white ^ 1 << 62 ^ 1 << 32, 0
        assert key(one) != key(other)


def test_a_few_bits_in_two_fields_give_keys_of_their_own():
    """One or two bits of each field, high ones above all, from several contents: no key comes twice."""
    rng = random.Random(2)
    high = [0, 1, 28, 29, 30, 31, 32, 33, 34, 58, 59, 60, 61, 62]
    changes = [0] + [1 << bit for bit in high] + [1 << a | 1 << b for a, b in combinations(high, 2)]
    for black, white in [(0, 0), (ALL, ALL), (rng.getrandbits(BITS), rng.getrandbits(BITS))]:
        with np.errstate(over="ignore"):
            keys = {int(digest((black ^ one, white ^ other, 1))) for one in changes for other in changes}
        assert len(keys) == len(changes) ** 2


def test_no_field_set_is_not_no_key():
    """Memories hold 0 where nothing is remembered."""
    assert all(key((0,) * fields) != 0 for fields in range(1, 40))


def test_the_last_bits_of_keys_spread_positions_evenly_over_a_table():
    """Whichever field counts up: of 4096 positions on 4096 places about 1 - 1/e are hit, not a few."""
    for field in range(3):
        for shift in (0, 20, 40, 51):
            states = ([0] * field + [number << shift] + [5] * (2 - field) for number in range(4096))
            places = {key(tuple(state)) & 4095 for state in states}
            assert 2400 < len(places) < 2800

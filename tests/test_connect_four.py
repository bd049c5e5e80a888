"""The example rules of Connect Four: known counts, slow rules of lists and strings beside them, the mirror."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.networks.inputs import bits_of, find_shape, words_of
from ludus.networks.symmetries import turns_of
from ludus.rules import load_game
from ludus.search.perft import perft

GAME = load_game(str(Path(__file__).parent.parent / "examples" / "games" / "connect_four.py"))
COUNTS = [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234]  # sequences of so many moves


@pytest.mark.parametrize(("plies", "count"), list(enumerate(COUNTS)))
def test_known_counts(plies, count):
    assert perft(GAME, GAME.start(), plies) == count


def slow_result(columns: list[str]) -> int | None:
    """The rules as a person reads them: columns of letters, from the bottom up."""
    board = {(c, r): disc for c, column in enumerate(columns) for r, disc in enumerate(column)}
    for (c, r), disc in board.items():
        for across, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
            if all(board.get((c + k * across, r + k * up)) == disc for k in range(4)):
                return 1 if disc == "x" else -1
    return 0 if len(board) == 42 else None


@settings(max_examples=150, deadline=None)
@given(st.lists(st.integers(0, 6), max_size=60))
def test_slow_rules_agree(tried):
    state, columns, plies = GAME.start(), [""] * 7, 0
    for column in tried:
        if slow_result(columns) is not None:
            break
        legal = [c for c in range(7) if len(columns[c]) < 6]
        assert GAME.legal(state) == legal
        if column not in legal:
            assert GAME.module.why_not(state, column) == f"column {column} is full"
            continue
        columns[column] += "xo"[plies % 2]
        state, plies = GAME.play(state, column), plies + 1
        assert GAME.turn(state) == plies % 2
        assert GAME.result(state) == slow_result(columns)
        mirror = GAME.module.symmetries(state)[1]
        assert GAME.result(mirror) == GAME.result(state)
        assert GAME.legal(mirror) == sorted(6 - c for c in GAME.legal(state))
        assert GAME.module.symmetries(mirror)[1] == state
    if GAME.result(state) is not None:
        assert GAME.legal(state) == []
        assert GAME.module.why_not(state, 3) == "the game is over"


def test_training_finds_the_mirror():
    shape = find_shape(GAME, hidden=16)
    same, mirror = turns_of(GAME, shape)
    state = GAME.start()
    for move in (0, 0, 1, 6, 3):
        state = GAME.play(state, move)
    bits, mirrored = (
        bits_of(shape, np.array([words_of(GAME, one)]), np.array([GAME.turn(one)]))[0]
        for one in GAME.module.symmetries(state)
    )
    assert np.array_equal(bits[same.inputs], bits)
    assert np.array_equal(mirrored[mirror.inputs], bits)

"""Turning or mirroring the board turns the whole game with it."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.rules import load_game

TURNS = {
    "as it is": lambda r, c, n: (r, c),
    "quarter": lambda r, c, n: (c, n - r),
    "half": lambda r, c, n: (n - r, n - c),
    "three quarters": lambda r, c, n: (n - c, r),
    "mirrored": lambda r, c, n: (r, n - c),
    "upside down": lambda r, c, n: (n - r, c),
    "transposed": lambda r, c, n: (c, r),
    "transposed the other way": lambda r, c, n: (n - c, n - r),
}
KEEPS_DIAGONALS = ("as it is", "half", "transposed", "transposed the other way")  # "/" stays "/"


def turned_name(name, turn, n):
    row, column = map(int, name.split(","))
    return "{},{}".format(*turn(row, column, n))


def turned_rows(rows, turn):
    n = len(rows) - 1
    turned = [[0] * (n + 1) for _ in rows]
    for r, row in enumerate(rows):
        for c, number in enumerate(row):
            to_row, to_column = turn(r, c, n)
            turned[to_row][to_column] = number
    return turned


def play_both(game, one, other, rename, rng):
    """A random game, and the same game renamed: legal moves, turns and results correspond throughout."""
    while (result := game.result(one)) is None:
        assert game.turn(one) == game.turn(other)
        legal = [game.move_name(move) for move in game.legal(one)]
        assert {rename(name) for name in legal} == {game.move_name(move) for move in game.legal(other)}
        name = rng.choice(legal)
        one = game.play(one, game.legal_move(one, name))
        other = game.play(other, game.legal_move(other, rename(name)))
    assert game.result(other) == result


@pytest.mark.parametrize("name", ["ultimate", "ultimate-adjacent", "extreme"])
@given(turn=st.sampled_from(list(TURNS)), seed=st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_nested_boards(name, turn, seed):
    game = load_game(name)
    size = 15 if name == "extreme" else 8
    play_both(
        game,
        game.start(),
        game.start(),
        lambda move: turned_name(move, TURNS[turn], size),
        random.Random(seed),
    )


@given(turn=st.sampled_from(KEEPS_DIAGONALS), m=st.sampled_from([2, 4, 6, 12]), seed=st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_slant(turn, m, seed):
    game = load_game("slant")
    start = game.start(m=m, seed=seed)
    other = game.start(circles=turned_rows(game.instance(start, {})["circles"], TURNS[turn]))
    play_both(game, start, other, lambda move: turned_name(move, TURNS[turn], m - 1), random.Random(seed))


@given(turn=st.sampled_from(list(TURNS)), seed=st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_subtraction(turn, seed):
    game = load_game("subtraction")
    start = game.start(low=0, high=9, seed=seed)
    other = game.start(board=turned_rows(game.instance(start, {})["board"], TURNS[turn]))

    def rename(move):
        """A line goes where two of its cells go."""
        line, k = map(int, move.split(","))
        cells = [(line, 0), (line, 1)] if line < 3 else [(0, line - 3), (1, line - 3)]
        (r0, c0), (r1, _) = [TURNS[turn](r, c, 2) for r, c in cells]
        return f"{r0 if r0 == r1 else 3 + c0},{k}"

    play_both(game, start, other, rename, random.Random(seed))

"""The reference rules against known counts, known values and recorded games."""

import copy
import functools
import json
from pathlib import Path
from typing import Any

import pytest

from . import extreme, slant, subtraction, ultimate, ultimate_adjacent

RECORDED = Path(__file__).resolve().parents[3] / "shared" / "data" / "extreme-2018-games.json"
HAND_OUT = [[1, 0, 1], [0, 2, 0], [0, 0, 1]]


def perft(game: Any, depth: int) -> int:
    """The number of ways to play that many moves."""
    if depth == 1:
        return len(game.legal())
    total = 0
    for move in game.legal():
        after = copy.deepcopy(game)
        after.play(move)
        total += perft(after, depth - 1)
    return total


@pytest.mark.parametrize(
    ("module", "counts"),
    [
        (ultimate, [81, 720, 6336]),
        (ultimate_adjacent, [81, 1360, 22560]),
        (extreme, [256, 4080, 64800]),
    ],
)
def test_perft(module: Any, counts: list[int]) -> None:
    assert [perft(module.Oracle(), depth) for depth in (1, 2, 3)] == counts


@functools.cache
def best_difference(board: tuple[tuple[int, ...], ...]) -> int:
    """The mover's cost less the opponent's when both play subtraction perfectly."""
    differences = []
    for move in subtraction.Oracle(board=[list(row) for row in board]).legal():
        after = subtraction.Oracle(board=[list(row) for row in board])
        after.play(move)
        difference = after.costs[0] - after.costs[1]
        if after.result() is None:
            difference -= best_difference(tuple(tuple(row) for row in after.board))
        differences.append(difference)
    return min(differences)


def test_subtraction_under_perfect_play() -> None:
    assert best_difference(((4, 2, 3), (2, 3, 4), (3, 4, 2))) == -5
    assert best_difference(((2, 4, 3), (4, 2, 4), (3, 4, 2))) == -13


def test_slant_example() -> None:
    game = slant.Oracle(circles=HAND_OUT)
    gains: list[tuple[int, ...]] = []
    for move in ["0,1", "1,1", "0,0", "1,0"]:
        assert game.result() is None
        assert game.turn() == len(gains) % 2
        game.play(move)
        gains.append(tuple(game.gains))
    assert gains == [(1, 0), (1, 3), (1, 3), (1, 3)]
    assert game.legal() == set()
    assert game.result() == -2
    assert game.points() == (-2, 2)


def best_payoff(game: slant.Oracle) -> int:
    """The first player's points when both play perfectly."""
    result = game.result()
    if result is not None:
        return result
    payoffs = []
    for move in game.legal():
        after = copy.deepcopy(game)
        after.play(move)
        payoffs.append(best_payoff(after))
    return max(payoffs) if game.turn() == 0 else min(payoffs)


def test_slant_under_perfect_play() -> None:
    assert best_payoff(slant.Oracle(circles=HAND_OUT)) == 0


@pytest.mark.skipif(not RECORDED.exists(), reason="the recorded games are not here")
def test_recorded_games_of_extreme() -> None:
    records = json.loads(RECORDED.read_text(encoding="utf-8"))
    assert records
    for record in records:
        game = extreme.Oracle()
        for row, col, mark in record["moves"]:
            assert game.result() is None, record["log"]
            assert "xo"[game.turn()] == mark, record["log"]
            game.play(f"{row},{col}")
        assert game.block_grid == record["blocks"], record["log"]
        if record["truncated"] or record["message"] == ["TIME OUT"]:
            assert game.result() is None, record["log"]
        else:
            first, second = (int(points) for points in record["score"])
            assert game.legal() == set(), record["log"]
            assert game.points() == (first, second), record["log"]
            assert game.result() == first - second, record["log"]

"""The reference rules at the end of a game, and the choices that lead there."""

import random
from typing import Any

import pytest

from . import extreme, slant, subtraction, ultimate, ultimate_adjacent


@pytest.mark.parametrize(
    ("board", "move", "result"),
    [
        ([[1, 1, 1], [5, 5, 5], [5, 5, 5]], "0,1", 14),
        ([[1, 1, 1], [0, 5, 5], [5, 0, 5]], "0,1", 14),
        ([[0, 5, 5], [5, 0, 5], [3, 3, 3]], "2,3", 12),
        ([[0, 2, 9], [9, 2, 9], [9, 2, 0]], "4,2", 13),
        ([[0, 5, 5], [5, 5, 0], [1, 1, 2]], "2,1", -8),
    ],
)
def test_subtraction_endings(board: list[list[int]], move: str, result: int) -> None:
    game = subtraction.Oracle(board=board)
    game.play(move)
    assert game.legal() == set()
    assert game.result() == result
    assert game.points() == (result, -result)


def test_subtraction_finished_before_the_first_move() -> None:
    game = subtraction.Oracle(board=[[0, 0, 0], [1, 1, 1], [1, 1, 1]])
    assert game.legal() == set()
    assert game.result() == 0


def test_subtraction_takes_no_more_than_the_smallest_number() -> None:
    game = subtraction.Oracle(board=[[2, 9, 9], [9, 0, 9], [9, 9, 9]])
    assert game.legal() == {"0,1", "0,2", "2,1", "2,2", "2,3", "3,1", "3,2", "5,1", "5,2", "5,3"}


@pytest.mark.parametrize(
    "start",
    [
        ultimate.Oracle,
        ultimate_adjacent.Oracle,
        extreme.Oracle,
        lambda: subtraction.Oracle(board=[[9, 5, 7], [6, 8, 9], [7, 6, 5]]),
        lambda: slant.Oracle(circles=[[1, 2, 0, 3, 1], [0, 3, 2, 1, 0]] * 2 + [[1] * 5]),
    ],
)
def test_random_games_end_once_no_move_is_left(start: Any) -> None:
    for seed in range(10):
        game, chooser = start(), random.Random(seed)
        while game.legal():
            assert game.result() is None
            game.play(chooser.choice(sorted(game.legal())))
        assert game.result() is not None
        with pytest.raises(ValueError, match="illegal"):
            game.play("0,0")

"""The reference rules of the nested games on positions made up to show one rule each."""

from fractions import Fraction
from typing import Any

import pytest

from . import extreme, nested, ultimate, ultimate_adjacent


def from_picture(game: Any, picture: list[str]) -> Any:
    """Puts marks on the top left of the board, whose blocks are settled by later moves only."""
    for row, line in enumerate(picture):
        for col, mark in enumerate(line):
            game.cells[row][col] = mark
    return game


def blocks_of(moves: set[str], size: int) -> set[tuple[int, int]]:
    """The blocks that the moves lie in."""
    places = [tuple(int(number) for number in move.split(",")) for move in moves]
    return {(row // size, col // size) for row, col in places}


@pytest.mark.parametrize("module", [ultimate, ultimate_adjacent])
def test_block_won_on_its_ninth_cell_is_won(module: Any) -> None:
    game = from_picture(module.Oracle(), ["xx-", "oox", "oxo"])
    game.play("0,2")
    assert game.blocks() == ["x"] + ["-"] * 8


def test_full_block_without_a_line_is_drawn() -> None:
    game = from_picture(ultimate.Oracle(), ["-xo", "oox", "xox"])
    game.play("0,0")
    assert game.blocks() == ["d"] + ["-"] * 8
    assert len(game.legal()) == 72


def test_sent_to_a_won_block_plays_in_any_unfinished_block() -> None:
    game = from_picture(ultimate.Oracle(), ["xx-"])
    game.play("0,2")
    assert blocks_of(game.legal(), 3) == {(0, 2)}
    game.play("0,6")
    assert len(game.legal()) == 71
    assert (0, 0) not in blocks_of(game.legal(), 3)


def test_adjacent_targets_drop_out_when_finished() -> None:
    game = ultimate_adjacent.Oracle()
    game.play("6,6")
    assert blocks_of(game.legal(), 3) == {(0, 1), (1, 0)}
    game.block_grid[0][1] = "o"
    assert blocks_of(game.legal(), 3) == {(1, 0)}
    game.block_grid[1][0] = "d"
    assert len(blocks_of(game.legal(), 3)) == 7
    assert len(game.legal()) == 7 * 9 - 1


@pytest.mark.parametrize(
    ("blocks", "centres", "points"),
    [
        (["xxx", "oo-", "---"], "---------", (3, 0)),
        (["oxx", "xod", "xxo"], "xxxxxxxxx", (0, 3)),
        (["xox", "xoo", "oxx"], "ooooooooo", (2, 1)),
        (["xox", "xdo", "oxo"], "xxo------", (2, 1)),
        (["xox", "xdo", "oxo"], "oxo------", (1, 2)),
        (["xox", "xdo", "oxo"], "xo-------", (1, 1)),
    ],
)
def test_adjacent_points(blocks: list[str], centres: str, points: tuple[int, int]) -> None:
    game = ultimate_adjacent.Oracle()
    game.block_grid = [list(row) for row in blocks]
    for number, mark in enumerate(centres):
        game.cells[3 * (number // 3) + 1][3 * (number % 3) + 1] = mark
    assert game.points() == points
    assert game.result() == points[0] - points[1]
    assert game.legal() == set()


def test_ultimate_draw_pays_a_quarter_for_each_local_board() -> None:
    game = ultimate.Oracle()
    game.block_grid = [list("xox"), list("xoo"), list("oxx")]
    assert game.result() == 0
    assert game.points() == (Fraction(5, 4), 1)


def test_extreme_gives_one_bonus_move_and_no_second() -> None:
    picture = ["xxx-"] + ["-" * 16] * 2 + ["-" * 12 + "xxx-"]
    game = from_picture(extreme.Oracle(), picture)
    game.play("0,3")
    assert game.turn() == 0
    assert blocks_of(game.legal(), 4) == {(0, 3)}
    game.play("3,15")
    assert game.blocks()[:4] == ["x", "-", "-", "x"]
    assert game.turn() == 1
    assert blocks_of(game.legal(), 4) == {(3, 3)}
    without_bonus = from_picture(extreme.Oracle(bonus=False), picture)
    without_bonus.play("0,3")
    assert without_bonus.turn() == 1


def test_extreme_patterns_are_twelve_and_not_diagonal() -> None:
    patterns = extreme.Oracle().patterns
    through = [[sum((row, col) in p for p in patterns) for col in range(4)] for row in range(4)]
    assert through == [[2, 3, 3, 2], [3, 4, 4, 3], [3, 4, 4, 3], [2, 3, 3, 2]]
    diagonal = [list("x---"), list("-x--"), list("--x-"), list("---x")]
    assert not nested.has_pattern(diagonal, "x", patterns)
    assert nested.has_pattern([list("-x--"), list("xox-"), list("-x--")], "x", patterns[8:9])

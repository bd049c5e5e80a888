"""The board object of `extreme` against the rules, move by move, and what bots do with it by hand."""

from __future__ import annotations

import random

import pytest

from ludus.bots.boards import sixteen_blocks, sixteen_by_sixteen
from ludus.bots.live_board import NONE_YET, Board
from ludus.games.nested.cells import row_and_column
from ludus.rules import load_game, random_line


@pytest.mark.parametrize("seed", range(20))
def test_the_board_agrees_with_the_rules_through_whole_games(seed: int) -> None:
    game = load_game("extreme")
    line = random_line(game, game.start(bonus=bool(seed % 2)), random.Random(seed))
    board = Board(sixteen_by_sixteen(line.start), sixteen_blocks(line.start))
    old = NONE_YET
    for state, move, after in zip(line.states, line.moves, line.states[1:], strict=False):
        legal = {row_and_column(m, 4) for m in game.legal(state)}
        assert set(board.find_valid_move_cells(old)) == legal
        cell, mark = row_and_column(move, 4), "xo"[game.turn(state)]
        assert all(board.check_valid_move(old, (r, c)) == ((r, c) in legal) for r in range(16) for c in range(16))
        is_won = after.x_won | after.o_won != state.x_won | state.o_won
        assert board.update(old, cell, mark) == ("SUCCESSFUL", is_won)
        assert board.board_status == sixteen_by_sixteen(after)
        assert board.block_status == sixteen_blocks(after)
        result = game.result(after)
        if result is None:
            assert board.find_terminal_state() == ("CONTINUE", "-")
        else:
            winner = "x" if result > 0 else "o"
            is_pattern = abs(result) == 68
            assert board.find_terminal_state() == ((winner, "WON") if is_pattern else ("NONE", "DRAW"))
        old = cell


def test_what_may_not_be_played_changes_nothing() -> None:
    game = load_game("extreme")
    board = Board(sixteen_by_sixteen(game.start()), sixteen_blocks(game.start()))
    assert board.update(NONE_YET, (0, 0), "x") == ("SUCCESSFUL", False)
    before = [row[:] for row in board.board_status]
    for cell in ((0, 0), (5, 5), (16, 0), (-1, -1), [0, 1], None):
        assert board.update((0, 0), cell, "o") == ("UNSUCCESSFUL", False)  # type: ignore[arg-type]
    assert board.board_status == before

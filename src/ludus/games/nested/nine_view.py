"""What the two 9x9 games look like."""

from __future__ import annotations

from ludus.games.nested.board_view import Board, nested_view, to_move
from ludus.games.nested.nine import HAS_LINE, State, blocks_won, stones
from ludus.picture import View


def nine_view(s: State, *, ending: str) -> View:
    """The board; `ending` is the status of a finished game, empty while it goes on."""
    board = Board(3, stones(s), blocks_won(s), s.open, s.targets)
    return nested_view(board, status=ending or to_move(board, s.mover), is_line=lambda blocks: HAS_LINE[blocks])

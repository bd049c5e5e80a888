"""The board object of the event `extreme`: bots read its lists, call its methods, and undo by hand.

The lists are the truth, since bots change them directly; so nothing about them is remembered. The patterns are
those of the rules, and `tests/test_live_board.py` plays this board against the rules.
"""

from __future__ import annotations

from ludus.games.extreme.rules import PATTERNS

Cell = tuple[int, int]
ALL = [(row, column) for row in range(4) for column in range(4)]
# Each pattern as the four cells of a block, or the four blocks of the board.
FOURS = [[ALL[cell] for cell in range(16) if pattern >> cell & 1] for pattern in PATTERNS]
NONE_YET = (-1, -1)  # the old move before the first one


class Board:
    """What `move(board, old_move, flag)` is handed."""

    def __init__(self, board_status: list[list[str]], block_status: list[list[str]]) -> None:
        self.board_status = board_status  # 16x16 of '-', 'x', 'o'
        self.block_status = block_status  # 4x4 of '-', 'x', 'o', 'd'

    def find_valid_move_cells(self, old_move: Cell) -> list[Cell]:
        """The cells that may be played after the old move."""
        block = (old_move[0] % 4, old_move[1] % 4)
        is_free = tuple(old_move) == NONE_YET or self.block_status[block[0]][block[1]] != "-"
        blocks = [(i, j) for i, j in ALL if self.block_status[i][j] == "-"] if is_free else [block]
        return [
            (4 * i + row, 4 * j + column)
            for i, j in blocks
            for row, column in ALL
            if self.board_status[4 * i + row][4 * j + column] == "-"
        ]

    def check_valid_move(self, old_move: Cell, new_move: Cell) -> bool:
        """Whether the new move may follow the old one."""
        if not isinstance(new_move, tuple) or len(new_move) != 2:
            return False
        return new_move in self.find_valid_move_cells(old_move)

    def update(self, old_move: Cell, new_move: Cell, ply: str) -> tuple[str, bool]:
        """Put the mark `ply` on the new cell: whether that was allowed, and whether it won a block."""
        if not self.check_valid_move(old_move, new_move):
            return "UNSUCCESSFUL", False
        row, column = new_move
        self.board_status[row][column] = ply
        i, j = row // 4, column // 4
        rows = [line[4 * j : 4 * j + 4] for line in self.board_status[4 * i : 4 * i + 4]]
        if any(all(rows[r][c] == ply for r, c in four) for four in FOURS):
            self.block_status[i][j] = ply
            return "SUCCESSFUL", True
        if all(cell != "-" for line in rows for cell in line):
            self.block_status[i][j] = "d"
        return "SUCCESSFUL", False

    def find_terminal_state(self) -> tuple[str, str]:
        """('x' or 'o', 'WON'), ('CONTINUE', '-') or ('NONE', 'DRAW')."""
        for mark in "xo":
            if any(all(self.block_status[i][j] == mark for i, j in four) for four in FOURS):
                return mark, "WON"
        if any(status == "-" for line in self.block_status for status in line):
            return "CONTINUE", "-"
        return "NONE", "DRAW"

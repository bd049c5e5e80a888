"""The smallest bot for the event nsoc: it plays any legal move. Copy it and begin here."""

import random

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def play(board: list[list[int]], prev_move: tuple[int, int] | None, player: int) -> tuple[int, int]:
    """The referee calls this for every move. 0 is an empty cell, 1 is X, 2 is O; `player` is you."""
    return random.choice(legal_moves(board, prev_move))


def legal_moves(board: list[list[int]], prev_move: tuple[int, int] | None) -> list[tuple[int, int]]:
    """The empty cells of the block that the opponent's move sends you to, or of all open blocks."""
    open_blocks = [block for block in range(9) if is_open(board, block)]
    if prev_move is not None:
        row, col = prev_move
        target = 3 * (row % 3) + col % 3  # the cell within its block names the next block
        if target in open_blocks:
            open_blocks = [target]
    return [(row, col) for block in open_blocks for row, col in cells_of(block) if board[row][col] == 0]


def cells_of(block: int) -> list[tuple[int, int]]:
    """The nine cells of a block, row by row. Blocks are numbered 0 to 8, row by row too."""
    top, left = block // 3 * 3, block % 3 * 3
    return [(top + row, left + col) for row in range(3) for col in range(3)]


def is_open(board: list[list[int]], block: int) -> bool:
    """Whether a block is neither won nor full: nobody plays in a finished block."""
    marks = [board[row][col] for row, col in cells_of(block)]
    is_won = any(marks[a] == marks[b] == marks[c] != 0 for a, b, c in LINES)
    return 0 in marks and not is_won

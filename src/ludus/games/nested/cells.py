"""Names of cells on a board of n x n blocks of n x n cells: move = n * n * block + cell, written "row,col"."""

from __future__ import annotations


def cell_name(move: int, n: int) -> str:
    row, column = row_and_column(move, n)
    return f"{row},{column}"


def row_and_column(move: int, n: int) -> tuple[int, int]:
    """Row and column on the whole board; blocks and cells are counted row by row."""
    block, cell = divmod(move, n * n)
    return block // n * n + cell // n, block % n * n + cell % n


def why_not_here(move: int, n: int, *, finished: str, target_blocks: list[int], is_taken: bool) -> str:
    """Why a move is not legal; `finished` says how its block ended, or is empty."""
    block = move // (n * n)
    if finished:
        return f"block {block} is already {finished}"
    if is_taken:
        return "the cell is taken"
    blocks = " or ".join(str(b) for b in target_blocks)
    return f"the move must be in block {blocks}, and this cell is in block {block}"

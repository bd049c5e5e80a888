"""Positions as the hand-outs draw them: lists of rows, for bots and for nobody else."""

from __future__ import annotations

from typing import Any

from ludus.games.nested.cells import row_and_column
from ludus.games.nested.nine import blocks_won, stones
from ludus.games.subtraction.rules import instance

PLACES = {n: [row_and_column(move, n) for move in range(n**4)] for n in (3, 4)}


def nine_by_nine(state: Any, marks: tuple[Any, Any, Any]) -> list[list[Any]]:
    """The 9x9 board of `ultimate` and `ultimate-adjacent`; marks are those of empty, X and O."""
    return _board(*stones(state), n=3, marks=marks)


def nine_blocks(state: Any) -> list[str]:
    """The nine blocks in a row: '-' open, 'x' and 'o' won, 'D' full."""
    x, o = blocks_won(state)
    return [_status(b, x, o, state.open, "D") for b in range(9)]


def sixteen_by_sixteen(state: Any) -> list[list[str]]:
    """The 16x16 board of `extreme`."""
    x, o = (sum(state[first + word] << 48 * word for word in range(6)) for first in (0, 6))
    return _board(x, o, n=4, marks=("-", "x", "o"))


def sixteen_blocks(state: Any) -> list[list[str]]:
    """The 4x4 blocks of `extreme`: '-' open, 'x' and 'o' won, 'd' full."""
    flat = [_status(b, state.x_won, state.o_won, state.open, "d") for b in range(16)]
    return [flat[4 * row : 4 * row + 4] for row in range(4)]


def three_by_three(state: Any) -> list[list[int]]:
    """The numbers of `subtraction`."""
    board: list[list[int]] = instance(state)["board"]
    return board


def _board(x: int, o: int, *, n: int, marks: tuple[Any, Any, Any]) -> list[list[Any]]:
    empty, first, second = marks
    board = [[empty] * (n * n) for _ in range(n * n)]
    for stones_of, mark in ((x, first), (o, second)):
        rest = stones_of
        while rest:
            row, column = PLACES[n][(rest & -rest).bit_length() - 1]
            board[row][column] = mark
            rest &= rest - 1
    return board


def _status(block: int, x: int, o: int, still_open: int, full: str) -> str:
    return "x" if x >> block & 1 else "o" if o >> block & 1 else "-" if still_open >> block & 1 else full

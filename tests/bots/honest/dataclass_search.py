# verdict: win|draw
# event: nsoc
# Is written in the newest style: data classes, matching, annotations.
from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Literal

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def cells(board, block):
    row, column = block // 3 * 3, block % 3 * 3
    return [board[row + k // 3][column + k % 3] for k in range(9)]


def is_open(board, block):
    marks = cells(board, block)
    return 0 in marks and not any(marks[a] and marks[a] == marks[b] == marks[c] for a, b, c in LINES)


def legal_moves(board, prev_move):
    blocks = [block for block in range(9) if is_open(board, block)]
    if prev_move is not None and (sent := prev_move[0] % 3 * 3 + prev_move[1] % 3) in blocks:
        blocks = [sent]
    return [
        (block // 3 * 3 + k // 3, block % 3 * 3 + k % 3)
        for block in blocks
        for k, mark in enumerate(cells(board, block))
        if not mark
    ]


@dataclasses.dataclass(frozen=True, slots=True, order=True)
class Scored:
    score: int
    move: tuple[int, int] = dataclasses.field(compare=False)


def scored(board: list[list[int]], prev_move: tuple[int, int] | None) -> Iterator[Scored]:
    for move in legal_moves(board, prev_move):
        match move[0] % 3, move[1] % 3:
            case (1, 1):
                yield Scored(3, move)
            case (0 | 2, 0 | 2):
                yield Scored(2, move)
            case _:
                yield Scored(1, move)


def play(board: list[list[int]], prev_move: tuple[int, int] | None, player: Literal[1, 2]) -> tuple[int, int]:
    return max(scored(board, prev_move)).move

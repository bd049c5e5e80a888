"""The picture of a board of n x n blocks of n x n cells, shared by the nested games."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from math import atan2
from typing import NamedTuple

from ludus.games.nested.cells import row_and_column
from ludus.picture import (
    SEAT_TONES,
    Area,
    Flag,
    Item,
    Line,
    Mark,
    Point,
    Seat,
    Tone,
    View,
    coordinates,
    stretched,
)

RIM, GAP, FAR = 0.62, 0.34, 0.34  # before the first block, between blocks, after the last
MARKS = ("x", "o")
NAMES = ("X", "O")


class Board(NamedTuple):
    """What there is to see; all sets are bits, stones over n**4 moves, blocks over n * n."""

    n: int
    stones: tuple[int, int]  # of X and of O
    won: tuple[int, int]
    open: int  # blocks neither won nor full
    targets: int  # blocks the next move may go to, none once the game is over

    def owner(self, block: int) -> int | None:
        return next((seat for seat in (0, 1) if self.won[seat] >> block & 1), None)

    @property
    def is_narrowed(self) -> bool:
        """Whether the next move has less than the whole board to choose from."""
        return self.targets != self.open or self.targets.bit_count() == 1


def nested_view(board: Board, *, status: str, is_line: Callable[[int], bool]) -> View:
    """The whole board; `is_line` says of a set of blocks whether it wins, to find the line to draw."""
    n = board.n
    side = RIM + n * n + (n - 1) * GAP + FAR
    items: list[Item] = [Area("board", 0, 0, side, side, 0.5, "board")]
    for block in range(n * n):
        items += _block(board, block)
    middles = [_place(index, n) + 0.5 for index in range(n * n)]
    items += coordinates(middles, middles)
    for seat in (0, 1):
        for index, blocks in enumerate(winning_lines(board.won[seat], n, is_line)):
            items.append(Line(f"win {seat} {index}", _stroke(blocks, n), "win", SEAT_TONES[seat], 0.2 * n / 3))
    scores = [_count(board.won[seat].bit_count(), "block") for seat in (0, 1)]
    seats = (Seat(NAMES[0], MARKS[0], scores[0]), Seat(NAMES[1], MARKS[1], scores[1]))
    return View((side, side), tuple(items), seats, status)


def to_move(board: Board, mover: int, *, is_bonus: bool = False) -> str:
    """ "X to move in block 1 or 3", "O plays a bonus move anywhere"."""
    blocks = [str(block) for block in range(board.n**2) if board.targets >> block & 1]
    where = f"in block {' or '.join(blocks)}" if board.is_narrowed and len(blocks) <= 4 else "anywhere"
    return f"{NAMES[mover]} {'plays a bonus move' if is_bonus else 'to move'} {where}"


def winning_lines(won: int, n: int, is_line: Callable[[int], bool]) -> list[tuple[int, ...]]:
    """The smallest sets of won blocks that win, n blocks each."""
    if not is_line(won):
        return []
    held = [block for block in range(n * n) if won >> block & 1]
    return [blocks for blocks in combinations(held, n) if is_line(sum(1 << block for block in blocks))]


def _place(index: int, n: int) -> float:
    """Where a row or column of cells begins."""
    return RIM + index + GAP * (index // n)


def _block(board: Board, block: int) -> list[Item]:
    n, owner = board.n, board.owner(block)
    x, y = _place(block % n * n, n), _place(block // n * n, n)
    tone: Tone = "" if owner is None else SEAT_TONES[owner]
    flags: set[Flag] = set()
    if owner is not None:
        flags.add("won")
    elif not board.open >> block & 1:
        flags.add("dead")
    of_cells = frozenset(flags)
    if board.is_narrowed and board.targets >> block & 1:
        flags.add("target")
    label = f"block {block}"
    items: list[Item] = [
        Area(
            f"block {block}",
            x - 0.09,
            y - 0.09,
            n + 0.18,
            n + 0.18,
            0.26,
            "tile",
            tone,
            frozenset(flags),
            label,
        )
    ]
    for cell in range(n * n):
        items += _cell(board, n * n * block + cell, tone, of_cells)
    if owner is not None:
        middle = (x + n / 2, y + n / 2)
        items.append(Mark(f"owner {block}", MARKS[owner], middle, n * 1.05, tone))
    return items


def _cell(board: Board, move: int, block_tone: Tone, block_flags: frozenset[Flag]) -> list[Item]:
    n = board.n
    row, column = row_and_column(move, n)
    x, y, key = _place(column, n), _place(row, n), f"{row},{column}"
    seat = next((seat for seat in (0, 1) if board.stones[seat] >> move & 1), None)
    label = f"row {row} column {column}, block {move // n**2}, {'empty' if seat is None else NAMES[seat]}"
    items: list[Item] = [Area(key, x + 0.045, y + 0.045, 0.91, 0.91, 0.15, "cell", block_tone, block_flags, label)]
    if seat is not None:
        seen: frozenset[Flag] = frozenset()
        if "won" in block_flags:
            seen = frozenset({"faded"})
        elif "dead" in block_flags:
            seen = frozenset({"dead"})
        items.append(Mark(f"stone {key}", MARKS[seat], (x + 0.5, y + 0.5), 0.82, SEAT_TONES[seat], flags=seen))
    return items


def _stroke(blocks: tuple[int, ...], n: int) -> tuple[Point, ...]:
    """A straight line a little past the outer blocks, or a loop where the blocks lie around a point."""
    half = n / 2
    points = [(_place(b % n * n, n) + half, _place(b // n * n, n) + half) for b in blocks]
    (x0, y0), (x1, y1) = points[0], points[-1]
    if all(abs((x - x0) * (y1 - y0) - (y - y0) * (x1 - x0)) < 0.01 for x, y in points):
        return stretched((points[0], points[-1]), 0.27 * n)
    mid_x, mid_y = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
    around = sorted(points, key=lambda point: atan2(point[1] - mid_y, point[0] - mid_x))
    return (*around, around[0])


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"

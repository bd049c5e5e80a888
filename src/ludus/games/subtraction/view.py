"""What Subtraction looks like: nine numbers, and a handle for every row and column."""

from __future__ import annotations

from itertools import combinations

from ludus.games.subtraction.rules import (
    MOVES,
    ZERO_LINE,
    State,
    final_costs,
    how_it_ended,
    moves,
    result,
)
from ludus.picture import Area, Flag, Item, Seat, Text, Tone, View

CELL, RIM, FAR = 1.5, 1.3, 0.3
SIDE = RIM + 3 * CELL + FAR
NAMES = ("Player 1", "Player 2")
KEYS = ("row0", "row1", "row2", "column0", "column1", "column2")


def view(s: State) -> View:
    numbers = s[:9]
    items: list[Item] = [Area("board", 0, 0, SIDE, SIDE, 0.45, "board")]
    for line in range(6):
        items += _handle(line, is_live=bool(moves(s) >> 3 * line & 7))
    zero_cells = _cells_of_zero_lines(numbers)
    for cell, number in enumerate(numbers):
        items += _number(cell, number, is_good=cell in zero_cells)
    first, second = (s.first_cost, s.second_cost) if result(s) is None else final_costs(s)
    return View(
        (SIDE, SIDE),
        tuple(items),
        (Seat(NAMES[0], "disc", f"cost {first}"), Seat(NAMES[1], "disc", f"cost {second}")),
        _status(s),
        paths={move: (KEYS[move // 3],) for move in range(MOVES)},
        choices={move: f"−{move % 3 + 1}" for move in range(MOVES)},
        traces={move: (KEYS[move // 3], *map(_cell_key, _cells(move // 3))) for move in range(MOVES)},
        characters=(7, 3),
    )


def _cells(line: int) -> range:
    return range(3 * line, 3 * line + 3) if line < 3 else range(line - 3, 9, 3)


def _cell_key(cell: int) -> str:
    return f"cell{cell // 3},{cell % 3}"


def _cells_of_zero_lines(numbers: tuple[int, ...]) -> set[int]:
    """The cells of lines of zeros, found by asking the rules about every three zeros."""
    if how_it_ended(*numbers) != ZERO_LINE:
        return set()
    zeros = [cell for cell in range(9) if numbers[cell] == 0]
    lines = [
        line
        for line in combinations(zeros, 3)
        if how_it_ended(*(int(cell not in line) for cell in range(9))) == ZERO_LINE
    ]
    return {cell for line in lines for cell in line}


def _handle(line: int, *, is_live: bool) -> list[Item]:
    along = RIM + line % 3 * CELL + 0.1
    is_row = line < 3
    x, y = (0.35, along) if is_row else (along, 0.35)
    width, height = (0.75, CELL - 0.2) if is_row else (CELL - 0.2, 0.75)
    flags: frozenset[Flag] = frozenset() if is_live else frozenset({"off"})
    label = (f"row {line}" if is_row else f"column {line - 3}") + ("" if is_live else ", blocked")
    area = Area(KEYS[line], x, y, width, height, 0.2, "handle", "", flags, label)
    sign = ("▸" if is_row else "▾") if is_live else "×"
    return [area, Text(f"sign {KEYS[line]}", f"{line}{sign}", area.centre, 0.36, "muted")]


def _number(cell: int, number: int, *, is_good: bool) -> list[Item]:
    row, column = divmod(cell, 3)
    is_dead = number == 0 and not is_good
    flags: frozenset[Flag] = frozenset({"dead"}) if is_dead else frozenset()
    area = Area(
        _cell_key(cell),
        RIM + column * CELL + 0.05,
        RIM + row * CELL + 0.05,
        CELL - 0.1,
        CELL - 0.1,
        0.2,
        "cell",
        "good" if is_good else "",
        flags,
        f"row {row} column {column}, {number}",
    )
    tone: Tone = "good" if is_good else "muted" if is_dead else ""
    text = str(number)
    size = min(0.72, (CELL - 0.25) / (0.64 * len(text)))  # a digit is less than 0.64 of its size wide
    return [area, Text(f"number {cell}", text, area.centre, size, tone)]


def _status(s: State) -> str:
    payoff = result(s)
    if payoff is None:
        return f"{NAMES[s.mover]} to move: take 1, 2 or 3 from a row or a column"
    how = "A line of zeros" if s.ended == ZERO_LINE else "No move left"
    if payoff == 0:
        return f"{how}: draw"
    return f"{how}: {NAMES[payoff < 0]} wins by {abs(payoff)}"

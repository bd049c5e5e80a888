"""Connect Four: drop a disc into one of seven columns of six cells; four of your discs in a line win."""

from __future__ import annotations

from typing import NamedTuple

from ludus.picture import Seat, View, grid

NAME, MOVES = "Connect Four", 7  # a move is a column
COLUMNS, ROWS, STEP = 7, 6, 7  # a column takes STEP bits: its cells from the bottom up, and one that stays empty
CELLS = (1 << ROWS) - 1
UP, ACROSS, FALLING, RISING = 1, STEP, STEP - 1, STEP + 1


class State(NamedTuple):
    mine: int  # discs of the side to move; bit STEP * column + row
    theirs: int


def start() -> State:
    return State(0, 0)


def turn(s: State) -> int:
    return (s.mine | s.theirs).bit_count() & 1


def moves(s: State) -> int:
    if has_four(s.theirs):
        return 0
    taken, columns = s.mine | s.theirs, 0
    for column in range(COLUMNS):
        if taken >> STEP * column + ROWS - 1 & 1 == 0:
            columns |= 1 << column
    return columns


def play(s: State, m: int) -> State:
    taken = s.mine | s.theirs
    disc = taken + (1 << STEP * m) & ~taken & CELLS << STEP * m  # the carry runs up to the lowest free cell
    return State(s.theirs, s.mine | disc)


def result(s: State) -> int | None:
    if has_four(s.theirs):  # only the side that has just moved can have won
        return 1 if turn(s) == 1 else -1
    return 0 if moves(s) == 0 else None


def has_four(discs: int) -> bool:
    for way in (UP, ACROSS, FALLING, RISING):
        pairs = discs & discs >> way
        if pairs & pairs >> 2 * way:
            return True
    return False


def move_name(m: int) -> str:
    return str(m)  # the number beside the column


def why_not(s: State, m: int) -> str:
    if result(s) is not None:
        return "the game is over"
    return f"column {move_name(m)} is full"


def symmetries(s: State) -> tuple[State, State]:
    """The position and its mirror, for `ludus train`."""
    return s, State(mirrored(s.mine), mirrored(s.theirs))


def mirrored(discs: int) -> int:
    seen = 0
    for column in range(COLUMNS):
        seen |= (discs >> STEP * column & CELLS) << STEP * (COLUMNS - 1 - column)
    return seen


def view(s: State) -> View:
    first, second = (s.mine, s.theirs) if turn(s) == 0 else (s.theirs, s.mine)
    cells = [["." for _ in range(COLUMNS)] for _ in range(ROWS)]  # the top row first
    paths = {}  # the cell to click for each move: where the disc will land
    for column in range(COLUMNS):
        for row in range(ROWS):
            bit = 1 << STEP * column + row
            cells[ROWS - 1 - row][column] = "x" if first & bit else "o" if second & bit else "."
        height = ((first | second) >> STEP * column & CELLS).bit_count()
        if height < ROWS:
            paths[column] = (f"{ROWS - 1 - height},{column}",)
    seats = (Seat("Blue"), Seat("Red"))
    return grid(cells, marks={"x": ("disc", "first"), "o": ("disc", "second")}, seats=seats, paths=paths)

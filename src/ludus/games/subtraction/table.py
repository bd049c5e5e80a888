"""Every position of a subtraction board in one table, filled backwards: perfect play by looking up.

Six totals (what each line has lost) name a position many times over: a point more from every row is the same as a
point more from every column. Five numbers are enough: what the cells of row 0 have lost, and by how much more the
other rows have lost than row 0. With n the numbers of the board:

    x_j     lost by cell 0,j            x_j <= n_0j
    y_i     rows 1 and 2 less row 0     cell i,j has lost x_j + y_i <= n_ij

    a row 0 move of k    x_0 + k, x_1 + k, x_2 + k, y_1 - k, y_2 - k
    a row i move         y_i + k
    a column j move      x_j + k

A move is legal exactly if it leads to a position. All of them raise x_0, or leave it and raise one other number: so
the table is filled from the greatest x_0 down, and inside that from the greatest of the others down. For each pair
(y_1, y_2) there is a box of x_0, x_1, x_2, all from `low_of` to `top_of`; x_2 runs fastest.

An entry is what the position is worth to the one who has just moved there: the reward or penalty if the game is over,
else the opponent's best, negated. No entry is beyond 1 + max(reward, penalty): whoever always takes 1 pays at most
1 more than the opponent.

Nothing that is lost comes back. So of a table that is filled while the game goes on, only positions are still wanted in
which every cell has lost at least what it has lost by now: its `floor`.

Arrays are whatever the caller brings; the functions are compiled, or run as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludus.games.subtraction.rules import ZERO_LINE, State, how_it_ended

REWARD, PENALTY, INVALID = 9, 10, 11  # of the array that describes a board, after its nine numbers
CELLS = 9  # and as many numbers in a floor
STRIDE = 16  # entries are looked at in groups of so many, whether needed or not: 1.5 times as fast
WAYS = 32  # room to write down the ways to other boxes
REACH = 3  # the most that a move takes
MOST_BOXES = 1 << 24
MOST_ENTRIES = 1 << 60  # of a table: counting further would leave 63 bits


def board_of(s: State) -> tuple[int, ...]:
    """The board as the functions here want it: all positions from this one on are in its table."""
    highest = max(s.reward, s.penalty)
    return *s[:9], s.reward, s.penalty, -2 * highest - 20


def boxes_of(n: Sequence[int]) -> tuple[int, int]:
    """How many values y_1 and y_2 can have."""
    row0, row1, row2 = min(n[0], n[1], n[2]), min(n[3], n[4], n[5]), min(n[6], n[7], n[8])
    return row0 + row1 + 1, row0 + row2 + 1


def least_entries(n: Sequence[int]) -> int:
    """A table is at least as large as the box where all rows have lost the same."""
    return (top_of(n, 0, 0, 0) + 1) * (top_of(n, 1, 0, 0) + 1) * (top_of(n, 2, 0, 0) + 1)


def layers_of(n: Sequence[int]) -> int:
    """How many values x_0 can have."""
    return min(n[0], min(n[0], n[1], n[2]) + min(n[0], n[3], n[6])) + 1


def margin_of(n: Sequence[int]) -> int:
    """The entries before the first box and behind the last, all INVALID: where illegal moves lead."""
    return min(n[2], min(n[0], n[1], n[2]) + min(n[2], n[5], n[8])) + 1 + STRIDE


def place_of(n: Sequence[int], begins: Any, width: int, s: State) -> int | None:
    """Where the entry of a position stands, None if it is not one of this board's."""
    x0, x1, x2 = n[0] - s.a, n[1] - s.b, n[2] - s.c
    y1, y2 = n[3] - s.d - x0, n[6] - s.g - x0
    low = low_of(y1, y2)
    rest = (s.a, s.b, s.c, s.d, s.e, s.f, s.g, s.h, s.i)
    lost = (x0, x1, x2, x0 + y1, x1 + y1, x2 + y1, x0 + y2, x1 + y2, x2 + y2)
    if min(x0, x1, x2) < low or any(whole - part != left for whole, part, left in zip(n, lost, rest, strict=False)):
        return None
    return known_place(n, begins, width, s)


def known_place(n: Sequence[int], begins: Any, width: int, s: State) -> int:
    """The same for a position that is known to be one of this board's."""
    x0, x1, x2 = n[0] - s.a, n[1] - s.b, n[2] - s.c
    y1, y2 = n[3] - s.d - x0, n[6] - s.g - x0
    low, shift = low_of(y1, y2), min(n[0], n[1], n[2])
    across, step = top_of(n, 1, y1, y2) - low + 1, top_of(n, 2, y1, y2) - low + 1
    return int(begins[(y1 + shift) * width + y2 + shift]) + ((x0 - low) * across + x1 - low) * step + x2 - low


def lost_in(n: Sequence[int], s: State) -> tuple[int, ...]:
    """What each cell has lost: the floor of all positions from this one on."""
    return tuple(whole - left for whole, left in zip(n[:CELLS], s[:CELLS], strict=True))


def slice_of(n: Sequence[int], s: State) -> tuple[int, int]:
    """The x_0 and the row of boxes with which `fill` fills the entry of a position."""
    x0 = n[0] - s.a
    return x0, n[3] - s.d - x0 + min(n[0], n[1], n[2])


def low_of(y1: int, y2: int) -> int:
    """The least that a cell of row 0 has lost: rows that have lost less than it have lost at least nothing."""
    return max(0, -y1, -y2)


def top_of(n: Sequence[int], j: int, y1: int, y2: int) -> int:
    """The most that cell 0,j can have lost; below `low_of` when there is no position with these differences."""
    return min(n[j], n[3 + j] - y1, n[6 + j] - y2)


def least_of(floor: Sequence[int], j: int, y1: int, y2: int) -> int:
    """The least that cell 0,j has lost where every cell has lost its floor."""
    return max(floor[j], floor[3 + j] - y1, floor[6 + j] - y2)


def place_boxes(n: Sequence[int], begins: Any, rows: int, width: int) -> tuple[int, int]:
    """Entry point: where the box of each (y_1, y_2) begins, 0 where there is none.

    Gives back how long the table is, and how many entries `fill` fills at most. `begins` has `rows` rows for y_1 and
    `width` columns for y_2, each from minus the least number of row 0 up. A table that is longer than MOST_ENTRIES is
    said to be so long.
    """
    margin = margin_of(n)
    end, largest = margin, 0
    shift = min(n[0], n[1], n[2])
    for row in range(rows):
        at_once = 0
        for column in range(width):
            y1, y2 = row - shift, column - shift
            low = low_of(y1, y2)
            deep = max(0, top_of(n, 0, y1, y2) - low + 1)
            size = max(0, top_of(n, 1, y1, y2) - low + 1) * max(0, top_of(n, 2, y1, y2) - low + 1)
            at_once += size if deep > 0 else 0
            begins[row * width + column] = end if deep * size > 0 else 0
            end += deep * size
            if end > MOST_ENTRIES:
                return MOST_ENTRIES, MOST_ENTRIES
        largest = max(largest, at_once)
    return end + margin, largest


def along(n: Sequence[int], begins: Any, width: int, x0: int, y1: int, y2: int, ways: Any, way: int) -> None:
    """Write down the way through a box at x_0: where x_1 = x_2 = 0 would stand, and how far apart the x_1 are."""
    shift = min(n[0], n[1], n[2])
    begin = begins[(y1 + shift) * width + y2 + shift]
    low = low_of(y1, y2)
    across = top_of(n, 1, y1, y2) - low + 1
    step = top_of(n, 2, y1, y2) - low + 1
    ways[2 * way] = begin + ((x0 - low) * across - low) * step - low
    ways[2 * way + 1] = step


def best_of_five(room: Any, a: Any, b: Any, c: Any, d: Any, e: Any) -> None:
    """For positions side by side, the better of what is there and five moves that take as much; less 1."""
    for j in range(len(room)):
        best = room[j]
        best = a[j] if a[j] > best else best
        best = b[j] if b[j] > best else best
        best = c[j] if c[j] > best else best
        best = d[j] if d[j] > best else best
        best = e[j] if e[j] > best else best
        room[j] = best - 1


def fill_row(  # noqa: PLR0912  # a call per part would cost more than it explains
    n: Sequence[int], table: Any, room: Any, ways: Any, x0: int, x1: int, y1: int, y2: int, low: int
) -> None:
    """Fill positions that differ in x_2 alone, from `low` up; what they lead to is there, on the ways written down."""
    top = top_of(n, 2, y1, y2)
    here = ways[0] + ways[1] * x1
    a, d, g = n[0] - x0, n[3] - x0 - y1, n[6] - x0 - y2
    b, e, h = n[1] - x1, n[4] - x1 - y1, n[7] - x1 - y2
    if a | d | g == 0 or b | e | h == 0:
        for x2 in range(low, top + 1):
            table[here + x2] = n[REWARD]
        return
    # What the moves that leave x_2 alone, or raise it by a row 0 move, bring; from 3 down, 1 paid at a time.
    size = top - low + 1
    padded = (size + STRIDE - 1) // STRIDE * STRIDE if size > REACH else 0
    for j in range(padded):
        room[j] = n[INVALID]
    row0, row1, row2, column0, column1 = min(a, b), min(d, e), min(g, h), min(a, d, g), min(b, e, h)
    for k in range(REACH if padded > 0 else 0, 0, -1):
        p = ways[10 * k - 8] + ways[10 * k - 7] * (x1 + k) + k + low if row0 >= k else 0
        q = ways[10 * k - 6] + ways[10 * k - 5] * x1 + low if row1 >= k else 0
        r = ways[10 * k - 4] + ways[10 * k - 3] * x1 + low if row2 >= k else 0
        s = ways[10 * k - 2] + ways[10 * k - 1] * x1 + low if column0 >= k else 0
        t = here + ways[1] * k + low if column1 >= k else 0
        best_of_five(
            room[:padded],
            table[p : p + padded],
            table[q : q + padded],
            table[r : r + padded],
            table[s : s + padded],
            table[t : t + padded],
        )
    # In the top three, a row move may not fit column 2.
    one = two = three = n[INVALID]
    for x2 in range(top, max(low, top - REACH + 1) - 1, -1):
        c, f, i = n[2] - x2, n[5] - x2 - y1, n[8] - x2 - y2
        best = max(three - 3, two - 2, one - 1)
        for k in range(1, REACH + 1):
            if row0 >= k and c >= k:
                best = max(best, table[ways[10 * k - 8] + ways[10 * k - 7] * (x1 + k) + x2 + k] - k)
            if row1 >= k and f >= k:
                best = max(best, table[ways[10 * k - 6] + ways[10 * k - 5] * x1 + x2] - k)
            if row2 >= k and i >= k:
                best = max(best, table[ways[10 * k - 4] + ways[10 * k - 3] * x1 + x2] - k)
            if column0 >= k:
                best = max(best, table[ways[10 * k - 2] + ways[10 * k - 1] * x1 + x2] - k)
            if column1 >= k:
                best = max(best, table[here + ways[1] * k + x2] - k)
        if how_it_ended(a, b, c, d, e, f, g, h, i) == ZERO_LINE:
            best = -n[REWARD]
        elif best < n[INVALID] // 2:  # no move was legal
            best = n[PENALTY]
        three, two, one = two, one, -best
        table[here + x2] = -best
    for j in range(size - 1 - REACH, -1, -1):
        best = max(three - 3, two - 2, room[j], one - 1)
        three, two, one = two, one, -best
        table[here + low + j] = -best


def fill(
    n: Sequence[int],
    begins: Any,
    rows: int,
    width: int,
    table: Any,
    room: Any,
    ways: Any,
    floor: Sequence[int],
    x0: int,
    row: int,
) -> int:
    """Entry point: fill all positions with this x_0 and y_1, when those with a greater one of either are filled.

    Only those where every cell has lost its floor; how many they are.
    """
    shift = min(n[0], n[1], n[2])
    filled = 0
    for column in range(width - 1, -1, -1):
        y1, y2 = row - shift, column - shift
        if begins[row * width + column] == 0 or x0 < least_of(floor, 0, y1, y2) or x0 > top_of(n, 0, y1, y2):
            continue
        low1, low2 = least_of(floor, 1, y1, y2), least_of(floor, 2, y1, y2)
        filled += max(0, top_of(n, 1, y1, y2) - low1 + 1) * max(0, top_of(n, 2, y1, y2) - low2 + 1)
        along(n, begins, width, x0, y1, y2, ways, 0)
        for k in range(1, REACH + 1):
            if row >= k and column >= k:
                along(n, begins, width, x0 + k, y1 - k, y2 - k, ways, 5 * k - 4)
            if row + k < rows:
                along(n, begins, width, x0, y1 + k, y2, ways, 5 * k - 3)
            if column + k < width:
                along(n, begins, width, x0, y1, y2 + k, ways, 5 * k - 2)
            along(n, begins, width, x0 + k, y1, y2, ways, 5 * k - 1)
        for x1 in range(top_of(n, 1, y1, y2), low1 - 1, -1):
            fill_row(n, table, room, ways, x0, x1, y1, y2, low2)
    return filled

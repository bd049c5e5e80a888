"""Subtraction: take 1, 2 or 3 from every number of a row or column; what you take is your cost.

A move is 3 * line + (k - 1); lines 0 to 2 are the rows, 3 to 5 the columns. The numbers stand in nine
fields, row by row:

           column 3  4  5
    row 0         a  b  c
    row 1         d  e  f
    row 2         g  h  i
"""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from ludus.games.typed_board import rows_of

NAME = "Subtraction"
MOVES = 18
ALL = (1 << MOVES) - 1
LARGEST = 1_000_000
GOES_ON, ZERO_LINE, BLOCKED = 0, 1, 2


class State(NamedTuple):
    a: int
    b: int
    c: int
    d: int
    e: int
    f: int
    g: int
    h: int
    i: int
    first_cost: int  # what each seat has subtracted so far
    second_cost: int
    mover: int  # the seat to move
    ended: int  # GOES_ON, ZERO_LINE or BLOCKED
    reward: int  # for the one who makes a line of zeros
    penalty: int  # for the one who leaves no move


def start(
    board: object = None,
    low: int = 50,
    high: int = 99,
    seed: int = 0,
    reward: int = 15,
    penalty: int = 7,
) -> State:
    """The given 3x3 board, or nine numbers drawn uniformly from low to high."""
    for name, value in (("low", low), ("high", high), ("reward", reward), ("penalty", penalty)):
        if type(value) is not int or not 0 <= value <= LARGEST:
            raise ValueError(f"{name} is a whole number from 0 to {LARGEST}, not {str(value)[:20]!r}")
    if low > high:
        raise ValueError(f"low is {low} and high is {high}; low must not be above high")
    if type(seed) is not int:
        raise ValueError(f"seed is a whole number, not {str(seed)[:20]!r}")
    if board is None:
        rng = random.Random(seed)
        rows = [[rng.randint(low, high) for _ in range(3)] for _ in range(3)]
    else:
        rows = rows_of(board)
    if [len(row) for row in rows] != [3, 3, 3]:
        raise ValueError("the board must have three rows of three numbers")
    numbers = [number for row in rows for number in row]
    for number in numbers:
        if not 0 <= number <= LARGEST:
            raise ValueError(f"the board holds {str(number)[:20]}; numbers go from 0 to {LARGEST}")
    a, b, c, d, e, f, g, h, i = numbers
    ended = how_it_ended(a, b, c, d, e, f, g, h, i)
    return State(a, b, c, d, e, f, g, h, i, 0, 0, 0, ended, reward, penalty)


def instance(s: State) -> dict[str, Any]:
    return {
        "board": [[s.a, s.b, s.c], [s.d, s.e, s.f], [s.g, s.h, s.i]],
        "reward": s.reward,
        "penalty": s.penalty,
    }


def turn(s: State) -> int:
    return s.mover


def up_to_three(x: int, y: int, z: int) -> int:
    """The amounts that a line of three numbers allows, as bits: 1, 2 and 3."""
    return (1 << min(x, y, z, 3)) - 1


def moves(s: State) -> int:
    if s.ended != GOES_ON:
        return 0
    if min(s.a, s.b, s.c, s.d, s.e, s.f, s.g, s.h, s.i) >= 3:  # nearly always: 1.2 times as fast with it
        return ALL
    return (
        up_to_three(s.a, s.b, s.c)
        | up_to_three(s.d, s.e, s.f) << 3
        | up_to_three(s.g, s.h, s.i) << 6
        | up_to_three(s.a, s.d, s.g) << 9
        | up_to_three(s.b, s.e, s.h) << 12
        | up_to_three(s.c, s.f, s.i) << 15
    )


def how_it_ended(a: int, b: int, c: int, d: int, e: int, f: int, g: int, h: int, i: int) -> int:
    """ZERO_LINE is tested first: a row, a column or a diagonal of zeros."""
    if min(a, b, c, d, e, f, g, h, i) > 0:  # nearly always
        return GOES_ON
    if (
        a | b | c == 0
        or d | e | f == 0
        or g | h | i == 0
        or a | d | g == 0
        or b | e | h == 0
        or c | f | i == 0
        or a | e | i == 0
        or c | e | g == 0
    ):
        return ZERO_LINE
    if (
        min(a, b, c) == 0
        and min(d, e, f) == 0
        and min(g, h, i) == 0
        and min(a, d, g) == 0
        and min(b, e, h) == 0
        and min(c, f, i) == 0
    ):
        return BLOCKED
    return GOES_ON


def play(s: State, m: int) -> State:
    line, k = m // 3, m % 3 + 1
    in_row_0, in_row_1, in_row_2 = k * (line == 0), k * (line == 1), k * (line == 2)
    in_column_0, in_column_1, in_column_2 = k * (line == 3), k * (line == 4), k * (line == 5)
    a, b, c = s.a - in_row_0 - in_column_0, s.b - in_row_0 - in_column_1, s.c - in_row_0 - in_column_2
    d, e, f = s.d - in_row_1 - in_column_0, s.e - in_row_1 - in_column_1, s.f - in_row_1 - in_column_2
    g, h, i = s.g - in_row_2 - in_column_0, s.h - in_row_2 - in_column_1, s.i - in_row_2 - in_column_2
    ended = how_it_ended(a, b, c, d, e, f, g, h, i)
    first, second = s.first_cost, s.second_cost
    if s.mover == 0:
        first += k
    else:
        second += k
    return State(a, b, c, d, e, f, g, h, i, first, second, 1 - s.mover, ended, s.reward, s.penalty)


def final_costs(s: State) -> tuple[int, int]:
    """What each seat pays in the end; a start that is already finished changes nobody's cost."""
    first, second = s.first_cost, s.second_cost
    if first + second == 0:
        return first, second
    change = -s.reward if s.ended == ZERO_LINE else s.penalty
    if s.mover == 1:  # so the first seat has moved last
        return first + change, second
    return first, second + change


def result(s: State) -> int | None:
    """The second seat's cost less the first seat's: the lower cost wins."""
    if s.ended == GOES_ON:
        return None
    first, second = final_costs(s)
    return second - first


def banked(s: State) -> int:
    return s.second_cost - s.first_cost


def core(s: State) -> State:
    """The numbers, whatever it cost to get there."""
    return State(s.a, s.b, s.c, s.d, s.e, s.f, s.g, s.h, s.i, 0, 0, s.mover, s.ended, s.reward, s.penalty)


def move_name(m: int) -> str:
    return f"{m // 3},{m % 3 + 1}"


def why_not(s: State, m: int) -> str:
    numbers = (s.a, s.b, s.c, s.d, s.e, s.f, s.g, s.h, s.i)
    line, k = m // 3, m % 3 + 1
    where = f"row {line}" if line < 3 else f"column {line - 3}"
    smallest = min(numbers[3 * line : 3 * line + 3] if line < 3 else numbers[line - 3 :: 3])
    return f"{where} contains a 0" if smallest == 0 else f"the smallest number of {where} is {smallest}, less than {k}"

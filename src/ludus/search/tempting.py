"""Which of several best moves tempts the opponent into a mistake: games of a perfect player against a greedy one."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.compile.bits import plain
from ludus.compile.interface import Words, banked, first, load, moves, play, result, some, turn, without_first
from ludus.rules import State
from ludus.search.playouts import random_below, scramble

WIN, DRAW, MARGIN = 2000, 1000, 100  # what a game counts, besides a margin of at most so much


@cache
def tempting(known_place: Callable[[Words, Words, int, State], int]) -> Callable[..., int]:
    """The search for a game whose table holds a position at the place that the function names."""

    def worth(board: Words, begins: Words, width: int, table: NDArray[Any], child: State, is_perfect: bool) -> int:
        """What a move brings the one who made it: by the table, or at once."""
        sign = 1 if turn(child) == 1 else -1  # turns alternate in a game that has such a table
        payoff = result(child)
        if payoff is not None:
            return sign * payoff
        rest = plain(table[known_place(board, begins, width, child)]) if is_perfect else 0
        return sign * banked(child) + rest

    def tempt(
        board: Words,
        begins: Words,
        width: int,
        table: NDArray[Any],
        root: Words,
        seat: int,
        games: int,
        rng: NDArray[np.uint64],
        room: Words,
    ) -> int:
        """Entry point: what the seat scores in so many games, itself perfect, against an opponent who is greedy."""
        total = 0
        for _ in range(games):
            state = load(root, 0)
            payoff = result(state)
            while payoff is None:
                best, size, is_perfect = -(1 << 60), 0, turn(state) == seat
                rest = moves(state)
                while some(rest):
                    move = first(rest)
                    rest = without_first(rest)
                    this = worth(board, begins, width, table, play(state, move), is_perfect)
                    if this > best:
                        best, size = this, 0
                    if this == best:
                        room[size] = move
                        size += 1
                rng[0] = scramble(rng[0])
                state = play(state, plain(room[random_below(rng[0], size)]))
                payoff = result(state)
            lead = payoff if seat == 0 else -payoff
            total += (WIN if lead > 0 else DRAW if lead == 0 else 0) + min(max(lead, -MARGIN), MARGIN)
        return total

    return tempt

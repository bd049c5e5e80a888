"""Solve small boards exactly: the values that the pages of slant and subtraction state.

    python docs/games/solve_small.py             # about ten seconds
    python docs/games/solve_small.py 100         # and the 4 x 4 slant boards with seeds 0 to 99, some seconds each

All values are seat 0's payoff when both sides play perfectly.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from math import prod

import numba
import numpy as np

from ludus.rules import Game, State, load_game

SLANT, SUBTRACTION = load_game("slant"), load_game("subtraction")


def best_payoff(game: Game, state: State) -> int:
    """Minimax over the whole tree, nothing pruned and nothing remembered."""
    result = game.result(state)
    if result is not None:
        return result
    choose = max if game.turn(state) == 0 else min
    return choose(best_payoff(game, game.play(state, move)) for move in game.legal(state))


def all_two_by_two_boards() -> Counter[int]:
    """How many of the 4**9 slant boards with m = 2 have each value.

    A circle with a number above the cells around its point never closes and counts as none, which leaves 5184 boards.
    """
    kinds = [1, 2, 1, 2, 4, 2, 1, 2, 1]  # cells around each of the nine points
    numbers = [[0] + [n for n in (1, 2, 3) if n <= cells] for cells in kinds]
    found: Counter[int] = Counter()
    for board in product(*numbers):
        boards = prod(1 if n else 1 + sum(k > cells for k in (1, 2, 3)) for n, cells in zip(board, kinds, strict=True))
        state = SLANT.start(circles=[list(board[r : r + 3]) for r in (0, 3, 6)])
        found[best_payoff(SLANT, state)] += boards
    return found


@cache
def best_lead(board: tuple[int, ...]) -> int:
    """By how much the mover's cost ends below the opponent's, counted from an unfinished board of subtraction on."""
    state = SUBTRACTION.start(board=[list(board[r : r + 3]) for r in (0, 3, 6)])
    leads = []
    for move in SUBTRACTION.legal(state):
        after = SUBTRACTION.play(state, move)
        payoff = SUBTRACTION.result(after)
        leads.append(-(move % 3 + 1) - best_lead(after[:9]) if payoff is None else payoff)
    return max(leads)


@numba.njit(cache=False)
def slant_value(m: int, numbers: np.ndarray, future: np.ndarray) -> int:
    """Backward over all fillings, coded in base 3; `future` receives the mover's gain from each filling on."""
    cells, points = m * m, m + 1
    place = 3 ** np.arange(cells)
    for code in range(3**cells - 1, -1, -1):
        filled = code // place % 3
        slashes, backslashes = (filled == 1).sum(), (filled == 2).sum()
        if slashes - backslashes not in (0, 1) or slashes + backslashes == cells:
            continue
        touches = np.zeros(points * points, np.int64)
        for i in range(cells):
            at = i // m * points + i % m
            if filled[i] == 1:
                touches[at + 1] += 1
                touches[at + points] += 1
            elif filled[i] == 2:
                touches[at] += 1
                touches[at + points + 1] += 1
        seat = slashes - backslashes
        best = -1000
        for i in range(cells):
            if filled[i] == 0:
                at = i // m * points + i % m
                gain = 0
                for point in (at + 1 - seat, at + points + seat):
                    if numbers[point] == touches[point] + 1:
                        gain += numbers[point]
                best = max(best, gain - future[code + (seat + 1) * place[i]])
        future[code] = best
    return future[0]


def four_by_four(seed: int) -> int:
    circles = SLANT.instance(SLANT.start(m=4, seed=seed), {})["circles"]
    return int(slant_value(4, np.array(circles).ravel(), np.zeros(3**16, np.int8)))


def report(boards: int) -> Iterator[str]:
    yield f"slant, the hand-out's board: {best_payoff(SLANT, SLANT.start(circles='101/020/001'))}"
    yield f"slant, all boards with m = 2: {dict(sorted(all_two_by_two_boards().items()))}"
    for board in ((4, 2, 3, 2, 3, 4, 3, 4, 2), (2, 4, 3, 4, 2, 4, 3, 4, 2)):
        yield f"subtraction, {board}: {best_lead(board)}"
    yield f"subtraction, all nine numbers n: { {n: best_lead((n,) * 9) for n in range(1, 13)} }"
    values = [four_by_four(seed) for seed in range(boards)]
    if values:
        wins, draws = sum(v > 0 for v in values), values.count(0)
        yield f"slant, m = 4, seeds 0 to {boards - 1}: {values}"
        yield f"of these player 1 wins {wins}, {draws} are drawn, player 2 wins {boards - wins - draws}"


if __name__ == "__main__":
    for line in report(int(sys.argv[1]) if len(sys.argv) > 1 else 0):
        sys.stdout.write(line + "\n")

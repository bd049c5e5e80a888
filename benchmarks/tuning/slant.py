"""Fit the weights of `slant` by quick games that it plays against itself.

    python benchmarks/tuning/slant.py --games 60000

TD(lambda) with a look of one ply ahead on random boards of 6 x 6 and other sizes: every position is moved towards what
followed it. Rules and learning run as one compiled loop (`ludus.compile.link`). Halfway through, the step begins to
shrink. The weights go to the game's weights.py; the same seed gives the same weights.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path

import numpy as np

from ludus.compile.interface import count, first, load, moves, pick, play, result, some, turn, without_first
from ludus.compile.link import link
from ludus.games.slant import evaluation as ev
from ludus.rules import load_game
from ludus.search.playouts import random_below, scramble
from ludus.search.seeds import seed_of

CIRCLES, TEMPI, CLOSINGS, PARAMETERS = 0, 54, 54 + 104, 54 + 104 + 16
GAINED, SIGN, COLUMNS = PARAMETERS, PARAMETERS + 1, PARAMETERS + 2  # of a row, behind the features
MOST_PLIES = 144
STEP, TRACE, RANDOM_SHARE = 0, 1, 2  # of the rates
BATCH = 5000  # games between two reports
SIZES = (4, 6, 6, 6, 6, 8)  # of the boards, in turn
STARTS = 1200


def cell_is_free(state, r, c):
    if r < 0 or c < 0 or r >= state.size or c >= state.size:
        return 0
    word = state.free0 if r < 4 else state.free1 if r < 8 else state.free2
    return word >> 12 * (r % 4) + c & 1


def plane(w0, w1, w2, w3, r, c):
    word = w0 if r < 4 else w1 if r < 8 else w2 if r < 12 else w3
    return word >> 13 * (r % 4) + c & 1


def wanted(state, r, c):
    lo = plane(state.wants_lo0, state.wants_lo1, state.wants_lo2, state.wants_lo3, r, c)
    return lo + 2 * plane(state.wants_hi0, state.wants_hi1, state.wants_hi2, state.wants_hi3, r, c)


def number(state, r, c):
    lo = plane(state.number_lo0, state.number_lo1, state.number_lo2, state.number_lo3, r, c)
    return lo + 2 * plane(state.number_hi0, state.number_hi1, state.number_hi2, state.number_hi3, r, c)


def ways(state, seat, r, c):
    """The free cells from which a seat can touch a point."""
    if seat == 0:
        return cell_is_free(state, r - 1, c) + cell_is_free(state, r, c - 1)
    return cell_is_free(state, r - 1, c - 1) + cell_is_free(state, r, c)


def is_hot(state, seat, r, c):
    """Whether a touch of this point by the seat closes a circle, or lets the other close it."""
    wants = wanted(state, r, c)
    return wants == 1 or (wants == 2 and ways(state, 1 - seat, r, c) > 0)


def write_features(state, row):
    """How often a position has each parameter, as the mover sees it."""
    for k in range(PARAMETERS):
        row[k] = 0.0
    seat = state.mover
    mine, theirs = 0, 0
    for r in range(state.size + 1):
        for c in range(state.size + 1):
            wants = wanted(state, r, c)
            if wants > 0:
                n, near, far = number(state, r, c), ways(state, seat, r, c), ways(state, 1 - seat, r, c)
                at = n - 1 if wants == 1 else n + 1 if wants == 2 else 5
                row[CIRCLES + 9 * at + 3 * near + far] += 1.0
                if wants == 1:
                    mine += 1 if near > 0 else 0
                    theirs += 1 if far > 0 else 0
    row[CLOSINGS + ev.closings_of(mine, theirs)] = 1.0
    lead, shared = 0, 0
    for r in range(state.size):
        for c in range(state.size):
            if cell_is_free(state, r, c):
                one = 0 if is_hot(state, 0, r, c + 1) or is_hot(state, 0, r + 1, c) else 1
                other = 0 if is_hot(state, 1, r, c) or is_hot(state, 1, r + 1, c + 1) else 1
                lead += one - other
                shared += one * other
    row[TEMPI + ev.tempi_of(lead if seat == 0 else -lead, shared)] = 1.0


def guess(state, row, weights):
    """The rest of seat 0's payoff, in points."""
    write_features(state, row)
    total = 0.0
    for k in range(PARAMETERS):
        total += row[k] * weights[k]
    return total if state.mover == 0 else -total


def lead(state):
    return float(state.first_gain - state.second_gain)


def look(state, row, weights):
    """The best move by a look of one ply, and the rest of seat 0's payoff that it promises."""
    sign = 1.0 if turn(state) == 0 else -1.0
    rest = moves(state)
    best, choice = -1e9, first(rest)
    while some(rest):
        move = first(rest)
        rest = without_first(rest)
        child = play(state, move)
        value = lead(child) - lead(state)
        if result(child) is None:
            value += guess(child, row, weights)
        if sign * value > best:
            best, choice = sign * value, move
    return choice, sign * best


def learn(roots, games, weights, squares, rates, rng, rows, guesses, targets, is_cut):
    """Entry point: play so many games and learn from each; the mean squared surprise in thousandths."""
    x = rng[0]
    wrong, seen = 0.0, 0
    for _ in range(games):
        x = scramble(x)
        state = load(roots.reshape(-1), roots.shape[1] * random_below(x, roots.shape[0]))
        plies = 0
        x = scramble(x)
        opening = random_below(x, state.size * state.size // 2)
        while result(state) is None:
            x = scramble(x)
            legal = moves(state)
            any_move = pick(legal, random_below(x, count(legal)))
            x = scramble(x)
            is_random = plies < opening or random_below(x, 1000) < rates[RANDOM_SHARE] * 1000.0
            guesses[plies] = guess(state, rows[plies], weights)
            best_move, targets[plies] = look(state, rows[MOST_PLIES], weights)
            is_cut[plies] = 1 if is_random else 0  # a random move says nothing about what came before it
            after = play(state, any_move if is_random else best_move)
            rows[plies, GAINED] = lead(after) - lead(state)
            rows[plies, SIGN] = 1.0 if turn(state) == 0 else -1.0
            state = after
            plies += 1
        aim = 0.0
        for ply in range(plies - 1, -1, -1):
            if ply == plies - 1 or is_cut[ply] != 0:
                aim = targets[ply]
            else:
                aim = (1.0 - rates[TRACE]) * targets[ply] + rates[TRACE] * (aim + rows[ply, GAINED])
            error = guesses[ply] - aim
            wrong += error * error
            seen += 1
            for k in range(PARAMETERS):
                slope = error * rows[ply, k] * rows[ply, SIGN]
                if slope != 0.0:
                    squares[k] += slope * slope
                    weights[k] -= rates[STEP] * slope / math.sqrt(squares[k])
    rng[0] = x
    return int(1000.0 * wrong / max(seen, 1))


def written(name: str, values: np.ndarray) -> str:
    """A tuple as source, with a line for each kind of circle, or for each lead."""
    width = 9 if len(values) % 9 == 0 else 8
    lines = [", ".join(str(v) for v in values[k : k + width]) for k in range(0, len(values), width)]
    return f"{name} = (\n" + "".join(f"    *({line}),\n" for line in lines) + ")\n"


def write(weights: np.ndarray) -> None:
    units = np.rint(1000 * weights).astype(int)
    file = Path(ev.__file__).with_name("weights.py")
    parts = {"CIRCLES": units[:TEMPI], "TEMPI": units[TEMPI:CLOSINGS], "CLOSINGS": units[CLOSINGS:]}
    tables = "\n".join(written(name, values) for name, values in parts.items())
    file.write_text(
        '"""The weights of slant in thousandths of a point, as the mover sees it, by `benchmarks/tuning/slant.py`."""'
        f"\n\nfrom __future__ import annotations\n\n{tables}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=60_000)
    parser.add_argument("--step", type=float, default=0.5, help="of Adagrad")
    parser.add_argument("--trace", type=float, default=0.8, help="lambda")
    parser.add_argument("--random", type=float, default=0.03, help="share of random moves after the opening")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    game = load_game("slant")
    roots = np.array([game.start(m=SIZES[k % len(SIZES)], seed=1_000_000 + k) for k in range(STARTS)], np.int64)
    learning = link(game, learn)
    weights, squares = np.zeros(PARAMETERS), np.full(PARAMETERS, 100.0)
    rng = np.array([seed_of(given.seed, 0)], np.uint64)
    rows = np.zeros((MOST_PLIES + 1, COLUMNS))
    guesses, targets, is_cut = np.zeros(MOST_PLIES), np.zeros(MOST_PLIES), np.zeros(MOST_PLIES, np.int64)
    begin = time.perf_counter()
    for done in range(0, given.games, BATCH):
        rates = np.array([given.step * min(1.0, 2.02 - 2 * done / given.games), given.trace, given.random])
        surprise = learning(roots, BATCH, weights, squares, rates, rng, rows, guesses, targets, is_cut)
        if done // BATCH % 10 == 0:
            print(
                f"{done + BATCH:>9,} games  surprise {surprise / 1000:.3f}  {time.perf_counter() - begin:.0f} s",
                flush=True,
            )
    write(weights)


if __name__ == "__main__":
    main()

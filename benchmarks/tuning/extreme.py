"""Fit the tables of `extreme` by quick games that it plays against itself.

    python benchmarks/tuning/extreme.py --games 240000

TD(lambda) with a look of one ply ahead: every position is moved towards what followed it. Rules and learning run as
one compiled loop (`ludus.compile.link`). Halfway through, the step begins to shrink. The weights go to the game's
weights.bin; the same seed gives the same weights.
"""

from __future__ import annotations

import argparse
import math
import time
import zlib
from pathlib import Path

import numpy as np

from ludus.compile.bits import plain
from ludus.compile.interface import count, first, load, moves, pick, play, result, some, turn, without_first
from ludus.compile.link import link
from ludus.games.extreme import evaluation as ev
from ludus.games.extreme.rules import WIN
from ludus.rules import load_game
from ludus.search.playouts import random_below, scramble
from ludus.search.seeds import seed_of

BLOCKS, LINES, TARGETS, CHOICE, LEAD, PARAMETERS = (sum(ev.SIZES[:k]) for k in range(6))
COLUMNS = 16 + 24 + 2  # of a position: blocks, lines of both sides, target or choice, lead
MOST_PLIES = 256
STEP, TRACE, RANDOM_SHARE = 0, 1, 2  # of the rates
BATCH = 2000  # games between two reports
# The blocks of each pattern, in the order in which the evaluation names them, and the kind of pattern.
PATTERN_BLOCKS = (
    *(0, 1, 2, 3, 12, 13, 14, 15, 0, 4, 8, 12, 3, 7, 11, 15),
    *(4, 5, 6, 7, 8, 9, 10, 11, 1, 5, 9, 13, 2, 6, 10, 14),
    *(1, 4, 6, 9, 2, 7, 5, 10, 8, 13, 5, 10, 11, 14, 6, 9),
)


def write_features(state, row, signs):
    """The parameters that a position adds up, as seat 0 sees it, each with its sign."""
    words = (state.x0, state.x1, state.x2, state.x3, state.x4, state.x5)
    others = (state.o0, state.o1, state.o2, state.o3, state.o4, state.o5)
    near = 0
    for b in range(16):
        block = ev.block_at(state, b, words[b // 3], others[b // 3])
        row[b] = BLOCKS + ev.KINDS[b] * ev.BLOCK_STATES + block
        signs[b] = 1.0
        near += ev.is_near(ev.STANDING[block])
    for k in range(12):
        both = 0
        for place in range(4):
            b = PATTERN_BLOCKS[4 * k + place]
            both = both * ev.STANDINGS + ev.STANDING[(row[b] - BLOCKS) % ev.BLOCK_STATES]
        begin = LINES + k // 4 * ev.LINE_STATES
        row[16 + 2 * k], row[17 + 2 * k] = begin + (both & 0xFFFF), begin + (both >> 16)
        signs[16 + 2 * k], signs[17 + 2 * k] = 1.0, -1.0
    if state.targets & state.targets - 1 == 0:
        t = plain(state.targets).bit_length() - 1
        row[40] = TARGETS + ev.target_of(state, plain(row[t] - BLOCKS) % ev.BLOCK_STATES, t)
    else:
        row[40] = CHOICE + ev.choice_of(state, near)
    signs[40] = 1.0 if state.mover == 0 else -1.0
    row[41] = LEAD + ev.lead_of(state)
    signs[41] = 1.0


def guess(state, row, signs, weights, twins, twin_signs):
    """Seat 0's expected share of the points, 0 to 1."""
    write_features(state, row, signs)
    total = 0.0
    for k in range(COLUMNS):
        j = row[k]
        row[k] = twins[j]
        signs[k] *= twin_signs[j]
        total += signs[k] * weights[row[k]]
    return 1.0 / (1.0 + math.exp(-total))


def learn(root, games, weights, squares, twins, twin_signs, rates, rng, rows, signs, shares, targets, is_cut):
    """Entry point: play so many games and learn from each; the mean squared surprise in millionths."""
    x = rng[0]
    row, sign = rows[MOST_PLIES], signs[MOST_PLIES]
    wrong, seen = 0.0, 0
    for _ in range(games):
        state = load(root, 0)
        plies = 0
        x = scramble(x)
        opening = random_below(x, 24)
        while result(state) is None:
            seat = turn(state)
            x = scramble(x)
            legal = moves(state)
            choice = pick(legal, random_below(x, count(legal)))
            x = scramble(x)
            is_random = plies < opening or random_below(x, 1000) < rates[RANDOM_SHARE] * 1000.0
            shares[plies] = guess(state, rows[plies], signs[plies], weights, twins, twin_signs)
            best, rest = -1.0, legal
            while some(rest):
                move = first(rest)
                rest = without_first(rest)
                child = play(state, move)
                payoff = result(child)
                if payoff is not None:
                    share = 0.5 + 0.5 * payoff / WIN
                else:
                    share = guess(child, row, sign, weights, twins, twin_signs)
                mine = share if seat == 0 else 1.0 - share
                if mine > best:
                    best = mine
                    if not is_random:
                        choice = move
            targets[plies] = best if seat == 0 else 1.0 - best
            is_cut[plies] = 1 if is_random else 0  # a random move says nothing about what came before it
            state = play(state, choice)
            plies += 1
        aim = 0.0
        for ply in range(plies - 1, -1, -1):
            if ply == plies - 1 or is_cut[ply] != 0:
                aim = targets[ply]
            else:
                aim = (1.0 - rates[TRACE]) * targets[ply] + rates[TRACE] * aim
            error = shares[ply] - aim
            wrong += error * error
            seen += 1
            for k in range(COLUMNS):
                j = rows[ply, k]
                slope = error * signs[ply, k]
                squares[j] += slope * slope
                weights[j] -= rates[STEP] * slope / math.sqrt(squares[j])
    rng[0] = x
    return int(1e6 * wrong / max(seen, 1))


def tied() -> tuple[np.ndarray, np.ndarray]:
    """For every parameter the one that it shares its value with, and whether with the other sign, or is always 0."""
    twins, signs = np.arange(PARAMETERS), np.ones(PARAMETERS)
    for kind in range(3):
        begin = BLOCKS + kind * ev.BLOCK_STATES
        for x in range(ev.GRADES):  # what is good for X in a block is as good for O with the sides swapped
            for o in range(x + 1):
                here, there = begin + ev.GRADES * x + o, begin + ev.GRADES * o + x
                twins[here], signs[here] = there, -1.0 if x != o else 0.0
        twins[begin + ev.O_HAS], signs[begin + ev.O_HAS] = begin + ev.X_HAS, -1.0
        signs[begin + ev.NOBODY_HAS] = 0.0
        # Lines look the same from both ends, a diamond also with its two edge blocks or two centre blocks swapped.
        swaps = ((3, 2, 1, 0),) if kind < 2 else ((1, 0, 2, 3), (0, 1, 3, 2), (1, 0, 3, 2))
        for index in range(ev.LINE_STATES):
            digits = [index // ev.STANDINGS**k % ev.STANDINGS for k in (3, 2, 1, 0)]
            others = [sum(digits[a] * ev.STANDINGS ** (3 - k) for k, a in enumerate(swap)) for swap in swaps]
            here = LINES + kind * ev.LINE_STATES
            twins[here + index] = here + min([index, *others])
            signs[here + index] = 0.0 if ev.LOST in digits else 1.0
    half = ev.LEADS // 2
    for left in range(17):
        for lead in range(half + 1):
            here, there = LEAD + left * ev.LEADS + half + lead, LEAD + left * ev.LEADS + half - lead
            twins[there], signs[there] = here, -1.0 if lead else 0.0
    return twins, signs


def write(weights: np.ndarray) -> None:
    """The weights as the evaluation reads them."""
    units = np.clip(np.rint(ev.UNIT * weights), -32767, 32767).astype("<i2")
    file = Path(ev.__file__).with_name("weights.bin")
    file.write_bytes(zlib.compress(units.tobytes(), 9))
    print(f"{file.name}: {file.stat().st_size:,} bytes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=240_000)
    parser.add_argument("--step", type=float, default=0.5, help="of Adagrad")
    parser.add_argument("--trace", type=float, default=0.8, help="lambda")
    parser.add_argument("--random", type=float, default=0.03, help="share of random moves after the opening")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    game = load_game("extreme")
    learning = link(game, learn)
    twins, twin_signs = tied()
    weights, squares = np.zeros(PARAMETERS), np.full(PARAMETERS, 4.0)
    rng = np.array([seed_of(given.seed, 0)], np.uint64)
    rows, signs = np.zeros((MOST_PLIES + 1, COLUMNS), np.int64), np.zeros((MOST_PLIES + 1, COLUMNS))
    shares, targets, is_cut = np.zeros(MOST_PLIES), np.zeros(MOST_PLIES), np.zeros(MOST_PLIES, np.int64)
    root = np.array(game.start(), np.int64)
    begin = time.perf_counter()
    for done in range(0, given.games, BATCH):
        share = done / given.games
        rates = np.array([given.step * min(1.0, 2.02 - 2 * share), given.trace, given.random])
        args = (weights, squares, twins, twin_signs, rates, rng, rows, signs, shares, targets, is_cut)
        surprise = learning(root, BATCH, *args)
        if done // BATCH % 10 == 0:
            print(
                f"{done + BATCH:>9,} games  surprise {surprise / 1e6:.4f}  {time.perf_counter() - begin:.0f} s",
                flush=True,
            )
    write(weights[twins] * twin_signs)


if __name__ == "__main__":
    main()

"""Fit the tables of `ultimate` and `ultimate-adjacent` to games they play against themselves.

    python benchmarks/tuning/nine.py ultimate --games 6000 --generations 4

The first generation learns from MCTS with random playouts; each later one from alpha-beta with the tables of the
one before. A position's target is between how its game ended and what the searcher thought of it. The weights are
found by logistic regression (Adagrad, compiled) and written to the game's weights.bin.
"""

from __future__ import annotations

import argparse
import zlib
from pathlib import Path

import numpy as np
from numba import njit
from selfplay import Positions, self_play

from ludus.games.nested import nine_evaluation as ev
from ludus.games.nested.nine import FULL
from ludus.rules import GAMES_FOLDER

LINES = ((0, 1, 2), (6, 7, 8), (0, 3, 6), (2, 5, 8), (3, 4, 5), (1, 4, 7), (0, 4, 8), (2, 4, 6))
LINE_KINDS = (0, 0, 0, 0, 1, 1, 2, 2)
LEADS = 10 * 19 * 19  # open blocks, lead in blocks, lead in centre cells; only ultimate-adjacent uses them
BLOCKS = 3 * ev.BLOCK_STATES
LINES_BEGIN, TARGETS_BEGIN, FREE_BEGIN = BLOCKS, BLOCKS + 3 * ev.LINE_STATES, 2 * BLOCKS + 3 * ev.LINE_STATES
LEADS_BEGIN = FREE_BEGIN + 1
PARAMETERS = LEADS_BEGIN + LEADS
COLUMNS = 9 + 8 + 2 + 1  # features of a position: blocks, lines, targets, lead
SCALE = {"ultimate": 1, "ultimate-adjacent": 3}
CACHE = Path(".tuning")


def grades() -> np.ndarray:
    """The grade of every block in base 3."""
    found = np.zeros(ev.BLOCK_STATES, np.int64)
    for index in range(ev.BLOCK_STATES):
        digits = [index // 3**cell % 3 for cell in range(9)]
        mine, theirs = (sum(1 << cell for cell in range(9) if digits[cell] == who) for who in (1, 2))
        found[index] = ev.grade_of(mine, theirs)
    return found


GRADES = grades()


def tied() -> np.ndarray:
    """For every parameter the one it shares its value with, by the symmetries of the board."""
    twin = np.arange(PARAMETERS)
    powers = 3 ** np.arange(9)
    digits = np.arange(ev.BLOCK_STATES)[:, None] // powers % 3
    for kind, first in enumerate(ev.FIRST_OF_KIND):
        least = np.arange(ev.BLOCK_STATES)
        for turn in ev.TURNS:
            if turn[first] == first:
                least = np.minimum(least, (digits * 3 ** np.array(turn)).sum(1))
        for begin in (0, TARGETS_BEGIN):
            at = begin + kind * ev.BLOCK_STATES
            twin[at : at + ev.BLOCK_STATES] = at + least
    index = np.arange(ev.LINE_STATES)
    mirrored = index % 27 * 729 + index // 27 % 27 * 27 + index // 729
    for kind in range(3):
        at = LINES_BEGIN + kind * ev.LINE_STATES
        twin[at : at + ev.LINE_STATES] = at + np.minimum(index, mirrored)
    return twin


def features(states: np.ndarray, *, with_leads: bool) -> np.ndarray:
    """The parameters that each position adds up; -1 where there is none."""
    mine_lo, mine_hi, theirs_lo, theirs_hi, mine_won, theirs_won, open_, targets = states.T[:8]
    found = np.full((len(states), COLUMNS), -1, np.int32)
    ours, digits = np.array(ev.OURS), np.array(ev.DIGITS)
    block_grades = np.zeros((len(states), 9), np.int64)
    centres = np.zeros(len(states), np.int64)
    count = np.array([bin(x).count("1") for x in range(512)])
    for b in range(9):
        mine = (mine_lo >> 9 * b if b < 7 else mine_hi >> 9 * (b - 7)) & FULL
        theirs = (theirs_lo >> 9 * b if b < 7 else theirs_hi >> 9 * (b - 7)) & FULL
        found[:, b] = ours[512 * b + mine] + digits[512 * b + theirs]
        block_grades[:, b] = GRADES[found[:, b] % ev.BLOCK_STATES]
        centres += (mine >> 4 & 1) - (theirs >> 4 & 1)
        sent = targets == 1 << b
        found[sent, 17] = TARGETS_BEGIN + found[sent, b]
        if with_leads:  # two targets: both count
            two = (count[targets] == 2) & (targets >> b & 1 == 1)
            column = np.where(found[:, 17] < 0, 17, 18)
            found[two, column[two]] = TARGETS_BEGIN + found[two, b]
    for k, (line, kind) in enumerate(zip(LINES, LINE_KINDS, strict=True)):
        a, b, c = (block_grades[:, x] for x in line)
        found[:, 9 + k] = LINES_BEGIN + kind * ev.LINE_STATES + 729 * a + 27 * b + c
    found[found[:, 17] < 0, 17] = FREE_BEGIN
    if with_leads:
        lead = count[mine_won] - count[theirs_won]
        found[:, 19] = LEADS_BEGIN + 361 * count[open_] + 19 * (lead + 9) + centres + 9
    return found


@njit(fastmath=True)
def epoch(rows, targets, order, weights, squares, rate, decay):
    """One pass of Adagrad over the positions; the mean loss."""
    loss = 0.0
    for at in order:
        z = 0.0
        for k in range(rows.shape[1]):
            if rows[at, k] >= 0:
                z += weights[rows[at, k]]
        p = 1.0 / (1.0 + np.exp(-z))
        y = targets[at]
        loss -= y * np.log(p + 1e-9) + (1.0 - y) * np.log(1.0 - p + 1e-9)
        for k in range(rows.shape[1]):
            j = rows[at, k]
            if j >= 0:
                slope = (p - y) + decay * weights[j]
                squares[j] += slope * slope
                weights[j] -= rate * slope / np.sqrt(squares[j])
    return loss / len(order)


@njit(fastmath=True)
def mean_loss(rows, targets, weights):
    loss = 0.0
    for at in range(len(rows)):
        z = 0.0
        for k in range(rows.shape[1]):
            if rows[at, k] >= 0:
                z += weights[rows[at, k]]
        p = 1.0 / (1.0 + np.exp(-z))
        loss -= targets[at] * np.log(p + 1e-9) + (1.0 - targets[at]) * np.log(1.0 - p + 1e-9)
    return loss / len(rows)


def fit(name: str, data: Positions, *, epochs: int, trust: float, seed: int, weights: np.ndarray | None = None) -> np.ndarray:
    """The weights in logits. `trust` is the share of the searcher's own score in a target."""
    scale = SCALE[name]
    sign = np.where(data.states[:, 8] == 0, 1, -1)
    guess = np.clip(data.scores / 1000, -scale, scale)
    target = 0.5 + 0.5 * sign * (trust * guess + (1 - trust) * data.payoffs) / scale
    twin = tied()
    rows = features(data.states, with_leads=name != "ultimate")
    rows = np.where(rows >= 0, twin[rows], -1).astype(np.int32)
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(rows))
    held, used = order[: len(order) // 20], order[len(order) // 20 :]
    weights = np.zeros(PARAMETERS) if weights is None else weights.copy()
    squares = np.full(PARAMETERS, 4.0)
    for number in range(epochs):
        rate = 0.2 * (1 - number / epochs) + 0.01
        loss = epoch(rows, target, rng.permutation(used), weights, squares, rate, 2e-4)
        print(f"  epoch {number + 1}: loss {loss:.4f}, held out {mean_loss(rows[held], target[held], weights):.4f}", flush=True)
    return weights[twin]


def write(name: str, weights: np.ndarray) -> None:
    """The weights as the game's evaluation reads them."""
    units = np.rint(ev.UNIT * weights)
    blocks = 32 * np.clip(units[:BLOCKS], -1023, 1023) + np.tile(GRADES, 3)
    rest = np.clip(units[LINES_BEGIN : PARAMETERS if SCALE[name] > 1 else LEADS_BEGIN], -32767, 32767)
    data = np.concatenate([blocks, rest]).astype("<i2").tobytes()
    file = GAMES_FOLDER / name.replace("-", "_") / "weights.bin"
    file.write_bytes(zlib.compress(data, 9))
    print(f"  {file.name}: {file.stat().st_size:,} bytes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=sorted(SCALE))
    parser.add_argument("--games", type=int, default=6000, help="of each generation")
    parser.add_argument("--generations", type=int, default=4)
    parser.add_argument("--first", type=int, default=0, help="generation to begin with; 0 is MCTS")
    parser.add_argument("--nodes", type=int, default=1500, help="MCTS iterations a move; alpha-beta gets ten times as many")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--trust", type=float, default=0.5)
    parser.add_argument("--keep", type=int, default=2, help="generations whose games are used")
    given = parser.parse_args()
    CACHE.mkdir(exist_ok=True)
    for generation in range(given.first, given.generations):
        file = CACHE / f"{given.game}-{generation}.npz"
        if not file.exists():
            print(f"generation {generation}: playing")
            agent, nodes = ("mcts:mb=16", given.nodes) if generation == 0 else ("alphabeta:mb=16", 10 * given.nodes)
            data = self_play(given.game, agent, games=given.games, nodes=nodes, seed=generation)
            np.savez_compressed(file, *data)
        print(f"generation {generation}: fitting")
        files = [CACHE / f"{given.game}-{g}.npz" for g in range(max(0, generation - given.keep + 1), generation + 1)]
        parts = [Positions(*np.load(f).values()) for f in files]
        data = Positions(*(np.concatenate(field) for field in zip(*parts, strict=True)))
        write(given.game, fit(given.game, data, epochs=given.epochs, trust=given.trust, seed=generation))


if __name__ == "__main__":
    main()

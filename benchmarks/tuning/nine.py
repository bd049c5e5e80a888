"""Fit the tables of `ultimate` and `ultimate-adjacent` by quick games against themselves.

    python benchmarks/tuning/nine.py ultimate

First a look of one ply ahead, then of two, each with a step that shrinks to nothing. One core, minutes; the same
numbers give the same weights, which are written to the game's weights.bin. What they are worth, a duel says:

    ludus duel ultimate alphabeta mcts --games 100 --time 0.1
"""

from __future__ import annotations

import argparse
import time
import zlib

import numpy as np
import temporal_difference as td

from ludus.compile.link import link
from ludus.games.nested import nine_evaluation as ev
from ludus.rules import GAMES_FOLDER, load_game

SCALE = {"ultimate": 1, "ultimate-adjacent": 3}  # the greatest payoff
REPORTS = 10  # of progress, in each phase
ROUNDS = 100  # of each phase, with a step of their own


def grades() -> np.ndarray:
    """The grade of every block in base 3."""
    found = np.zeros(ev.BLOCK_STATES, np.int64)
    for index in range(ev.BLOCK_STATES):
        digits = [index // 3**cell % 3 for cell in range(9)]
        mine, theirs = (sum(1 << cell for cell in range(9) if digits[cell] == who) for who in (1, 2))
        found[index] = ev.grade_of(mine, theirs)
    return found


def tied() -> np.ndarray:
    """For every parameter the one it shares its value with, by the symmetries of the board."""
    twin = np.arange(td.PARAMETERS)
    digits = np.arange(ev.BLOCK_STATES)[:, None] // 3 ** np.arange(9) % 3
    for kind, first in enumerate(ev.FIRST_OF_KIND):
        least = np.arange(ev.BLOCK_STATES)
        for turn in ev.TURNS:
            if turn[first] == first:
                least = np.minimum(least, (digits * 3 ** np.array(turn)).sum(1))
        for begin in (0, td.TARGETS_BEGIN):
            at = begin + kind * ev.BLOCK_STATES
            twin[at : at + ev.BLOCK_STATES] = at + least
    index = np.arange(ev.LINE_STATES)
    mirrored = index % 27 * 729 + index // 27 % 27 * 27 + index // 729
    for kind in range(3):
        at = td.LINES_BEGIN + kind * ev.LINE_STATES
        twin[at : at + ev.LINE_STATES] = at + np.minimum(index, mirrored)
    return twin


def learn(name: str, weights: np.ndarray, *, look: int, games: int, step: float, seed: int) -> None:
    """One phase: so many games with a look of so many plies ahead; the weights change in place."""
    game = load_game(name)
    play = link(game, td.learn)
    root = np.array(game.start(), np.int64)
    settings = np.array([name != "ultimate", SCALE[name], look], np.int64)
    squares, rng = np.ones(td.PARAMETERS), np.array([seed], np.uint64)
    rows = np.zeros((td.MOST_PLIES + 1, td.COLUMNS), np.int64)
    shares, targets = np.zeros(td.MOST_PLIES), np.zeros(td.MOST_PLIES)
    constant = (grades(), tied(), settings)
    begin = time.perf_counter()
    for number in range(1, ROUNDS + 1):
        rates = np.array([step * (1 - (number - 1) / ROUNDS) + step / 25, 0.7, 0.08])
        wrong = play(root, games // ROUNDS, weights, squares, *constant, rates, rng, rows, shares, targets)
        if number % (ROUNDS // REPORTS) == 0:
            played = games // ROUNDS * number
            seconds = time.perf_counter() - begin
            print(f"look {look}: {played:>8,} games, error {wrong / 1e6:.5f}, {seconds:.0f} s", flush=True)


def write(name: str, weights: np.ndarray) -> None:
    """The weights as the game's evaluation reads them."""
    units = np.rint(ev.UNIT * weights[tied()])
    blocks = 32 * np.clip(units[: td.BLOCKS], -1023, 1023) + np.tile(grades(), 3)
    end = td.PARAMETERS if name == "ultimate-adjacent" else td.LEADS_BEGIN
    rest = np.clip(units[td.BLOCKS : end], -32767, 32767)
    file = GAMES_FOLDER / name.replace("-", "_") / "weights.bin"
    file.write_bytes(zlib.compress(np.concatenate([blocks, rest]).astype("<i2").tobytes(), 9))
    print(f"{file.parent.name}/{file.name}: {file.stat().st_size:,} bytes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=sorted(SCALE))
    parser.add_argument("--games", type=int, nargs=2, default=(400_000, 600_000), help="of the two phases")
    parser.add_argument("--seed", type=int, default=12345)
    given = parser.parse_args()
    weights = np.zeros(td.PARAMETERS)
    for look, games in enumerate(given.games, 1):
        learn(given.game, weights, look=look, games=games, step=0.5, seed=given.seed + look)
    write(given.game, weights)


if __name__ == "__main__":
    main()

"""What ratings of large tournaments take: CPU seconds of the fit, of the bootstrap and of replaying the format.

    .venv/bin/python benchmarks/ratings.py [--rounds 1000] [--replays 100]

Games are dice, so only the arithmetic is measured.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from random import Random
from typing import TypeVar

import numpy as np

from ludus.ratings.bootstrap import bootstrap
from ludus.ratings.bradley_terry import Strengths, fit
from ludus.ratings.encounters import encounters_of
from ludus.ratings.worth import simulator, worth
from ludus.tournament.outcome import Format
from ludus.tournament.pairing import GameResult, Meeting, Pairing
from ludus.tournament.pools import PoolSettings, pools_to_final
from ludus.tournament.tables import Ranking

T = TypeVar("T")
SIZES = ((100, 5_000), (20, 100_000))  # teams, games


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--replays", type=int, default=100)
    arguments = parser.parse_args()
    for teams, games in SIZES:
        measure(teams, games, arguments.rounds, arguments.replays)


def measure(teams: int, games: int, rounds: int, replays: int) -> None:
    results = dice(teams, games)
    encounters, reading_s = timed(lambda: encounters_of(results, teams=teams))
    _, fit_s = timed(lambda: fit(encounters))
    known, bootstrap_s = timed(lambda: bootstrap(encounters, rounds=rounds))
    print(f"{teams} teams, {games} games: read {reading_s:.2f} s, fit {fit_s:.2f} s, ", end="")
    print(f"{rounds} rounds of bootstrap {bootstrap_s:.2f} s")

    def pools(seed: int) -> Format:
        return pools_to_final(teams, PoolSettings(), Meeting(), Ranking(seed=seed))

    found, replays_s = timed(lambda: worth(pools, simulator(results), known, replays=replays))
    print(f"{teams} teams, pools to final: {1000 * replays_s / found.replays:.1f} ms a replay")


def dice(teams: int, games: int) -> list[GameResult]:
    """Games of random pairs, strengths from 300 down to -300."""
    truth = Strengths(np.linspace(300, -300, teams), 30.0, 0.5, np.zeros(teams, dtype=np.int64))
    rng, simulate = Random(1), simulator([])
    pairs = [rng.sample(range(teams), 2) for _ in range(games)]
    return [
        simulate(Pairing(str(number), "league", "", 1, *pair, number), truth, rng) for number, pair in enumerate(pairs)
    ]


def timed(work: Callable[[], T]) -> tuple[T, float]:
    before = time.process_time()
    return work(), time.process_time() - before


if __name__ == "__main__":
    main()

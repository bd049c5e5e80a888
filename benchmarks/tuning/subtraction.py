"""Fit the evaluation of subtraction to exact values: `python benchmarks/tuning/subtraction.py`, about a minute.

Tables of whole boards give the mover's exact lead V in positions of random games. Printed: how V is distributed by
the smallest number on the board, how often taking 1 is a best move, and the weight that `evaluation.py` holds: the
mean of V where the smallest number is at least FAR, in thousandths.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter, defaultdict

from ludus.rules import load_game, random_line
from ludus.search.tabled import Tabled

FAR = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", type=int, default=60)
    parser.add_argument("--games", type=int, default=10, help="random games on each board")
    arguments = parser.parse_args()
    game, rng = load_game("subtraction"), random.Random(1)
    tabled = Tabled(game)
    leads: dict[int, Counter[int]] = defaultdict(Counter)
    ones = positions = 0
    for seed in range(arguments.boards):
        start = game.start(low=20, high=45, seed=seed)
        tabled.build(tabled.plan(start))
        for _ in range(arguments.games):
            for state in random_line(game, start, rng).states[:-1]:
                lead = tabled.value(state) - game.module.banked(state)
                smallest = min(state[:9])
                leads[smallest][lead if game.turn(state) == 0 else -lead] += 1
                if smallest >= FAR:
                    positions += 1
                    ones += any(move % 3 == 0 for move in tabled.best(state))
    for smallest in sorted(leads):
        total = leads[smallest].total()
        shares = {lead: round(100 * n / total) for lead, n in sorted(leads[smallest].items()) if 100 * n >= total}
        print(f"smallest {smallest:>2}: {total:>6} positions, percent with each V: {shares}")
    far = Counter[int]()
    for smallest, counts in leads.items():
        if smallest >= FAR:
            far += counts
    mean = sum(lead * n for lead, n in far.items()) / far.total()
    quiet = (far[0] + far[-1]) / far.total()
    print(f"smallest at least {FAR}: V is 0 or -1 in {quiet:.1%}; taking 1 is a best move in {ones / positions:.1%}")
    print(f"TO_MOVE = {round(1000 * mean)}")


if __name__ == "__main__":
    main()

"""Is each level clearly stronger than the one before? Duels between neighbours, in each of our games.

    python benchmarks/levels.py [--game NAME] [--games N] [--time S]

Levels up to 9 think in nodes, so their duels are the same on every machine; level 10 has the time given.
"""

from __future__ import annotations

import argparse

from ludus.agents.agent import Budget
from ludus.agents.levels import LEVELS
from ludus.lab.duel import duel
from ludus.rules import game_names, load_game


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", choices=game_names(), help="this game only; may be repeated")
    parser.add_argument("--first", type=int, default=1, help="the lowest level (1)")
    parser.add_argument("--last", type=int, default=len(LEVELS), help="the highest level (10)")
    parser.add_argument("--games", type=int, default=100, help="of each duel (100)")
    parser.add_argument("--time", type=float, default=0.2, help="seconds a move for level 10 (0.2)")
    given = parser.parse_args()
    print(f"{'game':<18} {'levels':>8} {'points':>8}   95 % interval", flush=True)
    for name in given.game or game_names():
        for weaker in range(given.first, given.last):
            report = duel(
                load_game(name),
                f"level:{weaker + 1}",
                f"level:{weaker}",
                games=given.games,
                budget=Budget(seconds=given.time),
            )
            found = report.estimate
            levels = f"{weaker + 1} : {weaker}"
            interval = f"{100 * found.share_low:.1f} to {100 * found.share_high:.1f}"
            print(f"{name:<18} {levels:>8} {100 * found.share:>6.1f} %   {interval}", flush=True)


if __name__ == "__main__":
    main()

"""How strong our agents must be, and how strong they are: the duels that decide it.

    .venv/bin/pip install -e '.[bench]'                       # for OpenSpiel's player
    .venv/bin/python benchmarks/strength.py [--only NAME] [--games N] [--out FILE] [--workers N]

All cores, one game on each. With --out, each finished duel becomes a line of JSON in FILE, and a duel that has a
line there is not played again; so they can be run one at a time, and a stopped run goes on where it was.

What else is demanded of searches and agents is measured elsewhere:

    .venv/bin/python benchmarks/openspiel.py   # simulations a second, beside OpenSpiel's
    .venv/bin/python benchmarks/overshoot.py   # do agents keep to their time?
    .venv/bin/python benchmarks/levels.py      # is each level stronger than the one before?
    .venv/bin/python benchmarks/threads.py     # two threads against one
    .venv/bin/python benchmarks/solving.py     # how far the exact solver gets, and how fast
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludus.agents.agent import Budget
from ludus.lab.duel import duel
from ludus.lab.pair import Pair, PlayerFactory
from ludus.lab.tally import DuelReport, Tally
from ludus.rules import load_game

GAMES = 100
MOST_OVERSHOOT_MS = 5.0  # at p99, on a quiet core


@dataclass(frozen=True)
class Contest:
    """Two players, and the share of the points that the first one must reach."""

    name: str
    game: str
    one: str
    other: str  # "openspiel" is OpenSpiel's MCTSBot with a second for each decision
    seconds: float
    demanded: float
    aimed: float


CONTESTS = (
    # OpenSpiel's bot keeps its own time: two seconds where it decides twice.
    Contest("openspiel", "ultimate", "best:time=0.1", "openspiel", 2.0, 0.75, 0.90),
    Contest("mcts", "ultimate", "best", "mcts:playouts=random", 0.1, 0.70, 0.85),
    Contest("trained", "ultimate", "best", "alphabeta", 0.1, 0.64, 0.64),  # 100 Elo over the tables alone
    Contest("pijuns", "extreme", "best", "pijuns", 1.0, 0.80, 0.95),
    Contest("subtraction", "subtraction", "best", "minimax:depth=4", 0.1, 0.90, 0.90),
    Contest("slant", "slant", "best", "minimax:depth=4", 3.0, 0.90, 0.90),
)
HEADINGS = f"{'duel':<12} {'game':<12} {'games':>5} {'demanded':>9} {'aimed':>6} {'reached':>8} {'95 %':>14}   + = -"


def player(name: str) -> str | PlayerFactory:
    if name != "openspiel":
        return name
    from openspiel import OpenSpielFactory  # noqa: PLC0415  # only this duel needs the extra

    return OpenSpielFactory(seconds=1.0)


def fight(contest: Contest, *, games: int, seed: int, workers: int | None) -> DuelReport:
    """Play one duel; how it stands is told on standard error now and then."""

    def tell(_pair: Pair, tally: Tally) -> None:
        if tally.games % 10 == 0:
            share = f"{100 * tally.estimate.share:.1f} %"
            sys.stderr.write(f"{contest.name}: {share} after {tally.games} of {games} games\n")

    return duel(
        load_game(contest.game),
        player(contest.one),
        player(contest.other),
        games=games,
        budget=Budget(seconds=contest.seconds),
        seed=seed,
        workers=workers,
        on_pair=tell,
    )


def line_of(contest: Contest, report: dict[str, Any]) -> str:
    share, low, high = (100 * report["estimate"][key] for key in ("share", "share_low", "share_high"))
    verdict = "reached" if share >= 100 * contest.aimed else "enough" if share >= 100 * contest.demanded else "SHORT"
    ours, theirs = report["time_use"]
    overshoot = 1000 * ours["overshoot_p99_s"]
    late = "" if overshoot <= MOST_OVERSHOOT_MS else f", overshoot {overshoot:.1f} ms at p99"
    return (
        f"{contest.name:<12} {contest.game:<12} {report['games']:>5} {100 * contest.demanded:>7.0f} % "
        f"{100 * contest.aimed:>4.0f} % {share:>6.1f} % {low:>6.1f} -{high:>5.1f} %   "
        f"{report['wins']} {report['draws']} {report['losses']}   {verdict}; "
        f"{1000 * ours['seconds_a_move']:.0f} ms a move against {1000 * theirs['seconds_a_move']:.0f}{late}"
    )


def known_reports(file: Path | None) -> dict[str, dict[str, Any]]:
    """The duels that a file holds, by name; the last one of a name counts."""
    if file is None or not file.exists():
        return {}
    lines = [json.loads(line) for line in file.read_text().splitlines() if line.strip()]
    return {line["duel"]: line["report"] for line in lines}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [contest.name for contest in CONTESTS]
    parser.add_argument("--only", action="append", choices=names, help="this duel; may be given again (all)")
    parser.add_argument("--games", type=int, default=GAMES, help=f"of each duel ({GAMES})")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, help="games at a time (one for each core)")
    parser.add_argument("--out", type=Path, help="add the reports to this file, and play none that it holds")
    arguments = parser.parse_args()
    known = known_reports(arguments.out)
    print(HEADINGS)
    is_short = False
    for contest in CONTESTS:
        if contest.name not in (arguments.only or names):
            continue
        report = known.get(contest.name)
        if report is None:
            fought = fight(contest, games=arguments.games, seed=arguments.seed, workers=arguments.workers)
            report = fought.to_data()
            if arguments.out is not None and not fought.is_interrupted:
                with arguments.out.open("a") as file:
                    file.write(json.dumps({"duel": contest.name, "report": report}) + "\n")
        if report["games"]:
            print(line_of(contest, report), flush=True)
        is_short |= not report["games"] or report["estimate"]["share"] < contest.demanded
        if report["is_interrupted"]:
            return 130
    return int(is_short)


if __name__ == "__main__":
    sys.exit(main())

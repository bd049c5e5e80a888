"""What compiled rules are worth: rates of every game, against C++ for Ultimate Tic-Tac-Toe, and waiting times.

    make bench
    .venv/bin/python benchmarks/speed.py [--quick] [--json FILE]

One thread. A ratio is worth more than a rate: it is measured in turns, within one run.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import tempfile
import textwrap
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rates import Contest, Instance, Rates, against_cpp, build_yardstick, find_compiler, rates_of
from startup import Startup, help_seconds, startup_of

from ludus.rules import game_names

WIDTH = 100
REQUIRED = (0.80, 0.70, 0.80)  # of C++: perft, perft in bulk, random games
FIRST, CACHED, RULES, HELP = 6.0, 1.0, 0.15, 0.3  # seconds to wait at most

ULTIMATE = Instance("ultimate", "ultimate", {}, 6, 7, 30_000, "")
INSTANCES = (
    ULTIMATE,
    Instance("ultimate-adjacent", "ultimate-adjacent", {}, 5, 6, 30_000, ""),
    Instance("extreme", "extreme", {}, 4, 5, 5_000, ""),
    Instance("extreme", "extreme, no bonus", {"bonus": False}, 4, 5, 5_000, ""),
    Instance("slant", "slant 6 x 6", {"m": 6}, 4, 5, 30_000, ""),
    Instance("slant", "slant 12 x 12", {"m": 12}, 3, 4, 8_000, ""),
    Instance("subtraction", "subtraction 50..99", {}, 5, 6, 20_000, ""),
)


def short(rate: float) -> str:
    """A rate in three or four figures: 228 M, 1.52 M, 864 k."""
    for factor, letter in ((1e6, "M"), (1e3, "k")):
        if rate >= factor:
            figures = rate / factor
            return f"{figures:.0f} {letter}" if figures >= 100 else f"{figures:.3g} {letter}"
    return f"{rate:.0f}"


def verdict(is_good: bool) -> str:
    return "ok" if is_good else "BELOW"


def compare(rounds: int) -> list[Contest]:
    """Ours against C++, printed; nothing where there is no compiler."""
    compiler = find_compiler()
    if compiler is None:
        print("Against C++: skipped, there is neither g++ nor clang++ here.\n")
        return []
    with tempfile.TemporaryDirectory(prefix="ludus-bench-") as folder:
        try:
            library = build_yardstick(compiler, Path(folder))
        except subprocess.CalledProcessError as error:
            print(f"Against C++: skipped, {compiler} fails: {error.stderr.strip().splitlines()[0]}\n")
            return []
        contests = against_cpp(library, ULTIMATE, REQUIRED, rounds)
    print(
        f"Ultimate Tic-Tac-Toe against C++ by hand ({compiler} -O3 -march=native; best of {rounds} in turns)\n"
    )
    print(
        f"  {'':14}{'ours /s':>10}{'C++ /s':>10}{'ratio':>8}{'at least':>10}          C++ free cells / block sets"
    )
    for contest in contests:
        both = " / ".join(short(rate) for rate in contest.cpp.values())
        print(
            f"  {contest.name:14}{short(contest.ours):>10}{short(contest.cpp[contest.best_cpp]):>10}"
            f"{contest.ratio:>8.2f}{contest.required:>10.2f}  {verdict(contest.ratio >= contest.required):6}  {both}"
        )
    print()
    return contests


def survey(rounds: int) -> list[Rates]:
    """Our own rates for every game, printed as they come."""
    print(f"Every game on one thread (best of {rounds})\n")
    print(f"  {'':20}{'perft /s':>10}{'bulk /s':>10}{'games /s':>10}{'plies/game':>12}{'plies /s':>10}")
    found = []
    for instance in INSTANCES:
        rates = rates_of(instance, rounds)
        found.append(rates)
        print(
            f"  {instance.title:20}{short(rates.leaves):>10}{short(rates.bulk):>10}{short(rates.games):>10}"
            f"{rates.plies_per_game:>12.1f}{short(rates.games * rates.plies_per_game):>10}",
            flush=True,
        )
    print("\n  What limits each:")
    for instance in INSTANCES:
        if instance.limit:
            text = f"{instance.title}: {instance.limit}"
            print(textwrap.fill(text, WIDTH, initial_indent="  - ", subsequent_indent="    "))
    print()
    return found


def waits(tries: int) -> tuple[list[Startup], float]:
    """Waiting times in fresh processes, printed."""
    print("Seconds from starting Python to its end, wall time\n")
    print(f"  {'':20}{'first perft':>14}{'from cache':>14}{'rules alone':>14}")
    print(f"  {'at most':20}{FIRST:>14.2f}{CACHED:>14.2f}{RULES:>14.2f}")
    found = []
    for game in game_names():
        waited = startup_of(game, tries)
        found.append(waited)
        is_good = waited.first <= FIRST and waited.cached <= CACHED and waited.rules <= RULES
        print(
            f"  {game:20}{waited.first:>14.2f}{waited.cached:>14.2f}{waited.rules:>14.2f}"
            f"  {'ok' if is_good else 'TOO SLOW'}",
            flush=True,
        )
    help_s = help_seconds(tries)
    print(f"\n  ludus --help: {help_s:.2f} of at most {HELP:.2f}  {'ok' if help_s <= HELP else 'TOO SLOW'}")
    return found, help_s


def report(
    contests: list[Contest], rates: list[Rates], startups: list[Startup], help_s: float
) -> dict[str, Any]:
    """Everything that was measured, for machines."""
    return {
        "machine": platform.processor() or platform.machine(),
        "python": platform.python_version(),
        "against_cpp": [{**asdict(contest), "ratio": contest.ratio} for contest in contests],
        "rates": [asdict(rate) for rate in rates],
        "startup_seconds": [asdict(startup) for startup in startups],
        "help_seconds": help_s,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer rounds: a first impression")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write everything measured to this file")
    arguments = parser.parse_args()
    contests = compare(5 if arguments.quick else 15)
    rates = survey(2 if arguments.quick else 7)
    startups, help_s = waits(1 if arguments.quick else 3)
    if arguments.json:
        arguments.json.write_text(json.dumps(report(contests, rates, startups, help_s), indent=2) + "\n")


if __name__ == "__main__":
    main()

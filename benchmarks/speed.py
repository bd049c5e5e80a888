"""What compiled rules are worth: the speed of every game, against C++ where there is some, and the waiting.

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

from limits import Limits, limits_of
from ludus.rules import game_names
from rates import REPRESENTATIONS, Contest, Instance, Rates, against_cpp, build_yardstick, find_compiler, rates_of
from searches import searches_against_cpp
from startup import Startup, help_seconds, startup_of

WIDTH = 100
REQUIRED = (0.80, 0.70, 0.80)  # of C++: perft, perft in bulk, random games
FIRST, CACHED, RULES, HELP = 6.0, 1.0, 0.15, 0.3  # seconds to wait at most

ULTIMATE = Instance(
    "ultimate",
    "ultimate",
    {},
    leaves_depth=6,
    bulk_depth=7,
    games=30_000,
    limit="waiting. The next legal moves need the board, the choice needs their number, the board the choice.",
)
INSTANCES = (
    ULTIMATE,
    Instance(
        "ultimate-adjacent",
        "ultimate-adjacent",
        {},
        leaves_depth=5,
        bulk_depth=6,
        games=30_000,
        limit="waiting, as with ultimate.",
    ),
    Instance(
        "extreme",
        "extreme",
        {},
        leaves_depth=4,
        bulk_depth=5,
        games=5_000,
        limit="branches guessed wrong, a third of the time; picking a move without branches was tried and is "
        "slower, since it waits for the counts of all six words. Then the number of instructions: 18 fields "
        "for 16 registers.",
    ),
    Instance("extreme", "extreme, no bonus", {"bonus": False}, leaves_depth=4, bulk_depth=5, games=5_000, limit=""),
    Instance(
        "slant",
        "slant 6 x 6",
        {"m": 6},
        leaves_depth=4,
        bulk_depth=5,
        games=30_000,
        limit="the number of instructions. `play` has no branch: it computes all words of the 30 fields, of "
        "which a move changes a few.",
    ),
    Instance("slant", "slant 12 x 12", {"m": 12}, leaves_depth=3, bulk_depth=4, games=8_000, limit=""),
    Instance(
        "subtraction",
        "subtraction 50..99",
        {},
        leaves_depth=5,
        bulk_depth=6,
        games=20_000,
        limit="the number of instructions: minima of six lines and the tests for zeros, every ply.",
    ),
)


def short(rate: float) -> str:
    """A rate in three figures or a few more: 1.40 M, 30.0 M, 870 k."""
    for factor, letter in ((1e6, "M"), (1e3, "k")):
        if rate >= factor:
            figures = rate / factor
            return f"{figures:.{2 if figures < 10 else 1 if figures < 100 else 0}f} {letter}"
    return f"{rate:.0f}"


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
        contests = against_cpp(library, ULTIMATE, REQUIRED, rounds) + searches_against_cpp(library, rounds)
    print(f"Ultimate Tic-Tac-Toe against C++ by hand ({compiler} -O3 -march=native), best of {rounds}\n")
    print(f"  {'':14}{'ours /s':>10}{'C++ /s':>10}{'ratio':>8}{'at least':>10}  {'':8}C++ free cells / block sets")
    for contest in contests:
        theirs = contest.cpp[contest.best_cpp]
        both = " / ".join(short(contest.cpp[name]) if name in contest.cpp else "-" for name in REPRESENTATIONS)
        verdict = "ok" if contest.ratio >= contest.required else "BELOW"
        print(
            f"  {contest.name:14}{short(contest.ours):>10}{short(theirs):>10}"
            f"{contest.ratio:>8.2f}{contest.required:>10.2f}  {verdict:8}{both}"
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
    print()
    return found


def explain(rounds: int) -> list[Limits]:
    """What bounds random games, printed: two experiments, and in words."""
    print("What limits random games: times as fast with one obstacle less (see limits.py)\n")
    print(f"  {'':20}{'no branch guessed wrong':>26}{'two games at once':>20}")
    found = []
    for instance in INSTANCES:
        limits = limits_of(instance, rounds)
        found.append(limits)
        print(
            f"  {limits.title:20}{limits.all_branches_foreseen:>26.2f}{limits.two_games_at_once:>20.2f}",
            flush=True,
        )
    print()
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


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer rounds: a first impression")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write everything measured to this file")
    arguments = parser.parse_args()
    is_quick = arguments.quick
    contests = compare(5 if is_quick else 15)
    rates = survey(2 if is_quick else 7)
    limits = explain(2 if is_quick else 5)
    startups, help_s = waits(1 if is_quick else 3)
    if arguments.json:
        report = {
            "machine": platform.processor() or platform.machine(),
            "python": platform.python_version(),
            "against_cpp": [{**asdict(contest), "ratio": contest.ratio} for contest in contests],
            "rates": [asdict(rate) for rate in rates],
            "limits": [asdict(limit) for limit in limits],
            "startup_seconds": [asdict(startup) for startup in startups],
            "help_seconds": help_s,
        }
        arguments.json.write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()

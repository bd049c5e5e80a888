"""Thousands of games at full concurrency between honest bots that use 80 % of a short limit: nobody may forfeit.

    python benchmarks/no_false_forfeit.py [--games 5000] [--workers N] [--limit-ms 20]

The game is subtraction with numbers up to 4, which is short. A bot works until 80 % of its limit is over, then answers.
Unless told otherwise there is one referee for each core, each with a game of its own.
"""

from __future__ import annotations

import argparse
import collections
import os
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from ludus.bots.entrants import parse_entrant
from ludus.bots.room import Room
from ludus.events.event import plain_event
from ludus.referee.series import Series, fixtures, play_fixture
from ludus.rules import load_game
from ludus.sandbox.levels import open_sandbox
from ludus.search.cores import usable_cores

BOT = """
import random
import time


def choose(state, clock):
    end = time.perf_counter() + 0.8 * clock["move_ms"] / 1000
    while time.perf_counter() < end:
        sum(range(100))
    return random.choice(state["legal"])
"""


def played(seed: int, games: int, limit_s: float, folder: str) -> tuple[collections.Counter[str], int, float]:
    """How the games of one referee ended, how many were replayed, and the longest move as a share of the limit."""
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[seed % len(cores)]})  # a core for a referee and its bots, as in a tournament
    event = plain_event(load_game("subtraction"), limit_s=limit_s, options={"low": 1, "high": 4})
    bot = parse_entrant(f"{folder}/bot.py", event.game)
    ends: collections.Counter[str] = collections.Counter()
    replays, longest = 0, 0.0
    with Room(open_sandbox("full", preload=()), limits=event.limits) as room:
        for fixture in fixtures(Series(event.game, event.options, event.control, games, seed)):
            fairly = play_fixture(fixture, room, (bot, bot))
            verdict = fairly.judged.verdict
            ends[verdict.kind if not verdict.is_forfeit else f"{verdict.kind}: {verdict.reason}"] += 1
            replays += len(fairly.starved)
            longest = max([longest, *(mind.spent.wall_s / limit_s for mind in fairly.judged.minds)])
    return ends, replays, longest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=5000)
    parser.add_argument("--workers", type=int, default=usable_cores())
    parser.add_argument("--limit-ms", type=float, default=20.0)
    arguments = parser.parse_args()
    begin = time.perf_counter()
    each = -(-arguments.games // arguments.workers)
    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor(arguments.workers) as pool:
        Path(folder, "bot.py").write_text(BOT)
        count = arguments.workers
        done = list(
            pool.map(played, range(count), [each] * count, [arguments.limit_ms / 1000] * count, [folder] * count)
        )
    ends = sum((ends for ends, _, _ in done), collections.Counter())
    replays, longest = sum(replays for _, replays, _ in done), max(longest for _, _, longest in done)
    seconds = time.perf_counter() - begin
    print(f"{sum(ends.values())} games, {arguments.workers} referees at a time, {seconds:.0f} s: {dict(ends)}")
    print(f"{replays} replayed on a quiet core; the longest move took {100 * longest:.0f} % of its limit")


if __name__ == "__main__":
    main()

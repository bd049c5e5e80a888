"""How many judged games a second, each bot in a locked-down process of its own; and a peer's, in the same run.

    python benchmarks/referee.py [--seconds 10] [--workers 2]

The peer is kaggle-environments (extra `bench`): its connectx with its two random agents, which run in the referee's
own process without isolation. Their games are shorter (up to 42 moves); both are given in moves a second as well, and
by time on a core, of referee, fork server and bots together: what other programs do meanwhile changes that least.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from ludus.bots.entrants import parse_entrant
from ludus.bots.room import Room
from ludus.events.event import load_event
from ludus.referee.series import Series, fixtures, play_fixture
from ludus.sandbox.levels import open_sandbox

RANDOM_BOT = Path(__file__).parent.parent / "examples" / "nsoc" / "random_bot.py"


class Done(NamedTuple):
    """What one process did; core seconds are those of all its children as well."""

    games: int
    moves: int
    seconds: float
    core_seconds: float


def ours(seed: int, seconds: float) -> Done:
    """The work of one referee, which has a core for itself and its bots, as in a tournament."""
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[seed % len(cores)]})
    event = load_event("nsoc")
    bot = parse_entrant(str(RANDOM_BOT), event.game, interface=event.interface)
    games = moves = 0
    with Room(open_sandbox("full", preload=()), limits=event.limits) as room:
        begin, used = time.perf_counter(), core_seconds()
        for fixture in fixtures(Series(event.game, {}, event.control, 1_000_000, seed)):
            judged = play_fixture(fixture, room, (bot, bot)).judged
            assert not judged.verdict.is_forfeit, judged.verdict
            games, moves = games + 1, moves + len(judged.moves)
            if time.perf_counter() - begin > seconds:
                break
        spent = time.perf_counter() - begin
    return Done(games, moves, spent, core_seconds() - used)  # the fork server has ended, and what it used is known


def core_seconds() -> float:
    used = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(part.ru_utime + part.ru_stime for part in used)


def theirs(_seed: int, seconds: float) -> Done:
    """The peer's work in one process."""
    from kaggle_environments import make  # noqa: PLC0415  # slow, and not always there

    environment = make("connectx")
    games = moves = 0
    begin, used = time.perf_counter(), core_seconds()
    while time.perf_counter() - begin < seconds:
        steps = environment.run(["random", "random"])
        games, moves = games + 1, moves + len(steps) - 1
    return Done(games, moves, time.perf_counter() - begin, core_seconds() - used)


def measured(name: str, work: Callable[[int, float], Done], workers: int, seconds: float) -> None:
    with ProcessPoolExecutor(workers) as pool:
        done = list(pool.map(work, range(workers), [seconds] * workers))
    games, moves = (sum(part[index] / part.seconds for part in done) for index in (0, 1))
    core_ms = 1000 * sum(part.core_seconds for part in done) / sum(part.games for part in done)
    print(f"{name:<44} {games:7.1f} games/s  {moves:8.0f} moves/s  {core_ms:6.1f} ms of a core a game")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    measured("ludus: ultimate, random bots, full isolation", ours, arguments.workers, arguments.seconds)
    try:
        import kaggle_environments  # noqa: F401, PLC0415
    except ImportError:
        print("kaggle-environments is not installed: pip install 'ludus[bench]'", file=sys.stderr)
        return
    measured("kaggle-environments: connectx, no isolation", theirs, arguments.workers, arguments.seconds)


if __name__ == "__main__":
    main()

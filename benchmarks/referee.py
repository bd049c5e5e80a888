"""How many judged games a second, each bot in a locked-down process of its own; and a peer's, in the same run.

    python benchmarks/referee.py [--seconds 10] [--workers 2]

The peer is kaggle-environments (extra `bench`): its connectx with its two random agents, which run in the referee's
own process without isolation. Their games are shorter (up to 42 moves); both are given in moves a second as well.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from ludus.bots.entrants import parse_entrant
from ludus.bots.room import Room
from ludus.events.event import load_event
from ludus.referee.series import Series, fixtures, play_fixture
from ludus.sandbox.levels import open_sandbox

RANDOM_BOT = Path(__file__).parent.parent / "examples" / "nsoc" / "random_bot.py"


def ours(seed: int, seconds: float) -> tuple[int, int, float]:
    """Games, moves and seconds of one referee, which has a core for itself and its bots, as in a tournament."""
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[seed % len(cores)]})
    event = load_event("nsoc")
    bot = parse_entrant(str(RANDOM_BOT), event.game, interface=event.interface)
    games = moves = 0
    with Room(open_sandbox("full", preload=()), limits=event.limits) as room:
        begin = time.perf_counter()
        for fixture in fixtures(Series(event.game, {}, event.control, 1_000_000, seed)):
            judged = play_fixture(fixture, room, (bot, bot)).judged
            assert not judged.verdict.is_forfeit, judged.verdict
            games, moves = games + 1, moves + len(judged.moves)
            if time.perf_counter() - begin > seconds:
                break
        return games, moves, time.perf_counter() - begin


def theirs(_seed: int, seconds: float) -> tuple[int, int, float]:
    """Games, moves and seconds of the peer in one process."""
    from kaggle_environments import make  # noqa: PLC0415  # slow, and not always there

    environment = make("connectx")
    games = moves = 0
    begin = time.perf_counter()
    while time.perf_counter() - begin < seconds:
        steps = environment.run(["random", "random"])
        games, moves = games + 1, moves + len(steps) - 1
    return games, moves, time.perf_counter() - begin


def measured(name: str, work: object, workers: int, seconds: float) -> None:
    with ProcessPoolExecutor(workers) as pool:
        done = list(pool.map(work, range(workers), [seconds] * workers))  # type: ignore[arg-type]
    games = sum(games / spent for games, _, spent in done)
    moves = sum(moves / spent for _, moves, spent in done)
    print(f"{name:<44} {games:7.1f} games/s  {moves:8.0f} moves/s")


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

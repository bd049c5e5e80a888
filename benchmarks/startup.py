"""How long one waits in a fresh process: for rules, for code out of the cache, for a first compilation."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

PERFT = (
    "from ludus.rules import load_game; from ludus.search.perft import perft; "
    "game = load_game('{game}'); perft(game, game.start(), 2)"
)
RULES = "from ludus.rules import load_game; load_game('{game}')"


@dataclass(frozen=True)
class Startup:
    """Seconds of wall time from starting Python to its end."""

    game: str
    first: float  # perft with an empty cache
    cached: float  # perft with the code of the first time
    rules: float  # the rules alone


def seconds_of(command: list[str], environment: dict[str, str], tries: int) -> float:
    """The shortest wall time of a command that must succeed."""
    taken = []
    for _ in range(tries):
        begin = time.perf_counter()
        subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
        taken.append(time.perf_counter() - begin)
    return min(taken)


def startup_of(game: str, tries: int) -> Startup:
    """The three waits for one game; the cache is a folder of its own, empty at first."""
    with tempfile.TemporaryDirectory(prefix="ludus-bench-") as folder:
        environment = {**os.environ, "LUDUS_CACHE": folder}
        perft = [sys.executable, "-c", PERFT.format(game=game)]
        first = seconds_of(perft, environment, 1)
        cached = seconds_of(perft, environment, tries)
        return Startup(game, first, cached, rules_of(game, environment, tries))


def rules_of(game: str, environment: dict[str, str], tries: int) -> float:
    return seconds_of([sys.executable, "-c", RULES.format(game=game)], environment, tries)


def help_seconds(tries: int) -> float:
    """How long `ludus --help` takes."""
    return seconds_of([sys.executable, "-m", "ludus", "--help"], dict(os.environ), tries)

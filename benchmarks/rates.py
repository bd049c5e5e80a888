"""How fast compiled rules run, alone and against C++ written by hand. For `speed.py`.

All times are CPU times of this thread, so that other work on the machine disturbs little; what is compared
is measured in turns, round after round, so that what disturbs, disturbs both.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ludus.compile.link import link
from ludus.rules import load_game
from ludus.search.perft import count_in_bulk, count_leaves
from ludus.search.playouts import sample_games, sum_of_games

YARDSTICK = Path(__file__).parent / "yardstick"
FLAGS = ("-O3", "-march=native", "-ffp-contract=off", "-std=c++20", "-shared", "-fPIC")
REPRESENTATIONS = ("free_cells", "block_sets")
SEED = 88172645463325252
SURVEYED = 20_000  # games whose lengths are counted

Work = Callable[[], object]


@dataclass(frozen=True)
class Instance:
    """A game with options, and how much of each kind of work makes a good sample of it."""

    game: str
    title: str
    options: dict[str, Any]
    leaves_depth: int
    bulk_depth: int
    games: int
    limit: str  # what bounds its speed, found by experiment


@dataclass(frozen=True)
class Rates:
    """Of one instance, on one thread, in things a second."""

    instance: Instance
    leaves: float
    bulk: float
    games: float
    plies_per_game: float


@dataclass(frozen=True)
class Contest:
    """One kind of work, ours against C++, in units a second; C++ by the way it holds a position."""

    name: str
    unit: str
    ours: float
    cpp: dict[str, float]
    required: float

    @property
    def best_cpp(self) -> str:
        return max(self.cpp, key=lambda name: self.cpp[name])

    @property
    def ratio(self) -> float:
        return self.ours / self.cpp[self.best_cpp]


def in_turns(works: list[Work], rounds: int) -> list[float]:
    """The shortest CPU time of each piece of work, all taking turns; the first time of each does not count."""
    times: list[list[float]] = [[] for _ in works]
    for work in works:
        work()
    for _ in range(rounds):
        for work, taken in zip(works, times, strict=True):
            begin = time.thread_time()
            work()
            taken.append(time.thread_time() - begin)
    return [min(taken) for taken in times]


def our_works(instance: Instance) -> list[Work]:
    """Counting leaves, counting in bulk, random games; each gives what another program must match."""
    game = load_game(instance.game)
    root = np.array(game.start(**instance.options), np.int64)
    leaves, bulk, games = (link(game, entry) for entry in (count_leaves, count_in_bulk, sum_of_games))

    def random_games() -> tuple[int, int]:
        rng = np.array([SEED], np.uint64)
        return int(games(root, instance.games, rng)), int(rng[0])

    return [
        lambda: int(leaves(root, instance.leaves_depth)),
        lambda: int(bulk(root, instance.bulk_depth)),
        random_games,
    ]


def rates_of(instance: Instance, rounds: int) -> Rates:
    """Our own rates for one instance."""
    works = our_works(instance)
    leaves, bulk, _ = (work() for work in works)
    seconds = in_turns(works, rounds)
    game = load_game(instance.game)
    sample = sample_games(game, game.start(**instance.options), SURVEYED, threads=1)
    plies = sum(length * times for length, times in sample.lengths.items())
    assert isinstance(leaves, int)
    assert isinstance(bulk, int)
    return Rates(instance, leaves / seconds[0], bulk / seconds[1], instance.games / seconds[2], plies / sample.games)


def find_compiler() -> str | None:
    """A C++ compiler: what CXX names, else g++, else clang++."""
    candidates = (os.environ.get("CXX"), "g++", "clang++")
    return next((name for name in candidates if name and shutil.which(name)), None)


def build_yardstick(compiler: str, folder: Path) -> ctypes.CDLL:
    """The yardstick, compiled into the folder. A compiler that fails raises CalledProcessError."""
    library = folder / "yardstick.so"
    command = [compiler, *FLAGS, str(YARDSTICK / "yardstick.cpp"), "-o", str(library)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return ctypes.CDLL(str(library))


def their_works(library: ctypes.CDLL, representation: str, instance: Instance) -> list[Work]:
    """The same three pieces of work as `our_works`, in C++."""
    leaves = getattr(library, f"{representation}_leaves")
    bulk = getattr(library, f"{representation}_bulk")
    games = getattr(library, f"{representation}_games")
    leaves.restype = bulk.restype = ctypes.c_uint64
    games.restype, games.argtypes = ctypes.c_int64, (ctypes.c_int64, ctypes.POINTER(ctypes.c_uint64))

    def random_games() -> tuple[int, int]:
        state = ctypes.c_uint64(SEED)
        return games(instance.games, ctypes.byref(state)), state.value

    return [lambda: leaves(instance.leaves_depth), lambda: bulk(instance.bulk_depth), random_games]


def against_cpp(
    library: ctypes.CDLL, instance: Instance, required: tuple[float, float, float], rounds: int
) -> list[Contest]:
    """Ours against C++ at perft, perft in bulk and random games.

    Both do the same work, which is checked: equal counts; equal payoffs, and after all games the same state
    of the random generator, so the same number of moves was drawn.
    """
    ours = our_works(instance)
    theirs = {name: their_works(library, name, instance) for name in REPRESENTATIONS}
    names = ("perft", "perft in bulk", "random games")
    units = ("leaves", "leaves", "games")
    contests = []
    for index, (name, unit) in enumerate(zip(names, units, strict=True)):
        works = [ours[index], *(works[index] for works in theirs.values())]
        results = [work() for work in works]
        if any(result != results[0] for result in results):
            raise RuntimeError(f"{name}: we and C++ disagree: {results}")
        amount = results[0] if isinstance(results[0], int) else instance.games
        mine, *others = (amount / seconds for seconds in in_turns(works, rounds))
        contests.append(Contest(name, unit, mine, dict(zip(theirs, others, strict=True)), required[index]))
    return contests

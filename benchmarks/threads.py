"""Two threads against one: how many times the nodes do alpha-beta and MCTS search in the same time on `ultimate`?

    .venv/bin/python benchmarks/threads.py [--seconds 1.0] [--rounds 5] [--threads 2]

One and two take turns. At least 1.6 times is demanded when two cores are free, so the cores that the threads really
got are counted: only turns in which every thread had a core to itself count, and without any there is no verdict.
Beside the plain ratio stands the one of nodes for each second of CPU time, times the threads, over all turns. On a busy
machine it is an upper bound: threads that seldom run at the same time do not get in each other's way.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from random import Random
from statistics import median

from ludus.rules import State, load_game, random_line
from ludus.search.deepening import AlphaBeta
from ludus.search.mcts import Mcts

MEGABYTES = 256
PLIES = (0, 8, 16)  # of the positions that are searched; none is solved in a second
REQUIRED = 1.6
FREE = 0.95  # of a core for each thread, or the cores are not free
ENOUGH = 5  # turns with free cores for a verdict

Searcher = AlphaBeta | Mcts


@dataclass(frozen=True)
class Run:
    """One search: what it did, and in what time."""

    nodes: int
    seconds: float
    cpu_seconds: float

    @property
    def cores(self) -> float:
        return self.cpu_seconds / self.seconds


@dataclass(frozen=True)
class Scaling:
    """Several threads against one, over all positions and rounds; medians of the turns."""

    ratio: float  # of nodes in the same time, of the turns with free cores; 0 without any
    by_cpu_time: float
    free: int  # turns in which every thread had a core
    turns: int


def run(searcher: Searcher, state: State, seconds: float) -> Run:
    """One search from an empty memory; the CPU time of all threads counts."""
    searcher.forget()
    begin, cpu_begin = time.perf_counter(), time.process_time()
    found = searcher.search(state, seconds=seconds)
    return Run(found.nodes, time.perf_counter() - begin, time.process_time() - cpu_begin)


def scaling(one: Searcher, several: Searcher, threads: int, *, seconds: float, rounds: int) -> Scaling:
    game = load_game("ultimate")
    states = [random_line(game, game.start(), Random(1), plies).states[-1] for plies in PLIES]
    ratios, efficiencies = [], []
    for searcher in (one, several):
        searcher.search(states[0], seconds=seconds)  # touches the memory
    for _ in range(rounds):
        for state in states:
            alone, together = run(one, state, seconds), run(several, state, seconds)
            efficiencies.append(together.nodes / together.cpu_seconds / (alone.nodes / alone.cpu_seconds))
            if alone.cores >= FREE and together.cores >= FREE * threads:
                ratios.append(together.nodes / together.seconds / (alone.nodes / alone.seconds))
    ratio = median(ratios) if ratios else 0.0
    return Scaling(ratio, threads * median(efficiencies), len(ratios), len(efficiencies))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each search (1.0)")
    parser.add_argument("--rounds", type=int, default=5, help="over all positions (5)")
    parser.add_argument("--threads", type=int, default=2, help="against one (2)")
    arguments = parser.parse_args()
    threads, game = arguments.threads, load_game("ultimate")
    print(f"{threads} threads against 1, {arguments.seconds:g} s a search; at least {REQUIRED} is demanded of 2\n")
    print(f"  {'':12}{'nodes':>8}{'by CPU time':>16}{'cores free':>14}")
    is_short = False
    for name, kind in (("alpha-beta", AlphaBeta), ("MCTS", Mcts)):
        one, several = (kind(game, megabytes=MEGABYTES, threads=n) for n in (1, threads))
        found = scaling(one, several, threads, seconds=arguments.seconds, rounds=arguments.rounds)
        is_free, is_enough = found.free >= ENOUGH, found.ratio >= REQUIRED
        verdict = ("ok" if is_enough else "BELOW") if is_free else "no verdict: the cores were not free"
        turns = f"{found.free} of {found.turns}"
        print(f"  {name:12}{found.ratio:>8.2f}{found.by_cpu_time:>16.2f}{turns:>14}  {verdict}", flush=True)
        is_short |= is_free and not is_enough
    return int(is_short)


if __name__ == "__main__":
    sys.exit(main())

"""How quick a learned evaluation is: alpha-beta and MCTS on `ultimate` with the shipped network and without, in turns.

    python benchmarks/networks.py [--rounds 5]

CPU time of one thread. Required: 3 million nodes a second of alpha-beta, 0.5 million evaluations of MCTS.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from random import Random
from typing import Any

from ludus.networks.network import Network
from ludus.networks.shipped import SHIPPED, find_network
from ludus.rules import Game, State, load_game, random_line
from ludus.search.deepening import AlphaBeta
from ludus.search.mcts import Mcts

PLIES = (0, 8, 16, 24, 30)  # random moves before the positions that are searched
NODES, ITERATIONS = 500_000, 100_000
REQUIRED = {"alpha-beta": 3.0, "MCTS": 0.5}  # millions a second, with the network

Search = Callable[[State], int]


def alphabeta(game: Game, network: Network | None) -> Search:
    searcher = AlphaBeta(game, megabytes=64, network=network)

    def search(state: State) -> int:
        searcher.forget()
        return searcher.search(state, nodes=NODES).nodes

    return search


def mcts(game: Game, network: Network | None) -> Search:
    searcher = Mcts(game, megabytes=256, cut_off=0, network=network)

    def search(state: State) -> int:
        searcher.forget()
        return searcher.search(state, iterations=ITERATIONS).nodes

    return search


def rates(searches: dict[str, Search], states: list[State], rounds: int) -> dict[str, float]:
    """Millions a second of each: every position in turns, the quickest round of each counts."""
    best: dict[tuple[str, int], tuple[float, int]] = {}
    for _ in range(rounds):
        for k, state in enumerate(states):
            for name, search in searches.items():
                begin = time.thread_time()
                nodes = search(state)
                taken = time.thread_time() - begin
                best[name, k] = min(best.get((name, k), (float("inf"), 0)), (taken, nodes))
    totals: dict[str, Any] = {name: [best[name, k] for k in range(len(states))] for name in searches}
    return {name: sum(n for _, n in found) / sum(t for t, _ in found) / 1e6 for name, found in totals.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    game = load_game("ultimate")
    network = find_network(game, SHIPPED)
    states = [random_line(game, game.start(), Random(plies), plies).states[-1] for plies in PLIES]
    for name, make in (("alpha-beta", alphabeta), ("MCTS", mcts)):
        searches = {"with": make(game, network), "without": make(game, None)}
        for search in searches.values():
            search(states[0])  # compiled, and all memory touched
        found = rates(searches, states, given.rounds)
        verdict = "reached" if found["with"] >= REQUIRED[name] else "MISSED"
        print(
            f"{name:10} {found['with']:.2f} M/s with the network, {found['without']:.2f} with the tables alone"
            f" (required {REQUIRED[name]}: {verdict})"
        )


if __name__ == "__main__":
    main()

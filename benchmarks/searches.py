"""Our alpha-beta and Monte Carlo tree search on `ultimate` beside the same searches in C++. For `speed.py`.

The C++ works in the arrays of our searchers and takes the place of their compiled part alone, so both do the same
work to the last bit. That is checked: the same finding, and the same tree or table, word for word.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np

from ludus.games.nested.nine_evaluation import DIGITS, OURS
from ludus.games.ultimate import evaluation
from ludus.rules import State, load_game, random_line
from ludus.search.deepening import AlphaBeta
from ludus.search.finding import Finding
from ludus.search.mcts import Mcts
from ludus.search.table import WORDS
from rates import REPRESENTATIONS, Contest

DEPTHS = {0: 18, 10: 20, 20: 19, 30: 20}  # of alpha-beta after so many plies: a tenth of a second and more each
ITERATIONS = 200_000
MEGABYTES = 64
REQUIRED = 0.85
SEED = 1

Search = Callable[[Any, State, int], Finding]


def searches_against_cpp(library: ctypes.CDLL, rounds: int) -> list[Contest]:
    """Ours against C++ at alpha-beta with a table and at MCTS with random playouts."""
    game = load_game("ultimate")
    load_evaluation(library)
    ours, theirs = AlphaBeta(game, megabytes=MEGABYTES), AlphaBeta(game, megabytes=MEGABYTES)
    theirs.search_once = alphabeta_in_cpp(library)
    trees = {name: Mcts(game, megabytes=MEGABYTES, seed=SEED) for name in REPRESENTATIONS}
    for name, searcher in trees.items():
        searcher.grow = mcts_in_cpp(library, name)
    own_tree = Mcts(game, megabytes=MEGABYTES, seed=SEED)
    return [
        contest("alpha-beta", "nodes", ours, {"block_sets": theirs}, deepen, rounds),
        contest("MCTS", "games", own_tree, trees, simulate, rounds),
    ]


def contest(name: str, unit: str, ours: Any, theirs: dict[str, Any], search: Search, rounds: int) -> Contest:
    """All search the same positions in turns; the shortest CPU time of each counts."""
    searchers = [ours, *theirs.values()]
    seconds, nodes = [0.0] * len(searchers), 0
    for plies in DEPTHS:
        state = position_after(plies)
        for searcher in searchers:
            searcher.forget()
        nodes += check_same(name, searchers, [search(searcher, state, plies) for searcher in searchers])
        taken: list[list[float]] = [[] for _ in searchers]
        for _ in range(rounds):
            for searcher, times in zip(searchers, taken, strict=True):
                searcher.forget()
                begin = time.thread_time()
                search(searcher, state, plies)
                times.append(time.thread_time() - begin)
        seconds = [total + min(times) for total, times in zip(seconds, taken, strict=True)]
    mine, *others = (nodes / total for total in seconds)
    return Contest(name, unit, mine, dict(zip(theirs, others, strict=True)), REQUIRED)


def check_same(name: str, searchers: list[Any], found: list[Finding]) -> int:
    """The nodes of one search, which all must have made: not only the result counts, but all that is in memory."""
    memories = [(s.table,) if isinstance(s, AlphaBeta) else (s.nodes, s.proofs) for s in searchers]
    for finding, memory in zip(found, memories, strict=True):
        is_same = replace(finding, seconds=0.0) == replace(found[0], seconds=0.0)
        if not is_same or not all(np.array_equal(a, b) for a, b in zip(memory, memories[0], strict=True)):
            raise RuntimeError(f"{name}: we and C++ disagree: {found}")
    return found[0].nodes


def deepen(searcher: AlphaBeta, state: State, plies: int) -> Finding:
    return searcher.search(state, depth=DEPTHS[plies])


def simulate(searcher: Mcts, state: State, _plies: int) -> Finding:
    searcher.searches = 0  # the same random numbers every time
    return searcher.search(state, iterations=ITERATIONS)


def position_after(plies: int) -> State:
    """The position after so many random moves."""
    game = load_game("ultimate")
    return random_line(game, game.start(), Random(SEED), plies).states[-1]


def address(array: Any) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def load_evaluation(library: ctypes.CDLL) -> None:
    """Hand the tables of our evaluation to C++, which copies them."""
    weights = (*evaluation.BLOCKS, *evaluation.LINES, *evaluation.TARGETS, evaluation.FREE)
    tables = [np.array(table, np.int16) for table in (weights, evaluation.PAYOFFS)]
    tables += [np.array(table, np.int64) for table in (OURS, DIGITS)]
    library.load_evaluation(*map(address, tables))


def alphabeta_in_cpp(library: ctypes.CDLL) -> Callable[..., int]:
    """C++ with the arguments of `ludus.search.alphabeta.search_once`."""
    function = library.block_sets_alphabeta
    array, number = ctypes.c_void_p, ctypes.c_int64
    function.argtypes = (array, number, number, number, array, number, array)
    function.restype = number

    def search_once(root: Any, depth: int, low: int, high: int, table: Any, room: Any, _mind: Any) -> int:
        buckets = table.size // WORDS
        found: int = function(address(root), depth, low, high, address(table), buckets, address(room))
        return found

    return search_once


def mcts_in_cpp(library: ctypes.CDLL, representation: str) -> Callable[..., None]:
    """C++ with the arguments of `ludus.search.mcts_grow.grow`; it needs neither the orders nor the clock."""
    function = getattr(library, f"{representation}_mcts")
    function.restype = None

    def grow(root: Any, nodes: Any, proofs: Any, table: Any, _orders: Any, _control: Any, *room: Any) -> None:
        *own, _mind = room
        function(*map(address, (root, nodes, proofs, table, *own)))

    return grow

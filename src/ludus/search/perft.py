"""perft: how many sequences of moves of a given length there are. The test of every rules file.

Finished games count only when they end exactly at the depth. Counting in bulk takes the number of legal
moves one ply before the end instead of playing each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np

from ludus.compile.bits import plain
from ludus.compile.interface import (
    MoveSet,
    Words,
    count,
    first,
    load,
    moves,
    play,
    result,
    some,
    without_first,
)
from ludus.compile.link import link
from ludus.rules import Game, State
from ludus.search.cores import usable_cores

CHUNK = 2_000_000  # leaves that one call counts, more or less: short enough for progress and Ctrl-C
PLAIN_CHUNK = 2_000


def leaves(state: State, depth: int) -> int:
    """The count with a call of `play` for every last move: slower than bulk, and a check on it."""
    total = 0
    rest: MoveSet = moves(state)
    while some(rest):
        child = play(state, first(rest))
        rest = without_first(rest)
        if depth == 1:
            total += 1
        elif result(child) is None:
            total += leaves(child, depth - 1)
    return total


def bulk(state: State, depth: int) -> int:
    """The same count for depth >= 2, the last ply counted instead of played."""
    total = 0
    rest: MoveSet = moves(state)
    while some(rest):
        child = play(state, first(rest))
        rest = without_first(rest)
        if result(child) is None:
            total += count(moves(child)) if depth == 2 else bulk(child, depth - 1)
    return total


def count_leaves(root: Words, depth: int) -> int:
    """Entry point; the root is not over and depth >= 1."""
    return leaves(load(root, 0), plain(depth))


def count_in_bulk(root: Words, depth: int) -> int:
    """Entry point; the root is not over and depth >= 1."""
    state = load(root, 0)
    if depth == 1:
        return count(moves(state))
    return bulk(state, plain(depth))


def perft(
    game: Game,
    state: State,
    depth: int,
    *,
    threads: int | None = None,
    compiled: bool | None = None,
    on_progress: Callable[[float, int], None] = lambda share, total: None,
) -> int:
    """Sequences of `depth` moves from the state; `on_progress` hears the share done and the count so far.

    The tree is cut into subtrees of about a hundredth of a second each, which go to the threads a few at a
    time: memory stays flat at any depth and Ctrl-C is heard at once.
    """
    if depth == 0:
        return 1
    if not game.legal(state):
        return 0
    counted = link(game, count_in_bulk, compiled=compiled)
    is_compiled = hasattr(counted, "py_func")
    deep = _depth_of_chunks(counted, game, state, depth, CHUNK if is_compiled else PLAIN_CHUNK)
    workers = threads or usable_cores()
    subtrees = _subtrees(game, state, depth - deep, Fraction(1))
    total, share = 0, Fraction(0)
    with ThreadPoolExecutor(workers if is_compiled else 1) as pool:
        waiting: dict[Future[Any], Fraction] = {}
        try:
            while True:
                for root, part in islice(subtrees, 2 * workers - len(waiting)):
                    if game.result(root) is not None:
                        share += part
                        continue
                    waiting[pool.submit(counted, np.array(root, np.int64), deep)] = part
                if not waiting:
                    return total
                for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                    total += int(future.result())
                    share += waiting.pop(future)
                on_progress(float(share), total)
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            raise


def warm(game: Game) -> None:
    """Compile the count for this game, or load it from the cache."""
    link(game, count_in_bulk)(np.array(game.start(), np.int64), 1)


def _depth_of_chunks(counted: Callable[..., Any], game: Game, state: State, depth: int, size: int) -> int:
    """The greatest depth up to `depth` whose subtrees are still small, judged by the first child."""
    move = game.legal(state)[0]
    child = game.play(state, move)
    if game.result(child) is not None:
        child = state
    root = np.array(child, np.int64)
    deep = 1
    while deep < depth and int(counted(root, deep)) * 16 < size:
        deep += 1
    return deep


def _subtrees(game: Game, state: State, plies: int, share: Fraction) -> Iterator[tuple[State, Fraction]]:
    """The positions after `plies` moves, one after the other, each with its share of the whole tree."""
    if plies == 0:
        yield state, share
        return
    legal = game.legal(state)
    for move in legal:
        yield from _subtrees(game, game.play(state, move), plies - 1, share / len(legal))

"""`ludus perft` and `ludus stats`: a game measured by the million."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from typing import Any

from ludus.cli.position import Named, named_position
from ludus.cli.progress import progress
from ludus.compile.agreement import compiling
from ludus.compile.gpu import why_no_gpu
from ludus.compile.link import has_numba
from ludus.reports.fairness import describe, summary
from ludus.search import perft as counting
from ludus.search.lanes import sample_on_gpu
from ludus.search.playouts import sample_games

DEFAULT_GAMES, DEFAULT_PLAIN_GAMES = 100_000, 2_000


def perft(arguments: argparse.Namespace) -> int:
    named = named_position(arguments)
    settings = {"threads": arguments.threads, "compiled": False if arguments.plain else None}
    with progress("counting") as tell, compiling(named.game):
        if not arguments.plain:
            counting.warm(named.game)
        begin = time.perf_counter()
        if arguments.divide and arguments.depth > 0:
            parts = _divided(named, arguments.depth, settings, tell)
            total = sum(parts.values())
        else:
            parts = {}
            total = counting.perft(
                named.game,
                named.state,
                arguments.depth,
                on_progress=lambda share, n: tell(share, f"{n:,}"),
                **settings,
            )
    seconds = time.perf_counter() - begin
    report: dict[str, Any] = {"game": named.game.name, "depth": arguments.depth, "nodes": total}
    report |= {"divide": parts} if arguments.divide else {}
    report |= {
        "seconds": round(seconds, 6),
        "nodes_per_second": round(total / seconds),
        "compiled": _is_compiled(arguments),
    }
    if arguments.json:
        _print(json.dumps(report))
    else:
        for name, count in parts.items():
            _print(f"{name:>8} {count:>20,}")
        _print(f"perft {arguments.depth} of {named.game.name}: {total:,}   ({seconds:.2f} s)")
    return 0


def _divided(named: Named, depth: int, settings: dict[str, Any], tell: Callable[[float, str], None]) -> dict[str, int]:
    parts: dict[str, int] = {}
    legal = named.game.legal(named.state)
    for index, move in enumerate(legal):
        child = named.game.play(named.state, move)
        parts[named.game.move_name(move)] = counting.perft(named.game, child, depth - 1, **settings)
        tell((index + 1) / len(legal), f"{sum(parts.values()):,}")
    return parts


def stats(arguments: argparse.Namespace) -> int:
    named = named_position(arguments)
    compiled = _is_compiled(arguments)
    games = arguments.games or (DEFAULT_GAMES if compiled else DEFAULT_PLAIN_GAMES)
    reason = why_no_gpu() if arguments.device == "gpu" else None
    if reason is not None:
        sys.stderr.write(f"The processor plays: {reason}.\n")
    with progress("playing") as tell, compiling(named.game):

        def tell_games(done: int) -> None:
            tell(done / games, f"{done:,} games")

        if arguments.device == "gpu" and reason is None:
            sample = sample_on_gpu(named.game, named.state, games, seed=arguments.seed, on_progress=tell_games)
        else:
            sample = sample_games(
                named.game,
                named.state,
                games,
                seed=arguments.seed,
                threads=arguments.threads,
                compiled=compiled,
                on_progress=tell_games,
            )
    if arguments.json:
        _print(json.dumps(summary(named.game.name, sample, seed=arguments.seed)))
        return 0
    board = named.game.instance(named.line.start, named.options)
    for line in describe(named.game.title, sample, instance=json.dumps(board) if board else ""):
        _print(line)
    return 0


def _is_compiled(arguments: argparse.Namespace) -> bool:
    return has_numba() and not arguments.plain


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")

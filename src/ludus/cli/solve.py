"""`ludus solve`: what a position is worth under perfect play, or how far the proof got."""

from __future__ import annotations

import argparse
import json
import math
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ludus.agents.naming import MOST_THREADS
from ludus.cli.position import Named, named_position
from ludus.cli.progress import progress, saying_when_it_compiles
from ludus.compile.agreement import compiling
from ludus.compile.bindings import HUGE
from ludus.errors import LudusError
from ludus.rules import Game, State
from ludus.search.cores import usable_cores
from ludus.search.questions import Bounds
from ludus.search.solution import Progress, Solution
from ludus.search.solver import Solver, warm
from ludus.search.tabled import Plan
from ludus.view.scene import plain_status, scene_of

DEFAULT_NODES = 1_000_000_000
FAILED, INTERRUPTED = 1, 130


def solve(arguments: argparse.Namespace) -> int:
    named, threads = named_position(arguments), arguments.threads or usable_cores()
    if threads > MOST_THREADS:
        raise LudusError(f"--threads {threads}: a number from 1 to {MOST_THREADS} was expected")
    with progress("solving") as tell, compiling(named.game):
        with saying_when_it_compiles(named.game.name):
            warm(named.game, named.state)
        solver = Solver(named.game, megabytes=arguments.mb, threads=threads, is_growing=True)
        try:
            solution = _until_stopped(
                solver,
                named.state,
                nodes=arguments.nodes or (None if arguments.time else DEFAULT_NODES),
                seconds=arguments.time if arguments.time != math.inf else None,
                on_progress=lambda p: tell(p.share, _so_far(p)),
            )
        except MemoryError:
            raise LudusError(f"--mb {arguments.mb}: there is not so much memory here") from None
    if arguments.json:
        sys.stdout.write(json.dumps(_report(named.game, solution)) + "\n")
    elif solution.is_exact:
        sys.stdout.write("".join(line + "\n" for line in _lines(named, solution)))
    if solution.is_exact:
        return 0
    table = solver.tabled.plan(named.state) if solver.tabled is not None else None
    sys.stderr.write(f"ludus: {_gave_up(solution, table)}\n")
    return INTERRUPTED if solution.limit == "stop" else FAILED


def _until_stopped(solver: Solver, state: State, **limits: Any) -> Solution:
    """Solve in another thread, so that Ctrl-C ends it with what is proven; a second one ends it at once."""
    with ThreadPoolExecutor(1) as pool:
        solving = pool.submit(solver.solve, state, **limits)
        try:
            return solving.result()
        except KeyboardInterrupt:
            solver.stop()
            return solving.result()


def _report(game: Game, found: Solution) -> dict[str, Any]:
    names = game.move_name
    report = {
        "value": found.value,
        "best": [names(move) for move in found.best],
        "line": [names(move) for move in found.line],
        "nodes": found.nodes,
        "seconds": round(found.seconds, 6),
        "is_exact": found.is_exact,
    }
    if not found.is_exact:
        known = [None if abs(bound) >= HUGE else bound for bound in found.bounds]
        report |= {"least": known[0], "most": known[1], "undecided": [names(move) for move in found.undecided]}
    return report


def _lines(named: Named, found: Solution) -> list[str]:
    game = named.game
    assert found.value is not None
    outcome = plain_status(scene_of(game, named.state).view.seats, None, found.value)
    best, line = (" ".join(game.move_name(move) for move in moves) for moves in (found.best, found.line))
    return [
        f"value  {_signed(found.value)} for the first seat: {outcome}",
        f"best   {best or 'none: the game is over'}",
        *([f"line   {line}"] if line else []),
        f"{found.nodes:,} nodes, {found.seconds:.2f} s",
    ]


def _so_far(p: Progress) -> str:
    return f"{_between(p.bounds)}, {p.doing}, {p.nodes:,} nodes"


def _between(bounds: Bounds) -> str:
    if bounds.is_exact:
        return f"value {_signed(bounds.least)}"
    least, most = (None if abs(bound) >= HUGE else _signed(bound) for bound in bounds)
    if least is None or most is None:
        return f"value at least {least}" if least else f"value at most {most}" if most else "value unknown"
    return f"value between {least} and {most}"


def _signed(payoff: int) -> str:
    return f"{payoff:+d}" if payoff else "0"


def _gave_up(found: Solution, table: Plan | None) -> str:
    """How far the proof got, in one sentence; or what it needs, where it is a table of all positions."""
    left = len(found.undecided)
    moves = f"; {left} of the moves {'is' if left == 1 else 'are'} undecided" if found.bounds.is_exact else ""
    advice = {
        "nodes": "; --nodes allows more",
        "seconds": "; --time allows more",
        "memory": "; --mb allows more",
        "depth": ": a line of play is too long to follow",
        "numbers": ": the proof is too large to be counted",
    }.get(found.limit, "")
    done = "stopped" if found.limit == "stop" else "gave up"
    if table is not None:
        return f"{done} after {found.seconds:.1f} s: it takes {table}{advice}"
    return f"{done} after {found.nodes:,} nodes and {found.seconds:.1f} s{advice}: {_between(found.bounds)}{moves}"

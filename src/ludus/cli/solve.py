"""`ludus solve`: what a position is worth under perfect play, or how far the proof got."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from ludus.cli.position import Named, named_position
from ludus.cli.progress import progress
from ludus.compile.agreement import compiling
from ludus.errors import LudusError
from ludus.rules import Game
from ludus.search.cores import usable_cores
from ludus.search.questions import HUGE, Bounds
from ludus.search.solution import Progress, Solution
from ludus.search.solver import Solver, warm
from ludus.view.scene import plain_status, scene_of

DEFAULT_NODES = 1_000_000_000
FAILED = 1


def solve(arguments: argparse.Namespace) -> int:
    named = named_position(arguments)
    nodes = arguments.nodes or (None if arguments.time else DEFAULT_NODES)
    with progress("solving") as tell, compiling(named.game):
        warm(named.game, named.state)
        solver = Solver(named.game, megabytes=arguments.mb, threads=arguments.threads or usable_cores())
        try:
            solution = solver.solve(
                named.state,
                nodes=nodes,
                seconds=arguments.time,
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
    sys.stderr.write(f"ludus: {_gave_up(solution)}\n")
    return FAILED


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


def _gave_up(found: Solution) -> str:
    """How far the proof got, in one sentence."""
    left = len(found.undecided)
    moves = f"; {left} of the moves {'is' if left == 1 else 'are'} undecided" if found.bounds.is_exact else ""
    advice = {
        "nodes": "; --nodes allows more",
        "seconds": "; --time allows more",
        "memory": "; --mb allows more",
        "depth": ": a line of play is too long to follow",
        "numbers": ": the proof is too large to be counted",
    }.get(found.limit, "")
    return f"gave up after {found.nodes:,} nodes and {found.seconds:.1f} s{advice}: {_between(found.bounds)}{moves}"

"""`ludus check-game` and `ludus replay`: is this file right?"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from ludus.cli.position import open_records, parse_options
from ludus.errors import RecordError, RulesError
from ludus.events.event import points_by_event
from ludus.events.scoring import as_number
from ludus.records import Record, read_records
from ludus.records import replay as played_through
from ludus.rules import Game, load_game


def check_game(arguments: argparse.Namespace) -> int:
    from ludus.compile.agreement import check_compiled  # noqa: PLC0415  # numpy
    from ludus.compile.link import has_numba  # noqa: PLC0415
    from ludus.contract import check_rules  # noqa: PLC0415

    try:
        game = load_game(arguments.game)
        options, seed, longest = parse_options(arguments.options), arguments.seed, arguments.longest
        found = check_rules(game, options=options, games=arguments.games, longest=longest, seed=seed)
        if has_numba():
            check_compiled(game, options=options, longest=min(2000, longest), seed=seed)
    except RulesError as error:
        if not arguments.json:
            raise
        wrong = {"ok": False, "file": str(error.path), "line": error.line, "error": error.sentence}
        sys.stdout.write(json.dumps(wrong) + "\n")
        return 1
    if arguments.json:
        sys.stdout.write(json.dumps({"ok": True, "game": game.name, **vars(found), "compiled": has_numba()}) + "\n")
        return 0
    length = f"{found.shortest}" if found.shortest == found.longest else f"{found.shortest} to {found.longest}"
    compiled = "compiled and plain rules agree" if has_numba() else "not compiled: numba is not installed"
    sys.stdout.write(
        f"{arguments.game}: every promise holds: {found.games} random games of {length} moves, "
        f"{found.positions:,} positions, up to {found.most_moves} legal moves; {compiled}\n"
    )
    return 0


def replay(arguments: argparse.Namespace) -> int:
    rules = None if arguments.game is None else load_game(arguments.game)
    good = bad = 0
    with open_records(arguments.file) as stream:
        for line, record in read_records(stream):
            report = _report(record, rules)
            good, bad = good + report["ok"], bad + (not report["ok"])
            if arguments.json:
                sys.stdout.write(json.dumps(report) + "\n")
            else:
                sys.stdout.write(f"line {line}: {_sentence(report)}\n")
    if not arguments.json and good + bad > 1:
        sys.stdout.write(f"{good} good, {bad} bad\n")
    return 1 if bad else 0


def _report(record: Record | RecordError, rules: Game | None) -> dict[str, Any]:
    """What a record holds, as plain data, good or bad."""
    name = record.game[:60] if isinstance(record, Record) else None
    try:
        if isinstance(record, RecordError):
            raise record
        seen = played_through(record, rules)
    except RecordError as error:
        return {"ok": False, "game": name, "ply": error.ply, "error": str(error)}
    points = points_by_event(seen.game, seen.states[-1])
    return {
        "ok": True,
        "game": seen.game.name,
        "plies": len(seen.moves),
        "turns": seen.turns,
        "widths": seen.widths,
        "over": seen.result is not None,
        "result": seen.result,
        "points": {event: [as_number(p) for p in pair] for event, pair in points.items()},
    }


def _sentence(report: dict[str, Any]) -> str:
    if not report["ok"]:
        at = "" if report["ply"] is None else f"ply {report['ply']}: "
        return f"bad: {at}{report['error']}"
    plies = f"{report['plies']} plies"
    if not report["over"]:
        return f"good: {report['game']}, {plies}, not over"
    points = "".join(f", {event} {first:g}:{second:g}" for event, (first, second) in report["points"].items())
    return f"good: {report['game']}, {plies}, result {report['result']:+d}{points}"

"""`ludus collect`: submissions as a course gets them -> a table of who is valid, and the bots ready for `ludus run`.

Exit status: 0 where at least one bot is valid, 1 where none is, or nothing can be read.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Iterator, Sequence
from datetime import datetime
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import Any

from ludus.cli.match import open_room
from ludus.cli.progress import progress
from ludus.course.archives import Problem, shown
from ludus.course.collecting import Collected
from ludus.course.collecting import collect as collect_all
from ludus.course.submissions import read_submissions
from ludus.errors import LudusError
from ludus.events.event import Event, load_event
from ludus.tournament.grades import exact
from ludus.tournament.penalties import COLLECTED, FormRules, form_rules
from ludus.tournament.plan import plan_of
from ludus.view.canvas import printable

FORMAT, TABLE = "ludus-collected/1", "collected.csv"
WIDEST = 40  # columns of a name or a place


def collect(arguments: argparse.Namespace) -> int:
    event = load_event(arguments.event)
    rules = form_rules(event, plan_of(event).grades)
    if arguments.deadline is not None:
        rules = rules._replace(deadline=_deadline(arguments.deadline))
    out = Path(arguments.out or f"{event.name}-bots")
    _require_ours(out, Path(arguments.place))
    submissions, loose = read_submissions(Path(arguments.place))
    if not submissions and not loose:
        raise LudusError(f"{shown(arguments.place)}: there is no submission in it")
    with open_room(event, level=arguments.isolation) as room, progress("collect") as tell:
        found = collect_all(submissions, event, room, rules, tell=tell)
    told = _as_json(event, found, loose, rules)
    _write(out, found, told)
    if arguments.json:
        sys.stdout.write(json.dumps(told) + "\n")
    else:
        sys.stdout.write("\n".join(_lines(found, loose, rules, out, arguments.event)) + "\n")
    return 0 if any(one.is_valid for one in found) else 1


def _deadline(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError):
        raise LudusError(
            f"--deadline {text[:40]!r} is no date and time; expected one such as 2026-11-30T23:59"
        ) from None


def _require_ours(out: Path, place: Path) -> None:
    """A folder that is new, empty, or that an earlier collect has written."""
    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not (out / COLLECTED).is_file())):
        raise LudusError(f"{out}: this is not a folder of collected bots; name another one with --out")
    if place.is_dir() and out.resolve().is_relative_to(place.resolve()):
        raise LudusError(f"{out}: this lies among the submissions; name another folder with --out")


def _write(out: Path, found: Sequence[Collected], told: dict[str, Any]) -> None:
    """The valid bots and both tables; those of an earlier collect go."""
    out.mkdir(parents=True, exist_ok=True)
    for name in _earlier(out / COLLECTED):
        (out / name).unlink(missing_ok=True)
    for one in found:
        if one.is_valid and one.bot is not None:
            file = out / one.file
            file.write_bytes(one.bot.content)
            file.chmod(0o755 if one.bot.is_program else 0o644)
    (out / COLLECTED).write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    table = StringIO()
    rows = csv.writer(table, lineterminator="\n")
    rows.writerow(["team", "owner", "from", "valid", "marks off", "why", "remarks"])
    for row in told["submissions"]:
        costs = "; ".join(f"{penalty['why']} ({penalty['marks']} off)" for penalty in row["penalties"])
        why = "; ".join(filter(None, (row["verdict"], costs)))
        cells = [row["team"], row["owner"], row["from"], "yes" if row["valid"] else "no", row["marks_off"], why]
        rows.writerow([_harmless(str(cell)) for cell in [*cells, "; ".join(row["remarks"])]])
    (out / TABLE).write_text(table.getvalue(), encoding="utf-8")


def _harmless(cell: str) -> str:
    """A spreadsheet takes what begins so for a formula."""
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@")) else cell


def _earlier(file: Path) -> Iterator[str]:
    """The bots that an earlier collect has written: names without a folder only."""
    if not file.is_file():
        return
    try:
        rows = json.loads(file.read_text(encoding="utf-8"))["submissions"]
        names = [row["file"] for row in rows if row["valid"]]
    except (OSError, ValueError, KeyError, TypeError):
        raise LudusError(f"{file}: it cannot be read; name another folder with --out") from None
    yield from (name for name in names if isinstance(name, str) and name and Path(name).name == name)


def _as_json(event: Event, found: Sequence[Collected], loose: Sequence[Problem], rules: FormRules) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "event": event.name,
        "deadline": rules.deadline and rules.deadline.isoformat(),
        "submissions": [
            {
                "team": one.team,
                "file": one.file,
                "owner": shown(one.submission.owner),
                "from": one.bot.where if one.bot else one.submission.where,
                "valid": one.is_valid,
                "verdict": one.verdict,
                "penalties": [penalty.as_json() for penalty in one.penalties],
                "marks_off": exact(_marks_off(one)),
                "remarks": list(one.remarks),
                "sha256": one.sha256,
            }
            for one in found
        ],
        "problems": [str(problem) for problem in loose],
    }


def _marks_off(one: Collected) -> Fraction:
    return sum((penalty.marks for penalty in one.penalties), Fraction(0))


def _lines(
    found: Sequence[Collected], loose: Sequence[Problem], rules: FormRules, out: Path, event: str
) -> Iterator[str]:
    """A row for each team, its reasons below it, and what to do next."""
    widths = [
        min(WIDEST, max([4, *(len(text) for text in column)])) for column in zip(*map(_names, found), strict=True)
    ]
    costs = any(rules.marks.values())
    off = "  marks off" if costs else ""
    if found:
        yield f"{'team':<{widths[0]}}  {'from':<{widths[1]}}  valid{off}"
    for one in found:
        team, where = (text if len(text) <= WIDEST else text[: WIDEST - 3] + "..." for text in _names(one))
        cost = f"  {exact(_marks_off(one)):>9}" if costs else ""
        yield f"{team:<{widths[0]}}  {where:<{widths[1]}}  {'yes' if one.is_valid else 'NO':<5}{cost}".rstrip()
        for reason in _reasons(one):
            yield f"    {reason}"
    if loose:
        yield "of nobody"
        yield from (f"    {problem}" for problem in loose)
    valid = sum(one.is_valid for one in found)
    yield ""
    are = "is" if valid == 1 else "are"
    yield f"{valid} of {len(found)} {are} valid; the bots are in {out}, with {COLLECTED} and {TABLE}"
    if valid > 1:
        yield f"next: ludus compare {out} --event {event}; ludus run {event} --bots {out}"


def _names(one: Collected) -> tuple[str, str]:
    return shown(one.team), one.bot.where if one.bot else one.submission.where


def _reasons(one: Collected) -> Iterator[str]:
    if one.verdict:
        yield printable(one.verdict)
    for penalty in one.penalties:
        yield f"{penalty.why}: {exact(penalty.marks)} off" if penalty.marks else penalty.why
    yield from one.remarks

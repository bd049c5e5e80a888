"""Marks off for the form of a submission, and for play at random: the rule, the file that carries them, their lines.

`ludus collect` finds what is wrong and writes it beside the bots; `ludus run` takes it along; marks are told with it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from ludus.errors import EventError, StoreError
from ludus.events.event import Event
from ludus.events.toml_fields import Fields
from ludus.tournament.grades import GradeRules, Line, Sheet, exact, rounded

KINDS = {
    "name": "a file that is not named by the convention",
    "class": "a class that is not named by the convention",
    "several": "more than one file",
    "late": "a file that came after the deadline",
    "random": "moves that cannot be told from a random choice",
}
COLLECTED, PENALTIES = "collected.json", "penalties.json"
FORMAT = "ludus-penalties/1"
ZERO = Fraction(0)


class FormRules(NamedTuple):
    """What an event takes off for each kind of fault, when it closes, and how much it takes off at most."""

    deadline: datetime | None
    marks: dict[str, Fraction]
    most: Fraction | None


class Penalty(NamedTuple):
    """One fault of one team: its kind, what it costs, and why in a sentence."""

    kind: str
    marks: Fraction
    why: str

    def as_json(self) -> dict[str, str]:
        return {"kind": self.kind, "marks": exact(self.marks), "why": self.why}


def form_rules(event: Event, grades: GradeRules) -> FormRules:
    """What [submissions] says; marks off where there are no marks are an EventError."""
    fields = Fields({"submissions": event.extra.get("submissions", {})}, f"{event.name}.toml").table("submissions")
    deadline = fields.take("deadline")
    if deadline is not None and not isinstance(deadline, datetime):
        raise fields.wrong("deadline", deadline, "a date and a time, such as 2026-11-30T23:59:00")
    marks = {kind: fields.fraction(kind, default=ZERO, least=0) for kind in KINDS}
    most = fields.fraction("most", least=0) if "most" in fields.values else None
    fields.done()
    if any(marks.values()) and not has_marks(grades):
        raise EventError(f"{fields.where}: there are no marks to take off, as [grades] gives none")
    return FormRules(deadline and deadline.astimezone(), marks, most)


def has_marks(grades: GradeRules) -> bool:
    """Whether less is worse: a place is no mark."""
    return grades.kind != "none" and not (grades.kind == "rank" and not grades.marks and grades.best is None)


def priced(faults: Iterable[tuple[str, str]], rules: FormRules) -> list[Penalty]:
    """What faults cost, each a kind and a sentence; together no more than `most`."""
    left = rules.most
    made = []
    for kind, why in faults:
        marks = rules.marks[kind] if left is None else min(rules.marks[kind], left)
        left = None if left is None else left - marks
        made.append(Penalty(kind, marks, why))
    return made


def carried(bots: Sequence[str]) -> dict[str, bytes]:
    """The file of penalties for a tournament of these folders of bots; none where nothing was collected."""
    teams: dict[str, Any] = {}
    for folder in bots:
        file = Path(folder) / COLLECTED
        if file.is_file():
            try:
                found = json.loads(file.read_text(encoding="utf-8"))["submissions"]
                teams |= {one["team"]: one["penalties"] for one in found if one["valid"] and one["penalties"]}
            except (OSError, ValueError, KeyError, TypeError) as error:
                raise StoreError(f"{file}: it cannot be read: {error}") from None
    return {PENALTIES: json.dumps({"format": FORMAT, "teams": teams}, indent=1).encode() + b"\n"} if teams else {}


def read_penalties(folder: Path) -> dict[str, list[Penalty]]:
    """Those of a tournament's folder, by team; none where there is no such file."""
    file = folder / PENALTIES
    if not file.is_file():
        return {}
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        return {
            str(team): [Penalty(str(one["kind"]), Fraction(one["marks"]), str(one["why"])) for one in several]
            for team, several in found["teams"].items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError, ZeroDivisionError) as error:
        raise StoreError(f"{file}: it cannot be read: {error}") from None


def with_penalties(
    sheets: Iterable[Sheet], names: Sequence[str], penalties: Mapping[str, list[Penalty]], rules: GradeRules
) -> tuple[Sheet, ...]:
    """The sheets with a line for whatever costs something; nobody falls below zero for it."""
    if not has_marks(rules):
        return tuple(sheets)
    return tuple(_with(sheet, penalties.get(names[sheet.team], []), rules.decimals) for sheet in sheets)


def _with(sheet: Sheet, penalties: Iterable[Penalty], decimals: int) -> Sheet:
    total, lines = sheet.total, list(sheet.lines)
    for penalty in penalties:
        off = max(ZERO, min(penalty.marks, total))
        if penalty.marks <= 0:
            continue
        all_there_is = "" if off == penalty.marks else ", of which no more is left to take"
        lines.append(Line(penalty.why, f"{exact(penalty.marks)} off{all_there_is}", (("off", penalty.marks),), -off))
        total -= off
    return sheet._replace(lines=tuple(lines), total=total, shown=rounded(total, decimals))

"""`ludus events`: the events that come with Ludus, their files to begin one's own from, and whether that is right."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from ludus.errors import EventError
from ludus.events.event import EVENTS_FOLDER, Event, event_names, load_event
from ludus.tournament.penalties import form_rules
from ludus.tournament.plan import BRACKET, Plan, plan_of
from ludus.view.canvas import printable


def events(arguments: argparse.Namespace) -> int:
    """List them, print the file of one, or check a file."""
    if arguments.what == "show":
        return _show(arguments.name)
    if arguments.what == "check":
        return _check(arguments.name, arguments.teams, is_json=arguments.json)
    rows = [_about(load_event(name)) for name in event_names()]
    if arguments.json:
        sys.stdout.write(json.dumps(rows) + "\n")
        return 0
    for row in rows:
        sys.stdout.write(f"{row['name']:<14} {row['title']}\n")
        sys.stdout.write(f"{'':<14} {_line(row)}\n")
    sys.stdout.write("\n`ludus events show NAME > mine.toml` begins an event of your own.\n")
    return 0


def _about(event: Event) -> dict[str, Any]:
    plan = plan_of(event)
    return {
        "name": event.name,
        "title": event.title,
        "game": event.game.name,
        "move_s": event.control.limit_s,
        "format": plan.kind,
        "grades": plan.grades.kind,
        "interface": event.interface,
    }


def _line(row: dict[str, Any]) -> str:
    grades = "" if row["grades"] == "none" else f", grades: {row['grades']}"
    return f"{row['game']}, {row['move_s']:g} s a move, {row['format']}{grades}; bots: {row['interface'] or 'any'}"


def _show(name: str | None) -> int:
    if name not in event_names():
        given = "no name is given" if name is None else f"there is no event {name[:60]!r}"
        raise EventError(f"{given}; the events are {', '.join(event_names())}")
    sys.stdout.write((EVENTS_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    return 0


def _check(name: str | None, teams: int | None, *, is_json: bool) -> int:
    """What is wrong is the error that `ludus run` would give; what is right is said in a line or two."""
    if name is None:
        raise EventError("no file is given; expected one such as ludus events check mine.toml")
    event = load_event(name)
    plan, row = plan_of(event), _about(event)
    form_rules(event, plan.grades)
    if teams is not None:
        games = plan.games(teams)
        row |= {"teams": teams, "games": games, "stages": _stages(plan, teams) if games is not None else {}}
    if is_json:
        sys.stdout.write(json.dumps(row) + "\n")
        return 0
    sys.stdout.write(f"{printable(event.title)}: {_line(row)}\n")
    if teams is not None:
        stages = [f"{stage} {_sizes(sizes)}" for stage, sizes in row["stages"].items()]
        least = "at least " if plan.reading.stages == BRACKET else ""
        total = "games without end" if row["games"] is None else f"{least}{row['games']} games"
        sys.stdout.write(f"{teams} teams: {'; '.join([*stages, total])}\n")
    return 0


def _stages(plan: Plan, teams: int) -> dict[str, list[int]]:
    """How many teams there are in each pool of each stage; none where pools are no part of the format."""
    if plan.kind != "pools":
        return {}
    return {current.stage: [len(pool.teams) for pool in current.pools] for current in plan.rounds(teams)}


def _sizes(sizes: list[int]) -> str:
    """10 pools of 6; 3 pools of 5 to 6; a league of 9."""
    few, many = min(sizes), max(sizes)
    each = str(few) if few == many else f"{few} to {many}"
    return f"a league of {each}" if len(sizes) == 1 else f"{len(sizes)} pools of {each}"

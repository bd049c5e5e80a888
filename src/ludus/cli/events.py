"""`ludus events`: the events that come with Ludus, and their files to begin one's own from."""

from __future__ import annotations

import argparse
import json
import sys

from ludus.errors import EventError
from ludus.events.event import EVENTS_FOLDER, event_names, load_event
from ludus.tournament.plan import plan_of


def events(arguments: argparse.Namespace) -> int:
    """List them, or print the file of one."""
    if arguments.what == "show":
        return _show(arguments.name)
    rows = []
    for name in event_names():
        event = load_event(name)
        plan = plan_of(event)
        rows.append(
            {
                "name": name,
                "title": event.title,
                "game": event.game.name,
                "move_s": event.control.limit_s,
                "format": plan.kind,
                "grades": plan.grades.kind,
                "interface": event.interface,
            }
        )
    if arguments.json:
        sys.stdout.write(json.dumps(rows) + "\n")
        return 0
    for row in rows:
        sys.stdout.write(f"{row['name']:<14} {row['title']}\n")
        about = f"{row['game']}, {row['move_s']:g} s a move, {row['format']}"
        grades = "" if row["grades"] == "none" else f", grades: {row['grades']}"
        sys.stdout.write(f"{'':<14} {about}{grades}; bots: {row['interface']}\n")
    sys.stdout.write("\n`ludus events show NAME > mine.toml` begins an event of your own.\n")
    return 0


def _show(name: str | None) -> int:
    if name not in event_names():
        given = "no name is given" if name is None else f"there is no event {name[:60]!r}"
        raise EventError(f"{given}; the events are {', '.join(event_names())}")
    sys.stdout.write((EVENTS_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    return 0

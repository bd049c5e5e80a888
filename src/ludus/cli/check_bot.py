"""`ludus check`: is this bot valid, how well does it play, and where does it go wrong? Before the deadline.

Exit status: 0 valid, 1 would be disqualified, 2 where there is nothing to check: no such file, event or option.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ludus.bots.entrants import ProgramFile, PythonFile, parse_entrant
from ludus.cli.match import open_room
from ludus.cli.progress import progress
from ludus.errors import BotError, EventError, LudusError
from ludus.events.event import Event, load_event
from ludus.tournament.penalties import form_rules
from ludus.tournament.plan import plan_of
from ludus.view.canvas import printable

if TYPE_CHECKING:
    from ludus.course.workload import Workload

VALID, DISQUALIFIED, NOTHING_TO_CHECK = 0, 1, 2


def check(arguments: argparse.Namespace) -> int:
    try:
        event = load_event(arguments.event)
        form_rules(event, plan_of(event).grades)  # a rule that is wrong is said now, not after the games
        path = _file(arguments.bot)
        if arguments.html is not None:
            _require_a_place(Path(arguments.html), path)
    except LudusError as error:
        sys.stderr.write(f"ludus: {error}\n")
        return NOTHING_TO_CHECK
    try:
        entrant = parse_entrant(arguments.bot, event.game, interface=event.interface)
    except BotError as error:
        return _refused(str(error), event, arguments)
    assert isinstance(entrant, PythonFile | ProgramFile)
    return _checked(event, entrant, arguments)


def _checked(event: Event, entrant: PythonFile | ProgramFile, arguments: argparse.Namespace) -> int:
    from ludus.course.check import check_bot  # noqa: PLC0415  # numba
    from ludus.course.check_data import check_data  # noqa: PLC0415
    from ludus.course.check_page import check_page  # noqa: PLC0415
    from ludus.course.check_text import check_text  # noqa: PLC0415
    from ludus.course.judgements import judge  # noqa: PLC0415

    with (
        open_room(event, level=arguments.isolation) as room,
        progress("check") as tell,
    ):
        found = check_bot(
            event,
            entrant,
            room,
            seed=arguments.seed,
            is_quick=arguments.quick,
            announce=lambda load: _announce(load, is_quick=arguments.quick),
            on_compiling=lambda: _say(f"compiling the opponents for {event.game.name} first (once; later it is quick)"),
            tell=tell,
        )
    judged = judge(found)
    if arguments.html is not None:
        Path(arguments.html).write_text(check_page(found, judged, called=arguments.event), encoding="utf-8")
    if arguments.json:
        sys.stdout.write(json.dumps(check_data(found, judged)) + "\n")
    else:
        is_ascii = not (sys.stdout.encoding or "ascii").lower().startswith("utf")
        sys.stdout.write("\n".join(check_text(found, judged, is_ascii=is_ascii)) + "\n")
        if arguments.html is not None:
            sys.stdout.write(f"\nthe page is {arguments.html}\n")
    return VALID if judged.is_valid else DISQUALIFIED


def _file(text: str) -> Path:
    """The file that is to be checked; an agent's name or nothing at all is no bot."""
    path = Path(text.removeprefix("codingame:").removeprefix("ludus:"))
    try:
        if path.exists():
            return path
    except (OSError, ValueError):
        pass
    raise BotError(f"{printable(text)[:200]}: there is no such file; check wants a bot's file, such as ./team7.py")


def _require_a_place(page: Path, bot: Path) -> None:
    try:
        is_bot = page.exists() and page.samefile(bot)
        can_write = not page.is_dir() and os.access(page if page.exists() else page.parent, os.W_OK)
    except (OSError, ValueError):
        is_bot, can_write = False, False
    if is_bot:
        raise LudusError(f"{str(page)[:200]}: this is the bot itself, which would be overwritten")
    if not can_write:
        raise EventError(f"{str(page)[:200]}: the page cannot be written there")


def _refused(reason: str, event: Event, arguments: argparse.Namespace) -> int:
    """A file that no event would take."""
    verdict = f"Would be disqualified: {reason}"
    if arguments.json:
        told = {"verdict": verdict, "valid": False, "event": event.name, "bot": {"file": Path(arguments.bot).name}}
        sys.stdout.write(json.dumps({**told, "checks": []}) + "\n")
    else:
        sys.stdout.write(printable(verdict) + "\n")
    return DISQUALIFIED


def _announce(load: Workload, *, is_quick: bool) -> None:
    games = sum(load.games.values())
    took = f"about {load.seconds:.0f} s" if load.seconds < 90 else f"about {load.seconds / 60:.0f} min"
    quick = "" if is_quick or load.seconds < 60 else "; --quick takes less"
    _say(f"this takes {took}: {games} games against {len(load.games)} opponents, positions, puzzles{quick}")


def _say(sentence: str) -> None:
    sys.stderr.write(f"ludus: {sentence}\n")

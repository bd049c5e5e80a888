"""`ludus trace`: a game of a bot as comments for the end of its file, and the check of such a trace.

Exit status of --verify: 0 where the trace holds, 1 where it does not.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from ludus.bots.entrants import LARGEST_SOURCE, HumanBeing, ProgramFile, PythonFile, parse_entrant
from ludus.cli.match import open_room
from ludus.course.traces import trace_block, trace_record, verify, with_trace, without_trace
from ludus.errors import BotError, LudusError, RecordError
from ludus.events.event import load_event
from ludus.records import Record
from ludus.referee.series import Series, fixtures, play_fixture
from ludus.reports.trace import reason_of
from ludus.rules import Game
from ludus.view.canvas import printable


def trace(arguments: argparse.Namespace) -> int:
    if arguments.verify is not None:
        return _verify(Path(arguments.verify), arguments)
    if arguments.bot is None or arguments.event is None:
        raise BotError("name a bot and its event, as in ludus trace team7.py --event cse371, or --verify FILE")
    path = Path(arguments.bot)
    if arguments.write and path.suffix != ".py":
        raise BotError(f"{str(path)[:200]}: a trace is written into a .py file; without --write it is printed")
    record, rules = _played(arguments)
    content = _content(path)
    if arguments.write:
        longer = with_trace(content, record, rules)
        if len(longer) > LARGEST_SOURCE:
            raise BotError(
                f"{path}: with its trace the file has {len(longer)} bytes; a bot has at most {LARGEST_SOURCE}"
            )
        _replace(path, longer)
        sys.stdout.write(f"{path}: a trace of {len(record.moves)} moves is at its end\n")
    else:
        sys.stdout.write(trace_block(record, without_trace(content), rules))
    return 0


def _played(arguments: argparse.Namespace) -> tuple[Record, Game]:
    """One game of the bot against the other, under the event's referee."""
    event = load_event(arguments.event)
    bot, other = (parse_entrant(text, event.game, interface=event.interface) for text in (arguments.bot, arguments.vs))
    if not isinstance(bot, PythonFile | ProgramFile) or isinstance(other, HumanBeing):
        raise BotError("a trace is of a game of a bot's file against an agent or another bot")
    first = "swap" if arguments.second else "A"
    (fixture,) = fixtures(Series(event.game, event.options, event.control, 1, arguments.seed, first))
    with open_room(event, level=arguments.isolation) as room:
        fairly = play_fixture(fixture, room, (bot, other))
    names = (other.name, bot.name) if fixture.is_swapped else (bot.name, other.name)
    record = trace_record(fixture.pitch, fairly.judged, names, event=event.name)
    if fairly.judged.verdict.is_forfeit:
        sys.stderr.write(f"ludus: the game ended early: {reason_of(record)}\n")
    return record, event.game


def _verify(path: Path, arguments: argparse.Namespace) -> int:
    rules = load_event(arguments.event).game if arguments.event is not None else None
    try:
        found = verify(_content(path), rules)
    except RecordError as error:
        raise RecordError(f"{str(path)[:200]}: {printable(str(error))}") from None
    record = found.record
    sys.stdout.write(
        f"{path}: a game of {record.game} in {len(record.moves)} moves, legal, and told as it was played\n"
    )
    if not found.is_of_this_code:
        sys.stdout.write("the code of the file has changed since the trace was made\n")
    return 0


def _content(path: Path) -> bytes:
    try:
        if path.stat().st_size > 2 * LARGEST_SOURCE:
            raise LudusError(f"{str(path)[:200]}: the file has more than {2 * LARGEST_SOURCE} bytes")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise LudusError(f"{str(path)[:200]}: the file cannot be read: {reason}") from None


def _replace(path: Path, content: bytes) -> None:
    """Whole or not at all: this is somebody's work."""
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(file.name).chmod(path.stat().st_mode & 0o777)
        Path(file.name).replace(path.resolve())
    except OSError as error:
        raise LudusError(f"{path}: the file cannot be written: {error.strerror}") from None

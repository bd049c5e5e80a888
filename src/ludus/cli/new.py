"""`ludus new`: the first file of a bot, a game or an event."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from ludus.course.starting import NewFile, new_bot, new_event, new_game
from ludus.errors import LudusError
from ludus.events.event import load_event
from ludus.rules import load_game

EXECUTABLE = 0o111


def new(arguments: argparse.Namespace) -> int:
    """Write the file into the current folder, and say what to try next."""
    file = _made(arguments)
    _write(file, force=arguments.force)
    sys.stdout.write(f"{file.name} is written, and works as it is. Try:\n")
    sys.stdout.write("".join(f"    {command}\n" for command in file.commands))
    if file.note:
        sys.stdout.write(f"{file.note}\n")
    return 0


def _made(arguments: argparse.Namespace) -> NewFile:
    if arguments.thing == "bot":
        event = load_event(arguments.event)
        return new_bot(event, called=arguments.event, name=arguments.name, protocol=arguments.protocol)
    if arguments.thing == "game":
        return new_game(arguments.name)
    called = str(arguments.game)
    return new_event(arguments.name, load_game(called), game_called=called)


def _write(file: NewFile, *, force: bool) -> None:
    """Never over a file that is there, unless told so; a link is not followed either."""
    path = Path(file.name)
    try:
        if force:
            path.unlink(missing_ok=True)
        with path.open("x", encoding="utf-8") as out:
            out.write(file.text)
        if file.is_program:
            umask = os.umask(0)
            os.umask(umask)
            path.chmod(path.stat().st_mode | EXECUTABLE & ~umask)
    except FileExistsError:
        raise LudusError(f"{file.name} is already there; --force writes over it") from None
    except OSError as error:
        raise LudusError(f"{file.name}: the file cannot be written: {error.strerror}") from None

"""The position that a command line names: a game, and options with moves, or a record."""

from __future__ import annotations

import argparse
import json
import re
import sys
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from ludus.errors import LudusError, OptionsError, RecordError
from ludus.records import Record, read_records, replay
from ludus.rules import Game, Line, State, follow, load_game


class Named(NamedTuple):
    """A game, the options of its start, and the line of play up to the position."""

    game: Game
    options: dict[str, Any]
    line: Line

    @property
    def state(self) -> State:
        return self.line.states[-1]


def named_position(arguments: argparse.Namespace) -> Named:
    """The position of a command's arguments; whatever is wrong with them is a LudusError."""
    game = load_game(arguments.game)
    options = parse_options(arguments.options)
    moves = (arguments.moves or "").replace(";", " ").split()
    if arguments.record is None:
        return Named(game, options, follow(game, game.start(**options), moves))
    if options:
        raise OptionsError("--record brings its own options; --options cannot be given beside it")
    record = read_one(arguments.record)
    try:
        played = replay(record, game)
    except RecordError as error:
        raise RecordError(f"{arguments.record}: {_at(error)}{error}", ply=error.ply) from None
    more = follow(game, played.states[-1], moves)
    line = Line(played.states + more.states[1:], played.moves + more.moves)
    return Named(game, record.options, line)


def _at(error: RecordError) -> str:
    return "" if error.ply is None else f"ply {error.ply}: "


def parse_options(words: list[str]) -> dict[str, Any]:
    """`KEY=VALUE` words, or JSON objects, as the options of a game."""
    options: dict[str, Any] = {}
    for word in words:
        if word.lstrip().startswith("{"):
            try:
                options |= json.loads(word)
            except json.JSONDecodeError as error:
                raise OptionsError(f"--options: this is not a JSON object: {error}") from None
            except (ValueError, RecursionError):
                raise OptionsError("--options: this JSON is nested too deeply, or holds too long a number") from None
            continue
        key, equals, text = word.partition("=")
        if not equals or not key.isidentifier():
            raise OptionsError(f"--options: {word[:40]!r} is not KEY=VALUE and not a JSON object")
        options[key] = _value(text)
    return options


def _value(text: str) -> Any:
    """JSON where it is JSON, the text of a file where it names one, else the text itself."""
    try:
        return json.loads(text.lower() if text in ("True", "False") else text)
    except (ValueError, RecursionError):
        pass
    path = Path(text.removeprefix("@"))
    if not _is_file(path):
        if text.startswith("@") or re.search(r"[A-Za-z]\w*\.\w{1,5}$", text):
            raise OptionsError(f"--options: {text.removeprefix('@')[:60]}: there is no such file")
        return text
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        raise OptionsError(f"--options: {text[:60]}: the file cannot be read: {error}") from None


def _is_file(path: Path) -> bool:
    """Whether there is such a file; a text that is too long for a name is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def open_records(name: str) -> BinaryIO:
    """A file of records, or standard input for "-"."""
    if name == "-":
        return sys.stdin.buffer
    try:
        return Path(name).open("rb")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise LudusError(f"{name[:200]}: the records cannot be read: {reason}") from None


def read_one(name: str) -> Record:
    """The record that FILE, FILE:2 or - names; a file of several needs the number."""
    path, colon, digits = name.rpartition(":")
    numbered = bool(colon) and digits.isascii() and digits.isdigit() and len(digits) < 9 and not _is_file(Path(name))
    wanted = int(digits) if numbered else 1
    with open_records(path if numbered else name) as stream:
        found = list(islice(read_records(stream), max(wanted, 2)))
    if wanted < 1:
        raise RecordError(f"{name}: records are counted from 1")
    if len(found) < wanted:
        raise RecordError(f"{name}: the file holds {len(found)} records")
    if len(found) > 1 and not numbered:
        raise RecordError(f"{name}: the file holds several records; pick one, as in {name}:1")
    line, record = found[wanted - 1]
    if isinstance(record, RecordError):
        raise RecordError(f"{name}: line {line}: {record}")
    return record

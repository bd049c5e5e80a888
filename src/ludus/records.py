"""One game as one JSON object: write, read, replay, verify. Nothing in a record is ever run.

    {"format": "ludus-record/1", "game": "ultimate", "options": {}, "moves": ["4,4", "3,3"], ...}

A file holds one object, or one to a line. A record names a game of ours; a rules file of one's own is named
by the person who opens the record, never by the record.
"""

from __future__ import annotations

import io
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO, NoReturn

from ludus.errors import LudusError, MoveError, RecordError
from ludus.rules import Game, State, follow, game_names, load_game

FORMAT = "ludus-record/1"
LARGEST = 20_000_000  # bytes of one record: the longest game of subtraction, of three million moves, fits
LONGEST_NAME = 60
LONGEST_NUMBER = 300  # digits: every whole number that is read is also a float


@dataclass(frozen=True, repr=False)
class Record:
    """A game as it was written down. `more` holds what else stands there: players, times, verdict, seed."""

    game: str
    options: dict[str, Any]
    moves: tuple[str, ...]
    more: dict[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<record of {_shown(self.game)}: {len(self.moves)} moves>"

    def to_json(self) -> str:
        """One line, without the line end."""
        head = {"format": FORMAT, "game": self.game, "options": self.options, "moves": list(self.moves)}
        return json.dumps({**head, **self.more}, separators=(",", ":"), allow_nan=False)


@dataclass(frozen=True)
class Replay:
    """A record played through by the rules: every position, who moved, and how much choice there was."""

    game: Game
    states: tuple[State, ...]
    moves: tuple[int, ...]
    turns: tuple[int, ...]
    widths: tuple[int, ...]
    result: int | None


def record_game(game: Game, start: State, options: dict[str, Any], moves: list[int], **more: Any) -> Record:
    """The record of moves played from a start; random boards are written out."""
    names = tuple(game.move_name(move) for move in moves)
    return Record(game.name, game.instance(start, options), names, more)


def parse_record(text: str | bytes) -> Record:
    """The record that a JSON text holds, or a RecordError."""
    data = _parse_json(text)
    if not isinstance(data, dict):
        raise RecordError(f"a record is a JSON object, not {_kind(data)}")
    if data.get("format") != FORMAT:
        raise RecordError(f'"format" is {_shown(data.get("format"))}; "{FORMAT}" was expected')
    for key, kind, expected in (
        ("game", str, "a name"),
        ("options", dict, "an object"),
        ("moves", list, "a list"),
    ):
        if not isinstance(data.get(key, {} if key == "options" else None), kind):
            raise RecordError(f'"{key}" is {_shown(data.get(key))}; {expected} was expected')
    for ply, move in enumerate(data["moves"]):
        if not isinstance(move, str) or len(move) > LONGEST_NAME:
            raise RecordError(f'move {ply + 1} is {_shown(move)}; a text such as "4,4" was expected', ply=ply)
    more = {key: value for key, value in data.items() if key not in ("format", "game", "options", "moves")}
    return Record(data["game"], data.get("options", {}), tuple(data["moves"]), more)


def read_records(stream: BinaryIO) -> Iterator[tuple[int, Record | RecordError]]:
    """Each record of a stream with its line number; what cannot be read is a RecordError in its place.

    A stream that is one JSON object over many lines is one record.
    """
    head = stream.read(LARGEST + 1)
    whole = _whole_record(head)
    if whole is not None:
        yield 1, whole
        return
    is_empty = True
    for number, line in enumerate(_lines(head, stream), 1):
        if not line.strip():
            continue
        is_empty = False
        try:
            yield number, parse_record(line)
        except RecordError as error:
            yield number, error
    if is_empty:
        yield 1, RecordError("there is no record here: the file is empty")


def _whole_record(content: bytes) -> Record | RecordError | None:
    """Several lines, none of which is an object of its own, as the one record that they are or fail to be."""
    if len(content) > LARGEST or b"\n" not in content.strip() or any(map(_is_object, content.splitlines())):
        return None
    try:
        return parse_record(content)
    except RecordError as error:
        return error


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(_parse_json(line), dict)
    except RecordError:
        return False


def _lines(head: bytes, stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream whose beginning is read; of a line beyond LARGEST only the beginning is handed on."""
    for line in _pieces(io.BytesIO(head), stream):
        yield line.rstrip(b"\r\n")


def _pieces(*streams: BinaryIO) -> Iterator[bytes]:
    kept = b""
    for stream in streams:
        while piece := stream.readline(LARGEST):
            kept += piece[: LARGEST + 1 - len(kept)]
            if piece.endswith(b"\n"):
                yield kept
                kept = b""
    if kept:
        yield kept


def game_of(record: Record, rules: Game | None = None) -> Game:
    """The game of a record: one of ours, or the `rules` that a person named, if they go by that name."""
    if rules is not None:
        if rules.name != record.game:
            raise RecordError(f"this is a record of {_shown(record.game)}, not of {rules.name}")
        return rules
    if record.game not in game_names():
        raise RecordError(f"{_shown(record.game)} is not one of our games; name its rules file with --game")
    return load_game(record.game)


def replay(record: Record, rules: Game | None = None) -> Replay:
    """Play a record through; the first thing that does not hold is a RecordError with its ply."""
    game = game_of(record, rules)
    try:
        state = game.start(**record.options)
    except LudusError as error:
        raise RecordError(str(error)) from None
    try:
        line = follow(game, state, record.moves)
    except MoveError as error:
        raise RecordError(error.sentence, ply=error.ply) from None
    moved = line.states[:-1]
    widths = tuple(sum(word.bit_count() for word in game.words(state)) for state in moved)
    result = game.result(line.states[-1])
    claimed = record.more.get("result", result)
    if claimed != result or type(claimed) is not type(result):
        truth = "the game is not over" if result is None else f"the moves give {result}"
        raise RecordError(f'"result" is {_shown(claimed)}, but {truth}', ply=len(line.moves))
    return Replay(game, line.states, line.moves, tuple(map(game.turn, moved)), widths, result)


def _parse_json(text: str | bytes) -> Any:
    if len(text) > LARGEST:
        raise RecordError(f"a record of more than {LARGEST} bytes is not read")
    try:
        words = text if isinstance(text, str) else text.decode("utf-8-sig")
        return json.loads(words, parse_constant=_refuse, parse_float=_finite, parse_int=_whole)
    except RecursionError:
        raise RecordError("this JSON is nested too deeply") from None
    except UnicodeDecodeError:
        raise RecordError("this is not JSON: it is not even text") from None
    except json.JSONDecodeError as error:
        what = error.msg.removesuffix(" at")  # as in "Unterminated string starting at"
        raise RecordError(f"this is not JSON: {what} at character {error.pos + 1}") from None


def _refuse(word: str) -> NoReturn:
    raise RecordError(f"{word} is not JSON")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise RecordError(f"the number {digits[:20]} is too large")
    return value


def _whole(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise RecordError(f"this JSON holds a number that is too long: {digits[:20]}...")
    return int(digits)


def _kind(value: object) -> str:
    names = {list: "a list", str: "a text", type(None): "null", bool: "true or false"}
    return names.get(type(value), "a number")


def _shown(value: object) -> str:
    """A value from a stranger's file, short and on one line."""
    text = json.dumps(value) if isinstance(value, str | int | float | None) else _kind(value)
    return text if len(text) <= 40 else text[:37] + "..."

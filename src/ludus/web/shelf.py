"""The recorded games that a server shows: those in its folder, and those that somebody just brought along.

Nothing in a record is run, and no path in one is followed: games are ours, or those that the local user named.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count, islice
from pathlib import Path, PurePosixPath
from typing import BinaryIO, NamedTuple

from ludus.errors import LudusError, RecordError, StoreError
from ludus.events.scoring import as_number
from ludus.records import Record, Replay, game_of, parse_record, read_records, replay
from ludus.reports.trace import player_names
from ludus.rules import Game
from ludus.tournament.folder import EVENT, MANIFEST, is_tournament, open_tournament
from ludus.tournament.live import FOLDER as LIVE
from ludus.tournament.store import RESULTS, Store
from ludus.view.canvas import printable

SUFFIXES = (".json", ".jsonl", ".ndjson")
MOST_FILES, MOST_GAMES, DEEPEST = 500, 2000, 4
MOST_FOLDERS = 2000  # that are looked through
SMALL = 100_000  # bytes of a file that is read for a list of files
MOST_PLIES = 5000  # that a page shows
MOST_KEPT, KEPT_BYTES = 64, 16_000_000
PARTS = (MANIFEST, EVENT, RESULTS, LIVE)  # of a tournament, that are read


class Shown(NamedTuple):
    """One game in a list: what it is called, how it ended, and the query of its address."""

    title: str
    note: str
    query: dict[str, str]


class Found(NamedTuple):
    """A file of records, or the folder of a tournament, by its path below the served folder."""

    path: str
    is_tournament: bool
    only: Shown | None = None  # the one game of a file that holds no more


class Kept:
    """Records that people brought along, in memory; the oldest go first."""

    def __init__(self, *, most: int = MOST_KEPT, most_bytes: int = KEPT_BYTES) -> None:
        self.most, self.most_bytes = most, most_bytes
        self.records: OrderedDict[str, bytes] = OrderedDict()

    def keep(self, content: bytes) -> str:
        """The key by which a record is found again; the same record has the same key."""
        key = hashlib.sha256(content).hexdigest()[:20]
        self.records[key] = content
        self.records.move_to_end(key)
        while len(self.records) > self.most or sum(map(len, self.records.values())) > self.most_bytes:
            self.records.popitem(last=False)
        return key

    def record(self, key: str) -> Record:
        if key not in self.records:
            raise RecordError("this record is no longer kept here; bring it along again")
        return parse_record(self.records[key])


def path_below(folder: Path | None, text: str) -> Path:
    """The file or folder of that name below the served folder, and nowhere else, whatever links lead out of it."""
    parts = PurePosixPath(text).parts
    if folder is None or not text or "\0" in text or "\\" in text or PurePosixPath(text).is_absolute() or ".." in parts:
        raise LudusError("there is no such file in the folder that is served")
    root = folder.resolve()
    path = root.joinpath(*parts)
    try:
        is_there = path.exists() and _is_within(root, path, *(path / part for part in PARTS))
    except (OSError, RuntimeError):
        is_there = False
    if not is_there or any(part.startswith(".") for part in parts):
        raise LudusError("there is no such file in the folder that is served")
    return path


def _is_within(root: Path, *paths: Path) -> bool:
    """Whether links lead none of the paths out of the folder."""
    return all(path.resolve().is_relative_to(root) for path in paths)


def found_below(folder: Path) -> list[Found]:
    """The record files and tournaments in a folder, to some depth and number."""
    return list(islice(_walk(folder.resolve(), folder.resolve(), 0, count()), MOST_FILES))


def _walk(root: Path, folder: Path, depth: int, seen: Iterator[int]) -> Iterator[Found]:
    if next(seen) >= MOST_FOLDERS:
        return
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    below = "" if folder == root else f"{folder.relative_to(root).as_posix()}/"
    if is_tournament(folder):
        if (folder / RESULTS).is_file() and _is_within(root, *(folder / part for part in PARTS)):
            yield Found(below.rstrip("/") or ".", True)
        return
    for entry in entries:
        if entry.name.startswith(".") or entry.is_symlink():
            continue
        if entry.is_dir() and depth < DEEPEST:
            yield from _walk(root, Path(entry.path), depth + 1, seen)
        elif entry.is_file() and entry.name.endswith(SUFFIXES) and _begins_like_record(Path(entry.path)):
            name = f"{below}{entry.name}"
            yield Found(name, False, _only_game(Path(entry.path), name))


def _only_game(path: Path, name: str) -> Shown | None:
    """The game of a small file of one record."""
    try:
        if path.stat().st_size > SMALL:
            return None
        with path.open("rb") as stream:
            found = [record for _, record in islice(read_records(stream), 2)]
    except OSError:
        return None
    if len(found) != 1 or isinstance(found[0], RecordError):
        return None
    return Shown(title_of(found[0]), note_of(found[0]), {"file": name})


def _begins_like_record(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return b"ludus-record/" in stream.read(4096)
    except OSError:
        return False


def games_of_file(folder: Path | None, name: str) -> list[Shown]:
    """The records of a file; what cannot be read says so in its place."""
    shown = []
    with _opened(folder, name) as stream:
        for number, (_, record) in enumerate(islice(read_records(stream), MOST_GAMES), 1):
            query = {"file": name, "record": str(number)}
            if isinstance(record, RecordError):
                shown.append(Shown(f"record {number}", f"cannot be read: {record}", {}))
            else:
                shown.append(Shown(title_of(record), note_of(record), query))
    return shown


def games_of_tournament(folder: Path | None, name: str) -> list[Shown]:
    """The stored games of a tournament that have a record."""
    place = path_below(folder, name) if name != "." else _root(folder)
    teams = dict(enumerate(printable(team.name) for team in open_tournament(place).kit.teams))
    shown = []
    with _stored(place) as store:
        for game in islice(store.games(), MOST_GAMES):
            pairing, points = game.result.pairing, [f"{as_number(point):g}" for point in game.result.points]
            title = " – ".join(teams.get(team, "nobody") for team in (pairing.first, pairing.second))
            where = " ".join(word for word in (pairing.stage, pairing.pool) if word)
            note = f"{points[0]} : {points[1]}, {game.result.kind}, {game.plies} moves, {where} round {pairing.round}"
            query = {"tournament": name, "game": pairing.id} if game.result.status == "played" else {}
            shown.append(Shown(title, note, query))
    return shown


def title_of(record: Record) -> str:
    one, other = player_names(record)
    return f"{one or 'nobody'} – {other or 'nobody'}" if one or other else printable(record.game)[:60]


def note_of(record: Record) -> str:
    points, verdict = record.more.get("points"), record.more.get("verdict")
    score = ""
    if isinstance(points, list) and len(points) == 2 and all(isinstance(point, int | float) for point in points):
        score = f", {points[0]:g} : {points[1]:g}"
    kind = verdict.get("kind") if isinstance(verdict, dict) else None
    ended = f", {printable(kind)[:40]}" if isinstance(kind, str) else ""
    return f"{printable(record.game)[:60]}, {len(record.moves)} moves{score}{ended}"


def record_of(query: Mapping[str, str], folder: Path | None, kept: Kept) -> Record:
    """The record that an address names: file=…&record=2, tournament=…&game=…, or kept=…; else a LudusError."""
    if "kept" in query:
        return kept.record(query["kept"])
    if "tournament" in query:
        name = query["tournament"]
        with _stored(path_below(folder, name) if name != "." else _root(folder)) as store:
            content = store.record(query.get("game", ""))
        if content is None:
            raise StoreError("this game has no record: it was never played to an end")
        return parse_record(content)
    digits = query.get("record", "1")
    wanted = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 9 else 0
    with _opened(folder, query.get("file", "")) as stream:
        found = next(islice(read_records(stream), max(0, wanted - 1), None), None)
    if wanted < 1 or found is None:
        raise RecordError(f"{query.get('file', '')[:80]}: there is no record {digits[:9]} in this file")
    if isinstance(found[1], RecordError):
        raise found[1]
    return found[1]


def played_through(record: Record, games: tuple[Game, ...]) -> Replay:
    """The record by the rules: a game that the local user named, or one of ours."""
    rules = next((game for game in games if game.name == record.game), None)
    if len(record.moves) > MOST_PLIES:
        raise RecordError(f"this game has {len(record.moves)} moves; a page shows games of up to {MOST_PLIES}")
    if rules is None:
        game_of(record)  # its own sentence, where it is none of ours
    try:
        return replay(record, rules)
    except RecordError as error:
        at = "" if error.ply is None else f"ply {error.ply}: "
        raise RecordError(f"{at}{error}", ply=error.ply) from None


@contextmanager
def _opened(folder: Path | None, name: str) -> Iterator[BinaryIO]:
    """A file of records below the served folder; a pipe or a device there would never end."""
    path = path_below(folder, name)
    if not path.is_file():
        raise RecordError("this is not a file of records")
    try:
        with path.open("rb") as stream:
            yield stream
    except OSError as error:
        raise RecordError(f"{name[:80]}: {error.strerror}") from None


@contextmanager
def _stored(place: Path) -> Iterator[Store]:
    """The results of a tournament; a file that is being written, or broken, is a StoreError."""
    try:
        with Store(place) as store:
            yield store
    except sqlite3.Error as error:
        raise StoreError(f"the results cannot be read now: {error}") from None


def _root(folder: Path | None) -> Path:
    if folder is None:
        raise LudusError("no folder is served")
    return folder.resolve()

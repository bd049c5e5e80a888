"""The recorded games of a file or folder, listed without reading more of them than their list needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ludus.errors import LudusError, RecordError, StoreError
from ludus.events.scoring import as_number
from ludus.records import Record, parse_record, read_records
from ludus.reports.trace import player_names
from ludus.tournament.folder import MANIFEST, open_tournament
from ludus.tournament.store import Store
from ludus.view.canvas import printable

MOST_GAMES = 20_000  # that are listed; nobody scrolls through more
SUFFIXES = (".json", ".jsonl", ".ndjson")


class Listed(NamedTuple):
    """One game: what it is called in a list, and how to read its record, which may raise a LudusError."""

    title: str
    load: Callable[[], Record]


def listed_games(path: Path) -> list[Listed]:
    """The games of a tournament's folder, of a folder of record files, or of one file of records."""
    if not path.is_dir():
        found = list(islice(_of_file(path), MOST_GAMES))
    elif (path / MANIFEST).is_file():
        found = list(islice(_of_tournament(path), MOST_GAMES))
    else:
        files = sorted(file for file in path.iterdir() if file.suffix in SUFFIXES and file.is_file())
        found = list(islice((game for file in files for game in _of_file(file)), MOST_GAMES))
    if not found:
        raise RecordError(f"{path}: there are no recorded games here")
    return found


def of_record(record: Record) -> Listed:
    one, other = player_names(record)
    names = f"{one} – {other}" if one or other else f"{record.game}, {len(record.moves)} moves"
    points = record.more.get("points")
    score = ""
    if isinstance(points, list) and len(points) == 2 and all(isinstance(point, int | float) for point in points):
        score = f"  {points[0]:g} : {points[1]:g}"
    return Listed(f"{names}{score}", lambda: record)


def _of_file(path: Path) -> Iterator[Listed]:
    try:
        with path.open("rb") as stream:
            for number, record in read_records(stream):
                if isinstance(record, RecordError):
                    yield Listed(f"{path.name}:{number} cannot be read", _refusing(f"{path}: line {number}: {record}"))
                else:
                    yield of_record(record)
    except OSError as error:
        raise LudusError(f"{str(path)[:200]}: the records cannot be read: {error.strerror or error}") from None


def _refusing(sentence: str) -> Callable[[], Record]:
    def load() -> Record:
        raise RecordError(sentence)

    return load


def _of_tournament(folder: Path) -> Iterator[Listed]:
    teams = [printable(team.name) for team in open_tournament(folder).kit.teams]
    with Store(folder) as store:
        for game in store.games():
            pairing, points = game.result.pairing, [f"{as_number(point):g}" for point in game.result.points]
            names = f"{teams[pairing.first]} – {teams[pairing.second]}"
            where = " ".join(word for word in (pairing.stage, pairing.pool) if word)
            yield Listed(f"{names}  {points[0]} : {points[1]}  {where}".rstrip(), _stored(folder, pairing.id))


def _stored(folder: Path, pairing_id: str) -> Callable[[], Record]:
    def load() -> Record:
        with Store(folder) as store:
            content = store.record(pairing_id)
        if content is None:
            raise StoreError("this game has no record: it was never played to an end")
        return parse_record(content)

    return load

"""The folder of one tournament: results and records in SQLite, written by the driver alone, read by anybody.

tournament.json       teams, seed, versions; written last, so that a folder that has it is whole
event.toml, rules/    the event, and the rules file where the game is none of ours
bots/<sha256>.<ext>   every bot by its content
results.sqlite        one row for each game, and its record, compressed
driver.lock           held while a run writes here
"""

from __future__ import annotations

import os
import re
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from ludus.errors import StoreError
from ludus.records import LARGEST
from ludus.tournament.pairing import GameResult, Pairing

RESULTS, LOCK = "results.sqlite", "driver.lock"
WAVE = 1 << 32  # a game's key is WAVE * (which round the format asked for) + its number in that round
PAGE = 1000  # rows read at a time: a reader never holds a snapshot for long
NETWORK_FILE_SYSTEMS = ("nfs", "cifs", "smb", "9p", "fuse.sshfs", "lustre", "beegfs", "ceph", "gpfs", "glusterfs")

SCHEMA = """
create table if not exists game(
    key integer primary key, id text not null unique,
    stage text not null, pool text not null, round integer not null,
    first integer not null, second integer not null, board integer not null,
    points_first text not null, points_second text not null, winner integer, difference integer not null,
    kind text not null, status text not null,
    reason text not null, plies integer not null, seconds real not null, worker text not null, line blob not null
) strict;
create table if not exists record(key integer primary key, zlib blob not null) strict;
"""
# As SQLite keeps them; a stranger's file may have a view there that never ends, or columns that hold anything.
OUR_TABLES = {text.strip().replace("create table if not exists", "CREATE TABLE") for text in SCHEMA.split(";")} - {""}
POINTS = re.compile(r"-?[0-9]{1,40}(/[1-9][0-9]{0,39})?")
RESULT_COLUMNS = (
    "id, stage, pool, round, first, second, board, points_first, points_second, winner, difference, kind, status"
)


class StoredGame(NamedTuple):
    """One game as it is stored."""

    key: int
    result: GameResult
    reason: str  # of the verdict, or how the worker was lost
    plies: int
    seconds: float
    worker: str  # who played it
    line: bytes  # a hash of start and moves: identical games are found by it
    record: bytes  # zlib; nothing where there is none


class Store:
    """The results of a tournament. Any number may read; only whoever came in by `writing` may write."""

    def __init__(self, folder: Path, *, is_writer: bool = False) -> None:
        self.folder, self.is_writer = folder, is_writer
        file = folder / RESULTS
        if not is_writer and not file.is_file():
            raise StoreError(f"{folder}: there is no tournament here")
        address = str(file) if is_writer else f"file:{_quoted(file)}?mode=ro"
        self.database = sqlite3.connect(address, uri=not is_writer, isolation_level=None)
        try:
            if is_writer:
                self._prepare()
            else:
                self._require_our_tables()
            self.database.execute("pragma busy_timeout=10000")
        except BaseException:
            self.database.close()
            raise

    def _prepare(self) -> None:
        if not is_on_network(self.folder):  # WAL needs memory shared by all who read
            with suppress(sqlite3.OperationalError):  # somebody reads just now, and it stays as it is
                self.database.execute("pragma journal_mode=wal")
        # In WAL a power cut may undo the last games, never break the file; they are then played again.
        is_wal = self.database.execute("pragma journal_mode").fetchone() == ("wal",)
        self.database.execute(f"pragma synchronous={'normal' if is_wal else 'full'}")
        self.database.executescript(SCHEMA)

    def _require_our_tables(self) -> None:
        query = "select sql from sqlite_master where name in ('game', 'record')"
        tables = {text for (text,) in self.database.execute(query)}
        if tables != OUR_TABLES:
            wrong = "these are not the results of a tournament" if tables else "there are no results yet"
            raise StoreError(f"{self.folder}: {wrong}")

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """A writer leaves one plain file, which can be read from a drive that cannot be written; unless others read."""
        if self.is_writer:
            with suppress(sqlite3.OperationalError):
                self.database.execute("pragma busy_timeout=0")
                self.database.execute("pragma journal_mode=delete")
        self.database.close()

    def write(self, rows: Iterable[StoredGame]) -> None:
        """Store games in one transaction. Of a game that was played twice, the first result stays."""
        games, records = [], []
        for row in rows:
            games.append((row.key, *_columns(row.result), row.reason, row.plies, row.seconds, row.worker, row.line))
            if row.record:
                records.append((row.key, row.record))
        marks = ",".join("?" * 19)
        self.database.execute("begin immediate")
        try:
            self.database.executemany(f"insert or ignore into game values({marks})", games)
            self.database.executemany("insert or ignore into record values(?,?)", records)
            self.database.execute("commit")
        except BaseException:
            self.database.execute("rollback")
            raise

    def count(self, *, wave: int | None = None) -> int:
        """How many games are stored, of a round or of all."""
        low, high = (0, 1 << 62) if wave is None else (wave * WAVE, (wave + 1) * WAVE)
        query = "select count(*) from game where key >= ? and key < ?"
        return int(self.database.execute(query, (low, high)).fetchone()[0])

    def played(self, wave: int) -> Iterator[tuple[int, GameResult]]:
        """Number and result of each stored game of a round, in the order in which the format asked for them."""
        for key, *row in self._pages(f"select key, {RESULT_COLUMNS} from game", wave):  # noqa: S608  # our own names
            yield key - wave * WAVE, _result(row)

    def all_results(self) -> Iterator[GameResult]:
        """Every result, round by round."""
        for _key, *row in self._pages(f"select key, {RESULT_COLUMNS} from game", None):  # noqa: S608  # our own names
            yield _result(row)

    def games(self) -> Iterator[StoredGame]:
        """Every game as it is stored, but for its record, round by round."""
        columns = f"key, {RESULT_COLUMNS}, reason, plies, seconds, worker, line"
        for key, *row in self._pages(f"select {columns} from game", None):  # noqa: S608  # our own names
            *result, reason, plies, seconds, worker, line = row
            yield StoredGame(key, _result(result), reason, plies, seconds, worker, line, b"")

    def record(self, pairing_id: str) -> bytes | None:
        """The record of a game as one line of JSON."""
        query = "select zlib from record join game using (key) where id = ?"
        found = self.database.execute(query, (pairing_id,)).fetchone()
        return None if found is None else _unpacked(found[0])

    def records(self) -> Iterator[tuple[str, bytes]]:
        """Pairing id and record of every game that has one, round by round."""
        for _key, name, content in self._pages("select key, id, zlib from game join record using (key)", None):
            yield name, _unpacked(content)

    def repeated_lines(self) -> Iterator[tuple[Pairing, bytes]]:
        """The games whose start and moves another game has as well, each with their hash."""
        query = """select id, stage, pool, round, first, second, board, line from game where line in
            (select line from game where line != x'' group by line having count(*) > 1) order by key"""
        for *pairing, line in self.database.execute(query):
            yield Pairing(*pairing), line

    def failures(self) -> Iterator[tuple[GameResult, str]]:
        """Games that crashed, and what is known of each."""
        query = f"select {RESULT_COLUMNS}, reason from game where status != 'played' order by key"  # noqa: S608  # ours
        for *row, reason in self.database.execute(query):
            yield _result(row), reason

    def _pages(self, query: str, wave: int | None) -> Iterator[tuple[Any, ...]]:
        """Rows of a round, or of all, by key; each begins with its key."""
        last = -1 if wave is None else wave * WAVE - 1
        end = 1 << 62 if wave is None else (wave + 1) * WAVE
        paged = f"{query} where key > ? and key < ? order by key limit {PAGE}"
        while rows := self.database.execute(paged, (last, end)).fetchall():
            yield from rows
            last = rows[-1][0]


@contextmanager
def writing(folder: Path) -> Iterator[Store]:
    """The store of a folder for its one driver; a StoreError where another one has it."""
    folder.mkdir(parents=True, exist_ok=True)
    lock = os.open(folder / LOCK, os.O_CREAT | os.O_RDWR | getattr(os, "O_CLOEXEC", 0), 0o644)
    try:
        _lock(lock, folder)
        with Store(folder, is_writer=True) as store:
            yield store
    except sqlite3.Error as error:
        raise StoreError(f"{folder / RESULTS}: {error}") from None
    finally:
        os.close(lock)


def _lock(lock: int, folder: Path) -> None:
    """The system drops the lock with the process, even on kill -9."""
    try:
        import fcntl  # noqa: PLC0415  # not on every system
    except ImportError:
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        holder = os.pread(lock, 20, 0).decode("ascii", "replace").strip()
        raise StoreError(f"{folder}: another run (process {holder or 'unknown'}) plays this tournament now") from None
    os.ftruncate(lock, 0)
    os.pwrite(lock, str(os.getpid()).encode(), 0)


def is_on_network(folder: Path, mounts: str | None = None) -> bool:
    """Whether the folder's file system is shared over a network, as far as the system tells."""
    if mounts is None:
        try:
            mounts = Path("/proc/self/mounts").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return False
    best, kind = "", ""
    for line in mounts.splitlines():
        _device, where, what, *_ = line.split(" ")
        where = where.replace("\\040", " ")
        if folder.resolve().is_relative_to(where) and len(where) >= len(best):
            best, kind = where, what
    return kind.startswith(NETWORK_FILE_SYSTEMS)


def _quoted(file: Path) -> str:
    return str(file.resolve()).replace("%", "%25").replace("?", "%3f").replace("#", "%23")


def _unpacked(content: bytes) -> bytes:
    """A record as it was stored, or a StoreError; what would become larger than any record is not unpacked."""
    unpacking = zlib.decompressobj()
    try:
        record = unpacking.decompress(content, LARGEST)
    except (zlib.error, TypeError):
        raise StoreError("a stored record cannot be read: it is damaged") from None
    if not unpacking.eof:
        raise StoreError(f"a stored record cannot be read: it is damaged, or larger than {LARGEST} bytes")
    return record


def _columns(result: GameResult) -> tuple[object, ...]:
    pairing = result.pairing
    one, other = map(str, result.points)
    where = (pairing.id, pairing.stage, pairing.pool, pairing.round, pairing.first, pairing.second, pairing.board)
    return (*where, one, other, result.winner, result.difference, result.kind, result.status)


def _result(row: Sequence[Any]) -> GameResult:
    *pairing, one, other, winner, difference, kind, status = row
    points = (_fraction(one), _fraction(other))
    return GameResult(Pairing(*pairing), points, winner, difference, kind, status)


@lru_cache(maxsize=10_000)
def _fraction(text: str) -> Fraction:
    if not POINTS.fullmatch(text):
        raise StoreError(f"the results cannot be read: {text[:20]!r} is no number of points")
    return Fraction(text)

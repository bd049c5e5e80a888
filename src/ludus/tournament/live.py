"""Games while they are played: workers write every move into the tournament's folder, for whoever watches.

live/<slot>   one game: a line of JSON says which; then a line `move milliseconds seconds` for every move (what it
              took, and when it came, counted from the game's begin); at last a line `end` with the verdict

Another game of the slot is another file under the same name, so that a reader never mixes two. A game that is over
before anybody could look is never written.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from ludus.errors import StoreError
from ludus.referee.game import Mind, Watch
from ludus.referee.verdict import Verdict
from ludus.rules import State
from ludus.tournament.pairing import Pairing
from ludus.tournament.store import is_on_network

FOLDER, FORMAT = "live", "ludus-live/1"
LEAST_S = 0.3  # a game that is over sooner is nobody's to watch
SLOT = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,79}")
PARTIAL = ".partial"
MOST_SLOTS = 1000
LARGEST_READ, LONGEST_LINE = 1 << 20, 10_000  # bytes
LATEST = 1e12  # of any time in a file, be it seconds or milliseconds
PAIRING_KINDS = (str, str, str, int, int, int, int)


# ---- what a driver and its workers do


@contextmanager
def publishing(folder: Path) -> Iterator[str]:
    """Where the workers of a run may write; nowhere on a drive of a network, where a line would take its time."""
    if is_on_network(folder):
        yield ""
        return
    place = folder.resolve() / FOLDER
    shutil.rmtree(place, ignore_errors=True)
    try:
        place.mkdir(exist_ok=True)
        yield str(place)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def publisher_at(live: str, slot: str, before: Publisher | None) -> Publisher | None:
    """The publisher of a slot: the one that was there before, if it is the same; none where nothing is shown."""
    if not live:
        return None
    name = re.sub(r"[^A-Za-z0-9_-]", "-", slot)[:80]
    is_same = before is not None and (str(before.place), before.slot) == (live, name)
    return before if is_same else Publisher(Path(live), name)


class Publisher:
    """Writes the games of one slot, one after the other. Whatever fails here is never worth a game: it goes unseen."""

    def __init__(self, place: Path, slot: str) -> None:
        self.place, self.slot = place, slot
        self.last_s = LEAST_S  # what the game before took; unknown at first
        self.begun_s = 0.0
        self.head = b""
        self.lines: list[bytes] = []
        self.plies = 0
        self.file: int | None = None

    def begin(self, pairing: Pairing) -> Watch:
        """What to tell the moves of this game to. It is seen at once if the game before was one to watch."""
        self.begun_s, self.plies = time.perf_counter(), 0
        head = {"format": FORMAT, "pairing": list(pairing), "began": round(time.time(), 3)}
        self.head = json.dumps(head, separators=(",", ":")).encode() + b"\n"
        self._close()
        self.lines.clear()
        if self.last_s >= LEAST_S:
            self._open()
        return self._watch

    def end(self, verdict: Verdict) -> None:
        self.last_s = time.perf_counter() - self.begun_s
        if self.file is not None:
            told = {"kind": verdict.kind, "winner": verdict.winner, "seat": verdict.seat, "reason": verdict.reason}
            self._write(f"end {json.dumps(told, separators=(',', ':'))}\n".encode())
        self._close()

    def _watch(self, _state: State, moves: tuple[int, ...], mind: Mind) -> None:
        since_s = time.perf_counter() - self.begun_s
        if len(moves) <= self.plies:  # the machine was at fault, and the game begins again
            self._close()
            self.lines.clear()
        self.plies = len(moves)
        line = b"%d %.1f %.3f\n" % (moves[-1], 1000 * mind.spent.wall_s, since_s)
        if self.file is not None:
            self._write(line)
            return
        self.lines.append(line)
        if since_s >= LEAST_S:
            self._open()

    def _open(self) -> None:
        partial = self.place / f"{self.slot}{PARTIAL}"
        try:
            self.file = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o644)
            os.write(self.file, self.head + b"".join(self.lines))
            partial.replace(self.place / self.slot)
        except OSError:
            self._close()
        self.lines.clear()

    def _write(self, content: bytes) -> None:
        assert self.file is not None
        try:
            os.write(self.file, content)
        except OSError:
            self._close()

    def _close(self) -> None:
        if self.file is not None:
            with suppress(OSError):
                os.close(self.file)
            self.file = None


# ---- what a reader does


class Begun(NamedTuple):
    """Another game of the slot."""

    pairing: Pairing
    began: float  # seconds since 1970


class Moved(NamedTuple):
    """A move of the game; whether the rules allow it is not known here."""

    move: int
    wall_ms: float
    since_s: float  # the game's begin


class Ended(NamedTuple):
    """The end of the game."""

    kind: str
    winner: int | None  # a seat
    seat: int | None  # the guilty one
    reason: str


Heard = Begun | Moved | Ended


def slots_of(folder: Path) -> list[str]:
    """The slots of a tournament's folder in which a game is, or was just now."""
    try:
        names = [entry.name for entry in (folder / FOLDER).iterdir()]
    except OSError:
        return []
    return sorted(name for name in names if SLOT.fullmatch(name) and not name.endswith(PARTIAL))[:MOST_SLOTS]


class Listener:
    """Reads one slot, game after game. What stands there that no worker of ours wrote is a StoreError."""

    def __init__(self, folder: Path, slot: str) -> None:
        if not SLOT.fullmatch(slot):
            raise StoreError(f"{slot[:80]!r}: no slot is called so")
        self.path = folder / FOLDER / slot
        self.file: int | None = None
        self.rest = b""
        self.has_head = False
        self.changed = 0.0  # when the last line was written, in seconds since 1970

    def read(self) -> list[Heard]:
        """What was written since the last time; an earlier game is read to its end first."""
        heard: list[Heard] = []
        if self.file is not None:
            heard += self._more()
        if self._is_other():
            self.close()
            try:
                self.file = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK | getattr(os, "O_NOFOLLOW", 0))
            except OSError:
                return heard
            heard += self._more()
        return heard

    def close(self) -> None:
        if self.file is not None:
            os.close(self.file)
        self.file, self.rest, self.has_head = None, b"", False

    def _is_other(self) -> bool:
        """Whether another file stands under the name than the one that is open."""
        try:
            now = self.path.lstat()
        except OSError:
            return False
        if self.file is None:
            return True
        here = os.fstat(self.file)
        return (now.st_dev, now.st_ino) != (here.st_dev, here.st_ino)

    def _more(self) -> list[Heard]:
        assert self.file is not None
        content = os.read(self.file, LARGEST_READ)
        if content:
            self.changed = os.fstat(self.file).st_mtime
        *lines, self.rest = (self.rest + content).split(b"\n")
        if len(self.rest) > LONGEST_LINE:
            raise StoreError(f"{self.path}: a line is longer than {LONGEST_LINE} bytes")
        return [self._heard(line) for line in lines]

    def _heard(self, line: bytes) -> Heard:
        try:
            if not self.has_head:
                self.has_head = True
                return _begun(json.loads(line))
            if line.startswith(b"end "):
                return _ended(json.loads(line[4:]))
            move, wall_ms, since_s = line.split(b" ")
            return Moved(int(move), _time(wall_ms), _time(since_s))
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
            raise StoreError(f"{self.path}: this is no live game: {str(error)[:100]}") from None


def _time(text: bytes | float) -> float:
    value = float(text)
    if not -LATEST <= value <= LATEST:
        raise ValueError(f"{value} is no time")
    return value


def _begun(head: dict[str, object]) -> Begun:
    pairing, began = head["pairing"], head["began"]
    if head["format"] != FORMAT or not isinstance(began, float | int) or not isinstance(pairing, list):
        raise ValueError("its first line is not a head")
    if [type(part) for part in pairing] != list(PAIRING_KINDS):
        raise ValueError("its first line names no game")
    return Begun(Pairing(*pairing), _time(began))


def _ended(told: dict[str, object]) -> Ended:
    kind, reason = str(told["kind"])[:40], str(told["reason"])[:400]
    winner, seat = (told[key] if told[key] in (0, 1) else None for key in ("winner", "seat"))
    return Ended(kind, winner, seat, reason)  # type: ignore[arg-type]

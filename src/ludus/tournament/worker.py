"""Plays games in a worker, wherever it runs: it needs Ludus installed, and gets all else from the driver by hash."""

from __future__ import annotations

import hashlib
import os
import socket
import tempfile
import threading
import time
import zlib
from pathlib import Path
from random import Random
from typing import Any

from ludus.bots.entrants import Entrant
from ludus.bots.room import Room
from ludus.errors import SandboxError
from ludus.events.event import Event
from ludus.events.scoring import as_number
from ludus.referee.dossier import judged_record
from ludus.referee.fair import Fairly
from ludus.referee.game import Pitch, Watch
from ludus.referee.series import Fixture, drawn_options, play_fixture
from ludus.rules import Game, random_line
from ludus.sandbox.cores import cores_of_thread, leased_core
from ludus.sandbox.levels import open_sandbox
from ludus.tournament.differences import difference
from ludus.tournament.kit import RULES, Kit, entrant_of, hash_of, kit_of_bytes
from ludus.tournament.live import Publisher, publisher_at
from ludus.tournament.pairing import GameResult, Pairing, derived_seed
from ludus.tournament.plan import Plan, plan_of
from ludus.tournament.store import StoredGame
from ludus.tournament.tasks import Numbered, Reply, task_of_bytes

SANDBOX_ATTEMPTS = 3  # at a game whose sandbox somebody ended

_here = threading.local()  # an engine may run tasks in threads; each has a room of its own


def play_task(content: bytes) -> bytes:
    """Play the games of a Task one after the other, on a core of their own, and give back a Reply."""
    task = task_of_bytes(content)
    folder = cache_folder()
    for digest, blob in task.blobs.items():
        keep(folder, digest, blob)
    kit_file = folder / task.kit
    if not has(folder, task.kit):
        return Reply(missing=(task.kit,)).to_bytes()
    desk: Desk | None = getattr(_here, "desk", None)
    if desk is None or desk.digest != task.kit:
        if desk is not None:
            desk.close()
        kit = kit_of_bytes(kit_file.read_bytes())
        missing = tuple(digest for digest in kit.rules.values() if not has(folder, digest))
        if missing:
            return Reply(missing=missing).to_bytes()
        desk = _here.desk = Desk(task.kit, kit, folder)
    missing = desk.missing(task.games)
    if missing:
        return Reply(missing=missing).to_bytes()
    return Reply(tuple(desk.play(task.games, live=task.live))).to_bytes()


def release() -> None:
    """End what this thread keeps for its next task."""
    desk: Desk | None = getattr(_here, "desk", None)
    if desk is not None:
        desk.close()


class Desk:
    """Where one thread of a worker plays the games of one tournament. Its sandbox stays for the next task."""

    def __init__(self, digest: str, kit: Kit, folder: Path) -> None:
        self.digest, self.kit, self.folder = digest, kit, folder
        self.event = _opened_event(kit, digest, folder)
        self.plan = plan_of(self.event)
        self.entrants: dict[int, Entrant] = {}
        self.room: Room | None = None
        self.cores = cores_of_thread()
        self.core: int | None = None
        self.publisher: Publisher | None = None
        self.name = f"{socket.gethostname()}:{os.getpid()}"

    def missing(self, games: tuple[Numbered, ...]) -> tuple[str, ...]:
        """Hashes of bots' files that are not here."""
        teams = {team for game in games for team in (game.pairing.first, game.pairing.second)}
        needed = {self.kit.teams[team].sha256 for team in teams if team not in self.entrants} - {""}
        return tuple(sorted(digest for digest in needed if not has(self.folder, digest)))

    def play(self, games: tuple[Numbered, ...], *, live: str = "") -> list[StoredGame]:
        with leased_core(self.cores, liked=self.core) as core:
            if core != self.core:
                self.close()  # what runs there stays on the core on which it was started
                self.core = core
            slot = f"{socket.gethostname()}-{os.getpid() if core is None else core}"
            self.publisher = publisher_at(live, slot, self.publisher)
            return [self._played(game) for game in games]

    def close(self) -> None:
        if self.room is not None:
            self.room.close()
            self.room = None

    def entrant(self, team: int) -> Entrant:
        if team not in self.entrants:
            member = self.kit.teams[team]
            if member.kind != "agent":
                _place(self.folder / member.sha256, self.folder / "bots" / member.stored_as)
            self.entrants[team] = entrant_of(member, self.event, self.folder / "bots")
        return self.entrants[team]

    def _played(self, game: Numbered) -> StoredGame:
        begin = time.perf_counter()
        pairing = game.pairing
        pitch = pitch_of(self.event, self.plan, self.kit.seed, pairing)
        entrants = (self.entrant(pairing.first), self.entrant(pairing.second))
        watch = self.publisher.begin(pairing) if self.publisher else None
        fairly = self._judged(Fixture(0, False, pitch), entrants, watch)
        judged = fairly.judged
        if self.publisher:
            self.publisher.end(judged.verdict)
        result = result_of(self.event, self.plan, pairing, fairly)
        record = judged_record(
            pitch,
            fairly,
            entrants,
            event=self.event.name,
            pairing=pairing.id,
            points=[as_number(points) for points in result.points],
            memory_mb=self.event.limits.memory_mb,
            numpy=self.event.allows_numpy,
        )
        for player, team in zip(record.more["players"], (pairing.first, pairing.second), strict=True):
            if "file" in player:
                player["file"] = self.kit.teams[team].file  # where it lies on this machine is nobody's business
        line = hashlib.blake2b(repr((judged.start, judged.moves)).encode(), digest_size=8).digest()
        content = zlib.compress(record.to_json().encode())
        seconds = time.perf_counter() - begin
        return StoredGame(game.key, result, judged.verdict.reason, judged.plies, seconds, self.name, line, content)

    def _judged(self, fixture: Fixture, entrants: tuple[Entrant, Entrant], watch: Watch | None) -> Fairly:
        """The game; again, in a new sandbox, if somebody ended the sandbox under it."""
        for _ in range(SANDBOX_ATTEMPTS - 1):
            try:
                return play_fixture(fixture, self._room(), entrants, watch=watch)
            except SandboxError:
                self.close()
        return play_fixture(fixture, self._room(), entrants, watch=watch)

    def _room(self) -> Room:
        if self.room is None:
            preload = ("numpy",) if self.event.allows_numpy else ()
            self.room = Room(open_sandbox(self.kit.isolation, preload=preload), limits=self.event.limits)
        return self.room


def pitch_of(event: Event, plan: Plan, seed: int, pairing: Pairing) -> Pitch:
    """What a game's players have in common: all that is random in it comes from the tournament's seed."""
    board = derived_seed(seed, f"board/{pairing.board}") >> 33  # 30 bits: all that rules take
    options = drawn_options(event.game, event.options, board)
    opening = opening_of(event.game, options, plan.opening_plies, board)
    return Pitch(event.game, options, event.control, derived_seed(seed, pairing.id), opening)


def opening_of(game: Game, options: dict[str, Any], plies: int, seed: int) -> tuple[int, ...]:
    """So many random moves from the start, fewer where the game would be over."""
    if not plies:
        return ()
    line = random_line(game, game.start(**options), Random(seed), longest=plies)
    is_over = game.result(line.states[-1]) is not None
    return line.moves[:-1] if is_over else line.moves


def result_of(event: Event, plan: Plan, pairing: Pairing, fairly: Fairly) -> GameResult:
    """What tables see of a judged game."""
    judged = fairly.judged
    verdict = judged.verdict
    winner = None if verdict.winner is None else (pairing.first, pairing.second)[verdict.winner]
    points = event.points(verdict, judged.final)
    tie_number = difference(plan.difference, event.game, verdict, judged.final)
    return GameResult(pairing, points, winner, tie_number, verdict.kind)


def cache_folder() -> Path:
    """Files by content, for all workers of this user on this machine; nobody else may write there."""
    folder = Path(tempfile.gettempdir()) / f"ludus-files-{os.getuid() if hasattr(os, 'getuid') else 'user'}"
    folder.mkdir(mode=0o700, exist_ok=True)
    state = folder.stat()
    if hasattr(os, "getuid") and (state.st_uid != os.getuid() or state.st_mode & 0o077):
        raise OSError(f"{folder} belongs to somebody else, or others may read it")
    return folder


def has(folder: Path, digest: str) -> bool:
    """Whether the file is there and whole."""
    try:
        return hash_of((folder / digest).read_bytes()) == digest
    except OSError:
        return False


def keep(folder: Path, digest: str, content: bytes) -> None:
    """Keep a file by its content; many workers may do so at once."""
    file, partial = folder / digest, folder / f"{digest}.{os.getpid()}.{threading.get_ident()}"
    partial.write_bytes(content)
    partial.replace(file)


def _place(file: Path, place: Path) -> None:
    """The same content where its name says how to run it."""
    if place.is_file() and hash_of(place.read_bytes()) == file.name:
        return
    place.parent.mkdir(mode=0o700, exist_ok=True)
    partial = place.with_name(f"{place.name}.{os.getpid()}.{threading.get_ident()}")
    partial.write_bytes(file.read_bytes())
    partial.chmod(0o700)
    partial.replace(place)


def _opened_event(kit: Kit, digest: str, folder: Path) -> Event:
    """The event, with the rules laid out beside it where they are none of ours."""
    beside = folder / f"{digest}.event"
    for name, known in kit.rules.items():
        file = beside / RULES / name
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        partial = file.with_name(f"{file.name}.{os.getpid()}.{threading.get_ident()}")
        partial.write_bytes((folder / known).read_bytes())
        partial.replace(file)
    return kit.opened_event(beside)

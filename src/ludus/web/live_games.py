"""Games of a tournament while they are played: one reader for each, however many look on.

A thread reads what the workers wrote and draws the newest position; the loop sends it, written once, to everybody.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from ludus.errors import LudusError, StoreError
from ludus.events.event import Event
from ludus.referee.game import Pitch
from ludus.reports.wording import place_of_game
from ludus.rules import Line, State
from ludus.tournament.folder import open_tournament
from ludus.tournament.live import Begun, Ended, Moved, slots_of
from ludus.tournament.live import Listener as SlotListener
from ludus.tournament.pairing import Pairing
from ludus.tournament.plan import Plan, plan_of
from ludus.tournament.worker import pitch_of
from ludus.view.canvas import printable
from ludus.view.scene import scene_of_line
from ludus.web.audience import Listener
from ludus.web.frames import Picture, changes, picture_of

WATCHED_S, SMALL_S = 0.1, 0.5  # between two pictures of a game that somebody watches, and of one among many
REST = 4  # times as long as it took to draw them all
MOST_SMALL = 12  # games on the page of a tournament
OVER_S = 6.0  # a game that is over stays among those that are played for a moment
SILENT_S = 15.0  # beyond what a move may take: then its worker is dead


class Hall(NamedTuple):
    """What all games of a tournament have in common."""

    event: Event
    plan: Plan
    seed: int
    names: tuple[str, ...]

    @property
    def patience_s(self) -> float:
        """How long nothing may come from a game that is played."""
        control = self.event.control
        return 2 * max(control.limit_s, control.first_limit_s or 0.0) + control.grace_s + control.bank_s + SILENT_S


def open_hall(folder: Path) -> Hall:
    tournament = open_tournament(folder)
    event, kit = tournament.event, tournament.kit
    return Hall(event, plan_of(event), kit.seed, tuple(printable(team.name) for team in kit.teams))


class Seen(NamedTuple):
    """A game at one moment, as everybody is shown it."""

    slot: str
    began: float
    pairing: Pairing
    names: tuple[str, str]
    picture: Picture
    log: tuple[tuple[str, int, float], ...]  # name, seat and milliseconds of every move that a player made
    limit_ms: float
    turn_began: float  # seconds since 1970
    ending: str  # how it ended; empty while it goes on
    changed: float

    def is_same_game(self, other: Seen | None) -> bool:
        return other is not None and (self.began, self.pairing) == (other.began, other.pairing)


class SlotReader:
    """Follows one slot. Everything in here happens in one thread at a time."""

    def __init__(self, folder: Path, slot: str, hall: Hall) -> None:
        self.slot, self.hall = slot, hall
        self.listener = SlotListener(folder, slot)
        self.pitch: Pitch | None = None
        self.begun: Begun | None = None
        self.states: list[State] = []
        self.moves: list[int] = []
        self.log: list[tuple[str, int, float]] = []
        self.turn_began = 0.0
        self.ended: Ended | None = None

    def look(self) -> Seen | None:
        """The newest position, if there is a new one. What no referee would have written is a StoreError."""
        heard = self.listener.read()
        for one in heard:
            if isinstance(one, Begun):
                self._begin(one)
            elif isinstance(one, Moved):
                self._move(one)
            else:
                self.ended = one
        return self._seen() if heard and self.begun is not None else None

    def close(self) -> None:
        self.listener.close()

    def _begin(self, begun: Begun) -> None:
        pairing, teams = begun.pairing, range(len(self.hall.names))
        if pairing.first not in teams or pairing.second not in teams:
            raise StoreError(f"{self.slot}: there is no such game")
        self.begun, self.ended, self.turn_began = begun, None, begun.began
        self.pitch = pitch_of(self.hall.event, self.hall.plan, self.hall.seed, pairing)
        self.states, self.moves, self.log = [self.pitch.game.start(**self.pitch.options)], [], []
        for move in self.pitch.opening:
            self._play(move)

    def _move(self, moved: Moved) -> None:
        assert self.pitch is not None and self.begun is not None
        game, state = self.pitch.game, self.states[-1]
        if game.result(state) is not None or moved.move not in game.legal(state):
            raise StoreError(f"{self.slot}: this is no move of the game")
        self.log.append((printable(game.move_name(moved.move)), game.turn(state), round(moved.wall_ms, 1)))
        self.turn_began = self.begun.began + moved.since_s
        self._play(moved.move)

    def _play(self, move: int) -> None:
        assert self.pitch is not None
        self.states.append(self.pitch.game.play(self.states[-1], move))
        self.moves.append(move)

    def _seen(self) -> Seen:
        assert self.pitch is not None and self.begun is not None
        pairing = self.begun.pairing
        names = (self.hall.names[pairing.first], self.hall.names[pairing.second])
        line = Line(tuple(self.states), tuple(self.moves))
        scene = scene_of_line(self.pitch.game, line, players=names)
        ending = "" if self.ended is None else _ending(self.ended, names)
        picture = picture_of(scene, may_move=False, ply=len(self.moves), status=ending or None)
        control, mover = self.pitch.control, scene.mover
        has_moved = any(seat == mover for _, seat, _ in self.log)
        limit_s = control.limit_s if has_moved or control.first_limit_s is None else control.first_limit_s
        log = tuple(self.log)
        changed = self.listener.changed
        return Seen(
            self.slot, self.begun.began, pairing, names, picture, log, 1000 * limit_s, self.turn_began, ending, changed
        )


def _ending(ended: Ended, names: tuple[str, str]) -> str:
    guilty = "" if ended.seat is None else f"{names[ended.seat]} forfeits: "
    return guilty + printable(ended.reason)


# ---- as messages


def live_message(before: Seen | None, after: Seen, *, has_clock: bool = True) -> str:
    """What leads a page from one moment to the other, be it of the same game or of the next one."""
    is_same = after.is_same_game(before)
    from_move = len(before.log) if before is not None and is_same else 0
    told: dict[str, Any] = {
        "is": "live",
        "slot": after.slot,
        "frame": changes(None if before is None else before.picture, after.picture, still=not is_same),
        "log": {"from": from_move, "moves": after.log[from_move:]},
        "ending": after.ending,
    }
    if not is_same:
        pairing = after.pairing
        told["game"] = {
            "id": pairing.id,
            "where": place_of_game(pairing),
            "names": after.names,
            "teams": [pairing.first, pairing.second],
        }
    if has_clock:
        told["clock"] = _clock(after)
    return json.dumps(told)


def clock_message(seen: Seen) -> str:
    return json.dumps({"is": "clock", "slot": seen.slot, "clock": _clock(seen)})


def _clock(seen: Seen) -> dict[str, Any]:
    """Who thinks, since when, and what both have used; milliseconds."""
    used = [round(sum(wall_ms for _, seat, wall_ms in seen.log if seat == one)) for one in (0, 1)]
    mover = None if seen.ending else seen.picture.mover
    return {
        "mover": mover,
        "thinking": max(0, round(1000 * (time.time() - seen.turn_began))),
        "limit": seen.limit_ms,
        "used": used,
    }


# ---- for everybody


class Gallery:
    """The games that are played now, for the page of a tournament and for those who watch a single one."""

    def __init__(self, folder: Path, tell: Callable[[str], None]) -> None:
        self.folder, self._tell = folder, tell
        self.is_running = False
        self.playing: list[str] = []
        self.shown: dict[str, Seen] = {}
        self.watchers: dict[str, set[Listener]] = {}
        self._hall: Hall | None = None
        self._readers: dict[str, SlotReader | None] = {}  # None: what stands there is none of ours
        self._whole: dict[str, tuple[Seen, str]] = {}
        self._small_due = 0.0
        self._lock = threading.Lock()  # one thread at a time, even where one was left behind

    async def follow(self) -> None:
        """Look again and again; nobody is ever waited for."""
        while True:
            begin = time.monotonic()
            if self.is_running or self.playing:
                is_small_due = begin >= self._small_due
                for seen in await asyncio.to_thread(self._looked, is_small_due=is_small_due):
                    self._show(seen)
                if is_small_due:
                    self._small_due = begin + SMALL_S
                    self._list()
            await asyncio.sleep(max(WATCHED_S if self.watchers else SMALL_S, REST * (time.monotonic() - begin)))

    def close(self) -> None:
        with self._lock:
            for reader in self._readers.values():
                if reader is not None:
                    reader.close()
            self._readers.clear()

    @contextmanager
    def watched(self, slot: str, watcher: Listener) -> Iterator[None]:
        """Somebody watches the games of a slot, as long as the block lasts."""
        self.watchers.setdefault(slot, set()).add(watcher)
        try:
            yield
        finally:
            self.watchers[slot].discard(watcher)
            if not self.watchers[slot]:
                del self.watchers[slot]

    def tell_watchers(self, text: str) -> None:
        """To everybody who watches a single game."""
        for watchers in self.watchers.values():
            for watcher in watchers:
                watcher.tell(text)

    def whole(self) -> Iterable[str]:
        """What a page that knows nothing is told."""
        yield self._playing_message()
        for slot in self.playing[:MOST_SMALL]:
            yield from self.whole_game(slot)

    def whole_game(self, slot: str) -> Iterator[str]:
        """One game from the beginning: written once, however many come."""
        seen = self.shown.get(slot)
        if seen is None:
            return
        if slot not in self._whole or self._whole[slot][0] is not seen:
            self._whole[slot] = seen, live_message(None, seen, has_clock=False)
        yield self._whole[slot][1]
        yield clock_message(seen)

    def _playing_message(self) -> str:
        return json.dumps({"is": "playing", "slots": self.playing[:MOST_SMALL], "more": len(self.playing) - MOST_SMALL})

    def _show(self, seen: Seen) -> None:
        before = self.shown.get(seen.slot)
        self.shown[seen.slot] = seen
        text = live_message(before, seen)
        for watcher in self.watchers.get(seen.slot, ()):
            watcher.tell(text)
        if seen.slot in self.playing[:MOST_SMALL]:
            self._tell(text)

    def _list(self) -> None:
        """Those that go on, and those that ended just now."""
        assert self._hall is not None or not self.shown
        now = time.time()
        playing = [slot for slot, seen in sorted(self.shown.items()) if self.is_running and self._is_on(seen, now)]
        if playing == self.playing:
            return
        new = [slot for slot in playing[:MOST_SMALL] if slot not in self.playing[:MOST_SMALL]]
        self.playing = playing
        self._tell(self._playing_message())
        for slot in new:
            for text in self.whole_game(slot):
                self._tell(text)

    def _is_on(self, seen: Seen, now: float) -> bool:
        assert self._hall is not None
        return now - seen.changed < (OVER_S if seen.ending else self._hall.patience_s)

    def _looked(self, *, is_small_due: bool) -> list[Seen]:
        """In a thread: what is new in the slots that are due."""
        with self._lock:
            return self._look(is_small_due=is_small_due)

    def _look(self, *, is_small_due: bool) -> list[Seen]:
        try:
            if self._hall is None:
                self._hall = open_hall(self.folder)
        except LudusError:
            return []  # the page says why
        if is_small_due:
            for slot in slots_of(self.folder):
                if slot not in self._readers:
                    self._readers[slot] = SlotReader(self.folder, slot, self._hall)
        found = []
        for slot, reader in self._readers.items():
            if reader is None or not (is_small_due or self.watchers.get(slot)):
                continue
            try:
                seen = reader.look()
            except Exception:  # whoever can write there can write anything, and only this slot is lost by it
                reader.close()
                self._readers[slot] = None
                continue
            if seen is not None:
                found.append(seen)
        return found

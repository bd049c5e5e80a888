"""Follows one tournament for everybody who looks at its page: reads its folder now and then, tells what changed.

A folder is read by stat until its results change. Sections are made in one process and strengths in another, both
behind whatever plays games here; each rests several times as long as it worked.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ludus.errors import LudusError
from ludus.reports.markup import card, element
from ludus.tournament.engines import LocalExecutor, WorkerLostError
from ludus.tournament.live import slots_of
from ludus.tournament.pulse import Pulse, pulse_of
from ludus.tournament.store import Store
from ludus.web.audience import Listener
from ludus.web.live_games import Gallery
from ludus.web.sections import Strength, Told, first_page, strength_of

LOOK_S = 0.5  # between two looks at the folder
REST = 4  # times as long as a core worked before
SHORTEST_REST_S, SHORTEST_STRENGTH_S = 0.7, 3.0
MOST_WAITING = 32  # pages and files that are asked for and not made yet
LINGER_S = 20.0  # that a tournament is followed when nobody looks any more: a page that is reloaded finds it ready

Found = TypeVar("Found")


class Workers:
    """Two processes for all tournaments: one makes pages, one finds strengths. They start when first needed."""

    def __init__(self) -> None:
        self._executors: dict[str, LocalExecutor] = {}
        self._waiting: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._is_closed = False

    async def page(self, function: Callable[..., Found], *values: object, **named: object) -> Found:
        return await self._done("page", function, *values, **named)

    async def strength(self, function: Callable[..., Found], *values: object, **named: object) -> Found:
        return await self._done("strength", function, *values, **named)

    async def close(self) -> None:
        await asyncio.to_thread(self._kill)

    async def _done(self, which: str, function: Callable[..., Found], *values: object, **named: object) -> Found:
        if self._waiting[which] >= MOST_WAITING:
            raise LudusError("too many ask at once; try again in a moment")
        self._waiting[which] += 1
        try:
            executor = await asyncio.to_thread(self._executor, which)
            return await asyncio.wrap_future(executor.submit(function, *values, **named))
        except WorkerLostError:
            raise LudusError("the process that reads this tournament died; it is started again") from None
        except LudusError:
            raise
        except Exception as error:  # a stranger's folder may hold what no tournament of ours does
            logging.getLogger(__name__).exception("a page of a tournament failed")
            raise LudusError(f"this tournament cannot be read: {type(error).__name__}") from None
        finally:
            self._waiting[which] -= 1

    def _executor(self, which: str) -> LocalExecutor:
        """In a thread, which ends its work even if whoever asked is gone: no process is ever left behind."""
        with self._lock:
            if self._is_closed:
                raise LudusError("the server ends")
            if which not in self._executors:
                self._executors[which] = LocalExecutor(1)
            return self._executors[which]

    def _kill(self) -> None:
        with self._lock:
            self._is_closed = True
            for executor in self._executors.values():
                executor.kill()


class Section(NamedTuple):
    """A part of the page, ready to be sent, and the version of the page that it is from."""

    html: str
    written: str
    version: int


class Viewer:
    """Somebody who looks at the page; `since` is the version that a browser had when its connection was lost."""

    def __init__(self) -> None:
        self.listener: Listener | None = None
        self.is_greeted = False
        self.since = 0


class Follower:
    """One tournament, while anybody looks at it. All of it happens on the loop; the work is done elsewhere."""

    def __init__(self, name: str, folder: Path, workers: Workers, *, has_grades: bool) -> None:
        self.name, self.folder, self.workers, self.has_grades = name, folder, workers, has_grades
        self.edition = secrets.token_hex(6)  # versions of another server's run mean nothing here
        self.version = 0
        self.sections: dict[str, Section] = {}
        self.viewers: set[Viewer] = set()
        self.gallery = Gallery(folder, self._tell)
        self.guests = 0
        self.strength: Strength | None = None
        self.strengths = 0  # found so far
        self.ready = asyncio.Event()
        self._state = "unknown"
        self._seen: object = None  # what the sections were made of
        self._due = self._strength_due = 0.0
        self._strength_of: object = None
        self._tasks: list[asyncio.Task[None]] = []
        self._renewing: asyncio.Task[None] | None = None
        self._finding: asyncio.Task[None] | None = None
        self._leaving: asyncio.TimerHandle | None = None

    # ---- coming and going

    @asynccontextmanager
    async def looked_at(self) -> AsyncIterator[None]:
        """Follow the tournament at least as long as the block, and a little longer."""
        self.guests += 1
        if self._leaving is not None:
            self._leaving.cancel()
            self._leaving = None
        if not self._tasks:
            self._tasks = [asyncio.create_task(self._follow()), asyncio.create_task(self.gallery.follow())]
        try:
            yield
        finally:
            self.guests -= 1
            if not self.guests:
                self._leaving = asyncio.get_running_loop().call_later(LINGER_S, self._stop)

    def _stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        self._tasks.clear()

    async def close(self) -> None:
        if self._leaving is not None:
            self._leaving.cancel()
        tasks = [*self._tasks, *(task for task in (self._renewing, self._finding) if task is not None)]
        self._stop()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.to_thread(self.gallery.close)

    # ---- what viewers are told

    def whole(self, viewer: Viewer) -> Iterable[str]:
        """What a browser lacks. It is greeted first, and answers with the version that it has."""
        if not viewer.is_greeted:
            viewer.is_greeted = True
            yield json.dumps({"is": "hello", "edition": self.edition})
            return
        if self.version:
            yield self._message(viewer.since)
        viewer.since = 0  # whoever falls behind later gets everything
        yield self._state_message()
        yield from self.gallery.whole()

    def whole_game(self, slot: str) -> Iterable[str]:
        """What somebody is told who begins to watch a game."""
        yield self._state_message()
        yield from self.gallery.whole_game(slot)

    def catch_up(self, viewer: Viewer, asked: dict[str, Any]) -> None:
        """A browser says what it has."""
        version, edition = asked.get("version"), asked.get("edition")
        is_ours = edition == self.edition and type(version) is int and 0 <= version <= self.version
        viewer.since = version if is_ours and type(version) is int else 0
        if viewer.listener is not None:
            viewer.listener.tell_anew()

    def _message(self, since: int) -> str:
        changed = ",".join(part.written for part in self.sections.values() if part.version > since)
        return f'{{"is":"sections","version":{self.version},"sections":[{changed}]}}'

    def _state_message(self) -> str:
        return json.dumps({"is": "state", "state": self._state})

    def _tell(self, text: str) -> None:
        for viewer in self.viewers:
            if viewer.listener is not None:
                viewer.listener.tell(text)

    # ---- following

    async def _follow(self) -> None:
        """Look, count, and have made anew what is due; nothing here waits for it to be made."""
        counted: object = None
        while True:
            pulse = await asyncio.to_thread(pulse_of, self.folder)
            self.gallery.is_running = pulse.is_running
            now = time.monotonic()
            if pulse.signature != counted:
                counted = pulse.signature
                self._tell(json.dumps({"is": "progress", "games": await asyncio.to_thread(_count, self.folder)}))
            if (pulse, self.strengths) != self._seen and now >= self._due and _is_free(self._renewing):
                self._renewing = asyncio.create_task(self._renew(pulse))
            if pulse.signature != self._strength_of and now >= self._strength_due and _is_free(self._finding):
                self._finding = asyncio.create_task(self._find_strength(pulse))
            await asyncio.sleep(LOOK_S)

    async def _renew(self, pulse: Pulse) -> None:
        """Make the sections, and tell those that changed."""
        seen, worked_s = (pulse, self.strengths), 0.0
        slots = len(self.gallery.playing) or len(await asyncio.to_thread(slots_of, self.folder))
        try:
            told: Told = await self.workers.page(
                first_page,
                str(self.folder),
                strength=self.strength,
                is_running=pulse.is_running,
                slots=slots,
                has_grades=self.has_grades,
            )
            worked_s = told.worked_s
            if told.is_whole:
                self._seen = seen
            self._state = "finished" if told.is_finished else "running" if pulse.is_running else "stopped"
            self._accept(told.sections)
        except LudusError as error:
            self._state = "waiting" if pulse.is_running else "unreadable"
            self._accept({"opening": card(element("h1", self.name), element("p", _sentence(error, self.folder)))})
        self._due = time.monotonic() + max(SHORTEST_REST_S, REST * worked_s)
        self.ready.set()

    def _accept(self, made: dict[str, str]) -> None:
        changed = {name: html for name, html in made.items() if self._html(name) != html}
        if not changed:
            return
        self.version += 1
        for name, html in changed.items():
            self.sections[name] = Section(html, json.dumps([name, html]), self.version)
        self._tell(self._message(self.version - 1))
        state = self._state_message()
        self._tell(state)
        self.gallery.tell_watchers(state)

    def _html(self, name: str) -> str:
        return self.sections[name].html if name in self.sections else ""

    async def _find_strength(self, pulse: Pulse) -> None:
        worked_s = 0.0
        with suppress(LudusError):  # whoever looks is told by the sections
            self.strength = await self.workers.strength(strength_of, str(self.folder))
            worked_s = self.strength.worked_s
            self._strength_of = pulse.signature
            self.strengths += 1
        self._strength_due = time.monotonic() + max(SHORTEST_STRENGTH_S, REST * worked_s)


def _is_free(task: asyncio.Task[None] | None) -> bool:
    """Whether the work is done; a bug of ours in it is raised here."""
    if task is None or not task.done():
        return task is None
    task.result()
    return True


def _count(folder: Path) -> int:
    """How many games are stored, as far as that can be read."""
    try:
        with Store(folder) as store:
            return store.count()
    except (LudusError, sqlite3.Error):
        return 0


def _sentence(error: LudusError, folder: Path) -> str:
    """What went wrong, without the place of the folder on this machine."""
    return str(error).replace(str(folder), folder.name)

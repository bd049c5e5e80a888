"""Engine processes for pages: no more at a time than the machine bears, in the order in which they were asked for."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable

from aiohttp import web

from ludus.agents.analysis import Analysis
from ludus.errors import AgentError
from ludus.rules import Game
from ludus.sittings.engine import Engine, Question
from ludus.web.settings import SETTINGS

Hear = Callable[[Analysis], None]
OnWait = Callable[[int], None]  # told one's place among those who wait, and 0 once it is one's turn


class Engines:
    """All engine processes of a server. One that does not think is ended as soon as somebody else needs its place."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._held: list[Lease] = []  # with a process, or about to get one
        self._waiting: deque[tuple[asyncio.Future[None], OnWait]] = deque()

    def lease(self, game: Game) -> Lease:
        return Lease(self, game)

    @property
    def process_ids(self) -> list[int]:
        engines = [lease.engine for lease in self._held]
        return [engine.process_id for engine in engines if engine is not None and engine.process_id is not None]

    async def close(self) -> None:
        for lease in list(self._held):
            await lease.close()

    async def _admit(self, lease: Lease, on_wait: OnWait) -> None:
        """Give a lease its place, once there is one."""
        while lease not in self._held:
            idle = next((other for other in self._held if not other.is_thinking), None)
            if len(self._held) >= self.most and idle is not None:
                await idle.drop()
            elif len(self._held) < self.most:
                self._held.append(lease)
            else:
                turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
                self._waiting.append((turn, on_wait))
                on_wait(len(self._waiting))
                try:
                    await turn
                except asyncio.CancelledError:
                    self._waiting = deque(one for one in self._waiting if one[0] is not turn)
                    self._next()  # it may have been this one's turn already
                    raise
        on_wait(0)

    def _next(self) -> None:
        """A place is free, or may be taken."""
        has_place = len(self._held) < self.most or any(not lease.is_thinking for lease in self._held)
        while has_place and self._waiting:
            turn, _ = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                break
        for number, (_, on_wait) in enumerate(self._waiting, 1):
            on_wait(number)

    def _leave(self, lease: Lease) -> None:
        if lease in self._held:
            self._held.remove(lease)
        self._next()


class Lease:
    """What one page has of the engines: a process of its own while it thinks, and after that until others need it."""

    def __init__(self, engines: Engines, game: Game) -> None:
        self.engines, self.game = engines, game
        self.engine: Engine | None = None
        self.is_closed = False
        self._thoughts = self._begun = 0  # at work, one of them in earnest, and ever begun

    @property
    def is_thinking(self) -> bool:
        return self._thoughts > 0

    async def think(
        self, question: Question, *, hear: Hear = lambda analysis: None, on_wait: OnWait = lambda before: None
    ) -> Analysis:
        """What is known in the end; `hear` is called on the loop. Whoever cancels this stops the search.

        Whoever thinks anew ends what was thought before.
        """
        if self.is_closed:
            raise AgentError("this analysis is closed")
        await self.engines._admit(self, on_wait)
        self._thoughts, self._begun = self._thoughts + 1, self._begun + 1
        number, loop = self._begun, asyncio.get_running_loop()
        try:
            if self.engine is None or not self.engine.is_alive:
                self.engine = Engine(self.game)
            engine = self.engine
            thinking = engine.think(question, lambda found: _told(loop, hear, found))
            try:
                return await asyncio.wrap_future(thinking)
            finally:
                if not thinking.done() and number == self._begun:
                    engine.stop()
        finally:
            self._thoughts -= 1
            self.engines._next()

    async def drop(self) -> None:
        """End the process; the next thought gets another one."""
        engine, self.engine = self.engine, None
        self.engines._leave(self)
        if engine is not None:
            engine.end()  # at once: a page that goes may cancel whatever waits here
            await asyncio.to_thread(engine.close)

    async def close(self) -> None:
        """Nothing of it is left."""
        self.is_closed = True
        await self.drop()


def _told(loop: asyncio.AbstractEventLoop, hear: Hear, found: Analysis) -> None:
    """From the engine's thread to the loop, which may be gone by now."""
    if not loop.is_closed():
        loop.call_soon_threadsafe(hear, found)


ENGINES = web.AppKey("engines", Engines)  # for boards and replays, which think long
ADVISERS = web.AppKey("advisers", Engines)  # for tables, whose hints take a second


async def engines_of(app: web.Application) -> AsyncIterator[None]:
    """A `cleanup_ctx` of the server, to come before those of whoever thinks."""
    limits = app[SETTINGS].limits
    app[ENGINES], app[ADVISERS] = Engines(limits.engines), Engines(limits.advisers)
    yield
    await app[ENGINES].close()
    await app[ADVISERS].close()


def waiting_sentence(place: int, most: int) -> str:
    """What somebody who waits for an engine is told."""
    running = "An analysis runs" if most == 1 else f"{most} analyses run"
    return f"{running} already; yours is {'next' if place == 1 else f'number {place} of those who wait'}."

"""Everybody who looks at one thing through sockets: told at once, and never waited for."""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from typing import Any

from aiohttp import WSCloseCode, WSMsgType, web

from ludus.web.security import socket_place
from ludus.web.settings import SETTINGS

MOST_WAITING = 32  # messages to a browser that does not read; then it gets everything anew once it does
HEARTBEAT_S = 25.0
PATIENCE_S = 5.0  # of rude messages in a row before the socket is closed
LISTENERS = web.AppKey("listeners", set["Listener"])
Message = dict[str, Any]


class Listener:
    """One browser's socket, and what is still to be sent there.

    Telling never waits. One that falls behind loses what was waiting, and is told `whole()` once it reads again.
    """

    def __init__(self, socket: web.WebSocketResponse, *, whole: Callable[[], Iterable[str]], rate: float) -> None:
        self.socket = socket
        self._whole, self._rate = whole, rate
        self._waiting: deque[str] = deque()
        self._is_behind = True  # to begin with, it knows nothing
        self._wake = asyncio.Event()
        self._wake.set()

    def tell(self, text: str) -> None:
        """A message, as JSON; the same text may be told to many."""
        if self._is_behind:
            return
        if len(self._waiting) >= MOST_WAITING:
            self._waiting.clear()
            self._is_behind = True
        else:
            self._waiting.append(text)
        self._wake.set()

    def tell_anew(self) -> None:
        """Everything from the beginning."""
        self._waiting.clear()
        self._is_behind = True
        self._wake.set()

    def complain(self, sentence: str) -> None:
        self.tell(json.dumps({"is": "error", "text": sentence}))

    async def messages(self) -> AsyncIterator[Message]:
        """What the browser asks for, each an object with a word "do"; anything else gets a complaint."""
        allowance, at = self._rate * PATIENCE_S, time.monotonic()
        async for message in self.socket:
            now = time.monotonic()
            allowance = min(self._rate * PATIENCE_S, allowance + self._rate * (now - at)) - 1
            at = now
            if allowance < 0:
                await self.socket.close(code=WSCloseCode.POLICY_VIOLATION, message=b"too many messages")
                return
            asked = _parsed(message.data) if message.type is WSMsgType.TEXT else None
            if asked is None:
                self.complain('a message is a JSON object with a word "do"')
            else:
                yield asked

    async def write(self) -> None:
        """Send what is told, until the socket ends."""
        while not self.socket.closed:
            await self._wake.wait()
            self._wake.clear()
            if self._is_behind:
                self._is_behind = False
                self._waiting.extend(self._whole())
            while self._waiting:
                await self.socket.send_str(self._waiting.popleft())


@asynccontextmanager
async def listening(request: web.Request, *, whole: Callable[[], Iterable[str]]) -> AsyncIterator[Listener]:
    """A socket within the limits, whose listener is told `whole()` first; it ends when the block does."""
    limits = request.app[SETTINGS].limits
    with socket_place(request) as has_place:
        if not has_place:
            raise web.HTTPServiceUnavailable(text="too many connections")
        socket = web.WebSocketResponse(heartbeat=HEARTBEAT_S, max_msg_size=limits.message_bytes, compress=False)
        await socket.prepare(request)
        listener = Listener(socket, whole=whole, rate=limits.messages_per_s)
        writing = asyncio.create_task(_written(listener))
        request.app[LISTENERS].add(listener)
        try:
            yield listener
        finally:
            request.app[LISTENERS].discard(listener)
            writing.cancel()
            with suppress(asyncio.CancelledError):
                await writing
            await socket.close()


async def close_all(app: web.Application) -> None:
    """Before the server ends, so that browsers notice at once."""
    going_away = (
        listener.socket.close(code=WSCloseCode.GOING_AWAY, message=b"the server ends") for listener in app[LISTENERS]
    )
    await asyncio.gather(*list(going_away), return_exceptions=True)


async def _written(listener: Listener) -> None:
    with suppress(ConnectionError):  # a browser that left
        await listener.write()


def _parsed(text: str) -> Message | None:
    try:
        asked = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return asked if isinstance(asked, dict) and isinstance(asked.get("do"), str) else None

"""A browser for tests of the server: a real socket, and what frames tell; it knows no more than board.js does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import ClientWebSocketResponse, WSMsgType
from aiohttp.test_utils import TestClient, TestServer

from ludus.web.server import make_app
from ludus.web.settings import Settings

PATIENCE_S = 150.0  # a machine that is busy may have to compile a search first


class Shown:
    """What a page shows after the frames it was told."""

    def __init__(self) -> None:
        self.layers: dict[str, dict[str, str]] = {}
        self.frame: dict[str, Any] = {}
        self.log: list[list[Any]] = []

    def show(self, frame: dict[str, Any]) -> None:
        if frame["full"]:
            self.layers = {}
        for layer, key in frame["del"]:
            del self.layers[layer][key]
        for layer, drawn in frame["set"].items():
            self.layers.setdefault(layer, {}).update(drawn)
        self.frame |= {name: value for name, value in frame.items() if name not in ("set", "del")}
        if "table" in frame:
            told = frame["table"]["log"]
            self.log = self.log[: told["from"]] + told["moves"]

    def drawn(self) -> dict[str, dict[str, str]]:
        return {layer: drawn for layer, drawn in self.layers.items() if drawn}


class Viewer(Shown):
    """A page with its socket."""

    def __init__(self, socket: ClientWebSocketResponse) -> None:
        super().__init__()
        self.socket = socket
        self.you: list[int] = []
        self.said: list[dict[str, Any]] = []  # messages that are no frames

    async def hear(self) -> dict[str, Any]:
        """The next message, whatever it is."""
        message = await asyncio.wait_for(self.socket.receive(), PATIENCE_S)
        assert message.type is WSMsgType.TEXT, message
        told: dict[str, Any] = json.loads(message.data)
        if told["is"] == "frame":
            self.show(told)
        elif told["is"] == "hello":
            self.you = told["you"]
        else:
            self.said.append(told)
        return told

    async def until(self, is_so: Any) -> None:
        """Listen until it is so, of this viewer."""
        while not self.frame or not is_so(self):
            await self.hear()

    async def ask(self, **message: Any) -> dict[str, Any]:
        """Ask, and hear the answer."""
        await self.socket.send_json(message)
        return await self.hear()

    async def play(self, move: int) -> None:
        await self.socket.send_json({"do": "move", "move": move, "ply": self.frame["ply"]})

    @property
    def moves(self) -> list[int]:
        return [move for move, *_ in self.frame["moves"]]


class Browser:
    """Somebody who comes to the server with a browser: requests have the origin of its own pages."""

    def __init__(self, client: TestClient[Any, Any]) -> None:
        self.client = client
        self.origin = {"Origin": f"http://{client.host}:{client.port}"}

    async def begin(self, **form: str) -> str:
        """A new game; the address of one's seat."""
        answer = await self.client.post("/play", data=form, headers=self.origin, allow_redirects=False)
        assert answer.status == 303, await answer.text()
        return answer.headers["Location"]

    async def post(self, address: str, **form: str) -> dict[str, Any]:
        headers = {**self.origin, "Accept": "application/json"}
        answer = await self.client.post(address, data=form, headers=headers)
        assert answer.status == 200, await answer.text()
        told: dict[str, Any] = await answer.json()
        return told

    @asynccontextmanager
    async def viewing(self, address: str) -> AsyncIterator[Viewer]:
        """A page of a table, by its address with or without a seat."""
        path, mark, query = address.partition("?")
        async with self.client.ws_connect(f"{path}/socket{mark}{query}", headers=self.origin) as socket:
            viewer = Viewer(socket)
            await viewer.until(lambda one: one.frame)
            yield viewer


@asynccontextmanager
async def browsing(settings: Settings | None = None) -> AsyncIterator[Browser]:
    """A server of its own, and a browser there."""
    async with TestClient(TestServer(make_app(settings or Settings()), host="127.0.0.1")) as client:
        yield Browser(client)


def run(test: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(test, 2 * PATIENCE_S))

"""What tests of pages share: a server of this process on a real port, and a client that comes from its own pages."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from typing import Any

from aiohttp import ClientWebSocketResponse
from aiohttp.test_utils import TestClient, TestServer

from ludus.web.server import make_app
from ludus.web.settings import Settings

PATIENCE_S = 300.0  # a machine with other work, and a search that is compiled first
Message = dict[str, Any]


class Visitor:
    """A browser without a screen."""

    def __init__(self, client: TestClient[Any, Any]) -> None:
        self.client, self.app = client, client.app
        self.headers = {"Origin": str(client.make_url("/")).rstrip("/")}

    async def get(self, path: str) -> tuple[int, str]:
        async with self.client.get(path, allow_redirects=False) as response:
            return response.status, await response.text()

    async def json(self, path: str) -> Any:
        async with self.client.get(path) as response:
            assert response.status == 200, await response.text()
            return await response.json()

    async def post(self, path: str, data: object) -> tuple[int, str, str]:
        """Status, text, and where it leads."""
        async with self.client.post(path, data=data, headers=self.headers, allow_redirects=False) as response:
            return response.status, await response.text(), response.headers.get("Location", "")

    def socket(self, path: str) -> AbstractAsyncContextManager[ClientWebSocketResponse]:
        return self.client.ws_connect(path, headers=self.headers)


async def hear(socket: ClientWebSocketResponse, is_it: Callable[[Message], bool]) -> Message:
    """The next message that is it; all before are passed over."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            message: Message = json.loads(await socket.receive_str())
            if is_it(message):
                return message


def visit(settings: Settings, steps: Callable[[Visitor], Coroutine[Any, Any, None]]) -> None:
    """Run the steps against a server, which ends after them."""

    async def whole() -> None:
        async with TestClient(TestServer(make_app(settings))) as client:
            await steps(Visitor(client))

    asyncio.run(whole())

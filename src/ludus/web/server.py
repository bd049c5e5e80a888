"""The server of `ludus serve`: one process and one loop that waits for nobody; whatever thinks does so elsewhere."""

from __future__ import annotations

import asyncio
import errno
import gzip
import hashlib
import mimetypes
import signal
import socket
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from aiohttp import web

from ludus.errors import LudusError
from ludus.reports.frame import board_css
from ludus.web import analyses, previews, replays, tables, tournaments
from ludus.web.audience import LISTENERS, close_all
from ludus.web.engine import engines_of
from ludus.web.security import SOCKETS, add_headers, guard, sentences
from ludus.web.settings import SETTINGS, Settings

STATIC = Path(__file__).parent / "static"
FEATURES = (tables, replays, analyses, tournaments, previews)


class Asset(NamedTuple):
    """A file that never changes while the server runs."""

    content: bytes
    squeezed: bytes
    kind: str
    tag: str


ASSETS = web.AppKey("assets", dict[str, Asset])


def make_app(settings: Settings) -> web.Application:
    """The whole server, for `serve` and for tests."""
    settings = settings.checked()
    app = web.Application(middlewares=[guard, sentences], client_max_size=settings.limits.post_bytes)
    app[SETTINGS] = settings
    app[SOCKETS] = Counter[str]()
    app[LISTENERS] = set()
    app[ASSETS] = {file.name: _asset(file.name, file.read_bytes()) for file in sorted(STATIC.iterdir())}
    app[ASSETS]["theme.css"] = _asset("theme.css", board_css().encode())
    app.cleanup_ctx.append(engines_of)
    app.on_response_prepare.append(add_headers)
    app.on_shutdown.append(close_all)
    app.router.add_get("/static/{name}", _static)
    app.router.add_get("/theme.css", _static)
    for feature in FEATURES:
        app.router.add_routes(list(feature.routes(app)))
    return app


def serve(
    settings: Settings, *, opened: Callable[[str], None], first_page: Callable[[web.Application], str] | None = None
) -> None:
    """Serve until interrupted; `opened` is told the address of the first page once it can be had.

    `first_page` may prepare something on the running server, such as a table, and gives its path.
    """
    asyncio.run(_serve(make_app(settings), opened, first_page))


async def _serve(
    app: web.Application, opened: Callable[[str], None], first_page: Callable[[web.Application], str] | None
) -> None:
    settings = app[SETTINGS]
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=2.0)
    await runner.setup()
    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    try:
        listener = _listener(settings)
        await web.SockSite(runner, listener).start()
        path = "/" if first_page is None else first_page(app)
        opened(address(replace(settings, port=listener.getsockname()[1]), path))
        await ended.wait()
    finally:
        await runner.cleanup()


def _listener(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        return socket.create_server((settings.host, settings.port), family=family, backlog=256)
    except OSError as error:
        reason = "another program listens there" if error.errno == errno.EADDRINUSE else error.strerror or str(error)
        raise LudusError(f"{settings.host}:{settings.port}: {reason}; see --port") from None


def address(settings: Settings, path: str = "/") -> str:
    """What a person opens in the browser."""
    host = "127.0.0.1" if settings.host in ("0.0.0.0", "::") else settings.host  # noqa: S104  # a comparison
    shown = f"[{host}]" if ":" in host else host
    token = "" if settings.token is None else f"{'&' if '?' in path else '?'}token={quote(settings.token, safe='')}"
    return f"http://{shown}:{settings.port}{path}{token}"


async def _static(request: web.Request) -> web.Response:
    """A file by its name; nothing is looked up on disk."""
    asset = request.app[ASSETS].get(request.match_info.get("name", "theme.css"))
    if asset is None:
        raise web.HTTPNotFound
    headers = {"ETag": f'"{asset.tag}"', "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if request.headers.get("If-None-Match") == headers["ETag"]:
        return web.Response(status=304, headers=headers)
    is_squeezed = "gzip" in request.headers.get("Accept-Encoding", "")
    if is_squeezed:
        headers["Content-Encoding"] = "gzip"
    headers["Content-Type"] = asset.kind
    return web.Response(body=asset.squeezed if is_squeezed else asset.content, headers=headers)


def _asset(name: str, content: bytes) -> Asset:
    kind = {".js": "text/javascript", ".css": "text/css"}.get(Path(name).suffix) or mimetypes.guess_type(name)[0]
    kind = kind or "application/octet-stream"
    full = f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
    return Asset(content, gzip.compress(content, mtime=0), full, hashlib.sha256(content).hexdigest()[:20])

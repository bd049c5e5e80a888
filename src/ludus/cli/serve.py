"""`ludus serve` and `ludus play --web`: the server, and its address in the browser."""

from __future__ import annotations

import argparse
import os
import secrets
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ludus.bots.entrants import AgentName, Entrant, HumanBeing
from ludus.bots.room import Room
from ludus.cli.match import open_room
from ludus.errors import LudusError
from ludus.events.event import plain_event
from ludus.rules import game_names, load_game
from ludus.sandbox.basic import Basic
from ludus.sandbox.process import Limits
from ludus.sittings.opponent import OpenRoom
from ludus.sittings.sitting import LIMIT_S, Agreement

if TYPE_CHECKING:
    from aiohttp import web

    from ludus.web.settings import Settings


def serve(arguments: argparse.Namespace) -> int:
    from ludus.web.settings import Settings, is_loopback  # noqa: PLC0415  # aiohttp is slow to import

    folder = None if arguments.folder is None else Path(arguments.folder)
    if folder is not None and not folder.is_dir():
        raise LudusError(f"{arguments.folder}: there is no such folder")
    token = arguments.token
    if token is None and not is_loopback(arguments.host):
        token = secrets.token_urlsafe(18)
    games = tuple(load_game(name) for name in arguments.game)
    settings = Settings(
        folder=folder,
        host=arguments.host,
        port=arguments.port,
        token=token,
        games=games,
        open_room=rooms(arguments.isolation),
    )
    run_server(settings, opens=arguments.open)
    return 0


def play_in_browser(arguments: argparse.Namespace, agreement: Agreement | None) -> int:
    """A server for this user alone, with the game of the command line on its first table."""
    from ludus.web.settings import Settings  # noqa: PLC0415
    from ludus.web.tables import first_table  # noqa: PLC0415

    own = () if agreement is None or agreement.game.name in game_names() else (agreement.game,)
    settings = Settings(port=arguments.port, games=own, open_room=rooms(arguments.isolation))
    run_server(settings, first_page=None if agreement is None else first_table(agreement), opens=True)
    return 0


def run_server(
    settings: Settings, *, first_page: Callable[[web.Application], str] | None = None, opens: bool = False
) -> None:
    """Serve until Ctrl-C; the address is printed, and opened where there is a browser."""
    from ludus.web.server import serve as serve_pages  # noqa: PLC0415

    def opened(address: str) -> None:
        sys.stdout.write(f"Ludus is at {address}\n")
        if settings.host in ("0.0.0.0", "::"):  # noqa: S104  # a comparison
            sys.stdout.write(f"From elsewhere: {address.replace('127.0.0.1', socket.gethostname(), 1)}\n")
        sys.stdout.write("Ctrl-C ends it.\n")
        sys.stdout.flush()
        if opens:
            open_browser(address)

    serve_pages(settings, opened=opened, first_page=first_page)


def open_browser(address: str) -> None:
    """Show a page where there is a screen; in its own thread, as some browsers only come back when they are closed."""
    has_screen = sys.platform in ("win32", "darwin") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if has_screen or os.environ.get("BROWSER"):
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def rooms(isolation: str | None) -> OpenRoom:
    """Bots are confined as well as this machine can, or as the person allows; agents of ours need no sandbox."""

    def room_for(entrant: Entrant) -> Room:
        if isinstance(entrant, AgentName | HumanBeing):
            return Room(Basic(), limits=Limits())
        return open_room(plain_event(load_game(game_names()[0]), limit_s=LIMIT_S), level=isolation)

    return room_for

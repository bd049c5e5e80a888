"""Browsers that visit a server, and what their pages did that they should not."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, WebError
from serving import Served

PATIENCE_MS = 60_000.0  # of a machine with a lot of other work
WIDE = {"width": 1200, "height": 800}
PHONE = {"width": 360, "height": 740}
SCREENS = Path(__file__).parents[2] / "build" / "screens"


class Visits:
    """Pages in browsers of their own, all watched: complaints on the console, errors, and where requests go."""

    def __init__(self, browser: Browser, served: Served) -> None:
        self.browser, self.served = browser, served
        self.contexts: list[BrowserContext] = []
        self.complaints: list[str] = []
        self.addresses: set[str] = set()  # hosts and ports that anything was asked of
        self.servers = [served]
        self.expected = re.compile("(?!)")  # complaints that a test provokes

    def open(self, path: str = "/", **looks: Any) -> Page:
        context = self.browser.new_context(
            **{"base_url": self.served.address, "viewport": WIDE, "reduced_motion": "reduce", **looks}
        )
        self.contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        context.on("console", self._console)
        context.on("weberror", self._error)
        context.on("request", lambda request: self._asked(request.url))
        context.on("page", lambda page: page.on("websocket", lambda socket: self._asked(socket.url)))
        page = context.new_page()
        page.goto(path)
        return page

    def close(self) -> None:
        for context in self.contexts:
            context.close()

    def require_peace(self) -> None:
        assert self.addresses <= {urlsplit(server.address).netloc for server in self.servers}
        assert not [complaint for complaint in self.complaints if not self.expected.search(complaint)]

    def _asked(self, address: str) -> None:
        if not address.startswith(("data:", "blob:")):
            self.addresses.add(urlsplit(address).netloc)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.type}: {message.text}")

    def _error(self, error: WebError) -> None:
        self.complaints.append(f"error: {error.error}")


def keep_screen(page: Page, name: str) -> None:
    """A screenshot of the whole page, for people to look at."""
    SCREENS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENS / f"{name}.png", full_page=True, animations="disabled")

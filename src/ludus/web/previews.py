"""`ludus preview`: a game while it is written, drawn three ways in one page that follows the file.

The rules run in processes of their own (`Rehearsal`): one that plays, and for a moment one that checks. A save starts
a new one, and only when that has drawn its board does the old one go; so the last good board stays, and stays playable.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from random import SystemRandom
from typing import Any

from aiohttp import web

from ludus.reports.markup import Markup, element, joined
from ludus.web.audience import Listener, Message, listening
from ludus.web.pages import page
from ludus.web.rehearsal import Rehearsal
from ludus.web.rehearsing import LONGEST, Answer, Seen, look
from ludus.web.settings import SETTINGS

POLL_S = 0.2  # between two looks at the files
SETTLING_S = 0.08  # editors write a file in several steps
MOST_OPTIONS, LONGEST_OPTION, LONGEST_KEY = 40, 20_000, 200


class Preview:
    """The rules file, the position that is shown of it, and everybody who looks on."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.options: dict[str, Any] = {}
        self.moves: list[str] = []
        self.position: Answer | None = None  # the last good board
        self.wrong = {"file": "", "play": "", "check": ""}  # what each last said, where it did not go well
        self.checked = ""
        self.is_loading = True
        self.listeners: set[Listener] = set()
        self._rehearsal: Rehearsal | None = None
        self._seen: Seen = {str(path): None}  # the files as they were when they were last loaded
        self._reloading: asyncio.Task[None] | None = None
        self._acting = asyncio.Lock()
        self._loaded = asyncio.Event()

    @property
    def name(self) -> str:
        """Of the file; many a rules.py is told apart by its folder."""
        return f"{self.path.parent.name}/{self.path.name}" if self.path.name == "rules.py" else self.path.name

    # ---- what pages are told

    def whole(self) -> list[str]:
        """All there is to know, for a page that knows nothing."""
        position = [] if self.position is None else [self._position_message(self.position["frame"])]
        return [*position, self._state_message()]

    def _position_message(self, frame: dict[str, Any]) -> str:
        assert self.position is not None
        told = {key: value for key, value in self.position.items() if key not in ("frame", "change", "given")}
        return json.dumps({"is": "position", **told, "frame": frame})

    def _state_message(self) -> str:
        complaint = next((sentence for sentence in self.wrong.values() if sentence), "")
        is_stale = bool(self.wrong["file"]) and self.position is not None
        state = {"complaint": complaint, "checked": self.checked, "is_loading": self.is_loading, "is_stale": is_stale}
        return json.dumps({"is": "state", "file": self.name, **state})

    def _tell(self, text: str) -> None:
        for listener in self.listeners:
            listener.tell(text)

    def _show(self, answer: Answer) -> None:
        self.position, self.moves, self.options = answer, answer["moves"], answer["given"]
        self._tell(self._position_message(answer["change"] or answer["frame"]))

    # ---- the file

    async def follow(self) -> None:
        """Load the rules now and whenever one of their files changes."""
        self._seen = await self._look()
        await self._reload_anew()
        while True:
            await asyncio.sleep(POLL_S)
            now = await self._look()
            if not any(now[file] != seen for file, seen in self._seen.items() if file in now):
                continue
            while (later := await self._look(after_s=SETTLING_S)) != now:
                now = later
            self._seen = {**self._seen, **now}
            await self._reload_anew()

    async def _look(self, *, after_s: float = 0.0) -> Seen:
        await asyncio.sleep(after_s)
        return await asyncio.to_thread(look, list(self._seen))

    async def _reload_anew(self, *, said: str = "") -> None:
        """What an older state of the file still does is no longer of interest; `said` is what a move did just now."""
        await self._stop_reloading()
        self._loaded.clear()
        self._reloading = asyncio.create_task(self._reload(said))

    async def _stop_reloading(self) -> None:
        if self._reloading is not None:
            self._reloading.cancel()
            await asyncio.wait([self._reloading])

    async def _reload(self, said: str) -> None:
        self.is_loading, self.checked = True, ""
        self._tell(self._state_message())
        try:
            await self._load(said)
        finally:
            self._loaded.set()
        self.is_loading = False
        self._tell(self._state_message())
        if not self.wrong["file"]:
            await self._check()

    async def _load(self, said: str) -> None:
        """A new process shows the position as far as it still exists, and then takes the place of the old one."""
        new = Rehearsal(self.path)
        try:
            while True:
                moves, options = self.moves, self.options
                show = {"do": "show", "options": options, "moves": moves, "is_lenient": True}
                answer = await new.ask(show)
                if (moves, options) == (self.moves, self.options):
                    break  # nobody moved on the old board meanwhile
        except asyncio.CancelledError:
            await new.close()
            raise
        self._seen = {**self._seen, **new.files}
        if "frame" in answer:
            self._seen = new.files
            self.wrong = {"file": "", "play": said, "check": ""}
            old, self._rehearsal = self._rehearsal, new
            self._show({**answer, "change": None})
        else:
            self.wrong["file"] = answer["complaint"]
            old = new
        if old is not None:
            await old.close()

    async def _check(self) -> None:
        checker = Rehearsal(self.path)
        try:
            answer = await checker.ask({"do": "check", "options": self.options})
        finally:
            await checker.close()
        self.wrong["check"] = answer.get("complaint") or answer.get("refusal") or ""
        self.checked = answer.get("checked", "")
        self._tell(self._state_message())

    # ---- the people

    async def act(self, asked: Message, listener: Listener) -> None:
        """Do what a page asks for; whatever the rules make of it, the position stays a good one."""
        request = request_of(asked, ply=len(self.moves))
        if request is None:
            listener.complain("this page asked for something that cannot be done here")
            return
        async with self._acting:
            rehearsal = self._rehearsal
            if rehearsal is None:
                listener.complain("there is no board yet")
                return
            answer = await rehearsal.ask(request)
            if rehearsal is not self._rehearsal:
                return  # the file was saved meanwhile, and all is new
            if "frame" in answer:
                self.wrong["play"] = ""
                self._show(answer)
            elif "complaint" in answer:
                self.wrong["play"] = answer["complaint"]
            else:
                listener.tell(json.dumps({"is": "say", "text": answer.get("why") or answer["refusal"]}))
            self._tell(self._state_message())
            if not rehearsal.is_alive:  # begin again where it was, with a process that can be asked
                await self._reload_anew(said=self.wrong["play"])
                await self._loaded.wait()

    async def close(self) -> None:
        await self._stop_reloading()
        if self._rehearsal is not None:
            await self._rehearsal.close()


def request_of(asked: Message, *, ply: int) -> dict[str, Any] | None:
    """A page's message as a question to the rules; None of one that makes no sense at this ply."""
    match asked:
        case {"do": "move", "move": int(move), "ply": int(at)} if at == ply and type(move) is int:
            return {"do": "play", "move": move}
        case {"do": "why", "key": str(key)} if len(key) <= LONGEST_KEY:
            return {"do": "why", "key": key}
        case {"do": "undo"}:
            return {"do": "back", "ply": ply - 1}
        case {"do": "goto", "ply": int(to)} if 0 <= to <= ply:
            return {"do": "back", "ply": int(to)}
        case {"do": "random", "count": int(count)} if 1 <= count <= LONGEST:
            return {"do": "random", "count": int(count), "seed": SystemRandom().randrange(1 << 32)}
        case {"do": "options", "options": dict(texts)} if len(texts) <= MOST_OPTIONS:
            if not all(isinstance(text, str) and len(text) <= LONGEST_OPTION for text in texts.values()):
                return None
            options = {name: _value(text) for name, text in texts.items() if text.strip()}
            return {"do": "show", "options": options, "moves": [], "is_lenient": False}
    return None


def _value(text: str) -> Any:
    """JSON where it is JSON, else the text itself; a page names no files."""
    try:
        return json.loads(text.lower() if text in ("True", "False") else text)
    except (ValueError, RecursionError):
        return text


# ---- the page


PREVIEW = web.AppKey("preview", Preview)
BUTTONS = (
    ("restart", "Start over", "Back to the first position"),
    ("undo", "Take back", "Take the last move back (u)"),
    ("random", "Random move", "Play one random move (r)"),
    ("finish", "Random game", "Play random moves to the end (e)"),
)


def routes(app: web.Application) -> Iterable[web.RouteDef]:
    path = app[SETTINGS].preview
    if path is None:
        return []
    app[PREVIEW] = Preview(path)
    app.cleanup_ctx.append(_following)
    return [web.get("/preview", _page), web.get("/preview/socket", _socket)]


async def _following(app: web.Application) -> AsyncIterator[None]:
    preview = app[PREVIEW]
    following = asyncio.create_task(preview.follow())
    yield
    following.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await following
    await preview.close()


async def _page(request: web.Request) -> web.Response:
    name = request.app[PREVIEW].name
    return page(f"Preview of {name}", _body(name), scripts=("preview.js",), wide=True)


def _body(name: str) -> Markup:
    buttons = [element("button", text, type="button", data_do=do, title=title) for do, text, title in BUTTONS]
    panes = [
        _pane("browser", "Browser", element("div", id="board")),
        _pane("terminal", "Terminal", element("pre", id="terminal", tabindex="0", aria_label="the board as text")),
        _pane("svg", "SVG", [Markup(f'<img id="svg-{theme}" class="{theme}" alt="">') for theme in ("light", "dark")]),
    ]
    return joined(
        element("link", rel="stylesheet", href="/static/preview.css"),
        element(
            "div",
            element("div", element("h1", name, id="title"), element("p", name, id="file"), class_="names"),
            element("p", "connecting", id="state", role="status"),
            class_="preview-head",
        ),
        element("p", id="complaint", role="alert", hidden=True),
        element("p", id="note", role="status", hidden=True),
        element("div", buttons, element("span", id="status", class_="status"), class_="bar"),
        element("form", id="options", class_="bar", hidden=True, aria_label="options of the game"),
        element("div", panes, class_="panes", id="panes"),
        element("section", element("h2", "Moves"), element("ol", id="moves"), class_="card moves"),
    )


def _pane(id: str, title: str, content: object) -> Markup:
    return element(
        "section",
        element("h2", title, id=f"{id}-title"),
        element("div", content, class_="scroll"),
        class_=f"card pane {id}",
        aria_labelledby=f"{id}-title",
    )


async def _socket(request: web.Request) -> web.WebSocketResponse:
    preview = request.app[PREVIEW]
    async with listening(request, whole=preview.whole) as listener:
        preview.listeners.add(listener)
        try:
            async for asked in listener.messages():
                await preview.act(asked, listener)
        finally:
            preview.listeners.discard(listener)
        return listener.socket

"""The analysis board: set any position, move for both sides, and let an engine run; the page and its socket."""

from __future__ import annotations

from collections.abc import Iterable

from aiohttp import web

from ludus.errors import LudusError
from ludus.reports.markup import Markup, element, joined, link
from ludus.view.canvas import printable
from ludus.web.audience import listening
from ludus.web.engine import ENGINES
from ludus.web.pages import page
from ludus.web.settings import SETTINGS, Settings
from ludus.web.starts import games_here
from ludus.web.study import USUAL_S, Study

SECONDS = (5.0, USUAL_S, 60.0, 300.0)


def routes(app: web.Application) -> Iterable[web.RouteDef]:
    return [web.get("/analyse", _page), web.get("/analyse/socket", _socket)]


async def _page(request: web.Request) -> web.Response:
    settings = request.app[SETTINGS]
    body = joined(
        element("link", rel="stylesheet", href="/static/studying.css"),
        element("h1", "Analysis", class_="unseen"),
        element(
            "div",
            element("div", element("i", ""), id="evaluation", class_="evaluation unknown", role="img"),
            element("div", id="board"),
            _beside(settings),
            class_="play",
            id="analysis",
        ),
        _position_form(),
    )
    return page("Analyse", body, scripts=["analysis.js"], active="Analyse", wide=True)


def _beside(settings: Settings) -> Markup:
    """The engine's panel, the moves, and the ways through them."""
    longest = settings.limits.analysis_s
    seconds = [
        element("option", f"{one:g} seconds", value=f"{one:g}", selected=one == USUAL_S)
        for one in SECONDS
        if one <= longest
    ]
    engine = element(
        "div",
        element("button", "Engine", type="button", id="engine", aria_pressed="false", title="stop and go (e)"),
        element("select", seconds, id="seconds", aria_label="how long a position is thought about"),
        class_="controls engine",
    )
    buttons = [
        element("button", sign, type="button", id=name, title=title, aria_label=title)
        for name, sign, title in (
            ("to-start", "|◀", "to the start (Home)"),
            ("back", "◀", "one move back (Page Up)"),
            ("forth", "▶", "one move on (Page Down)"),
            ("to-end", "▶|", "to the end (End)"),
            ("copy", "Link", "copy a link to this position"),
        )
    ]
    games = [element("option", game.title, value=name) for name, game in games_here(settings).items()]
    chosen = element(
        "div",
        element("select", games, id="game", aria_label="game"),
        link("#setting", "Set up", class_="button", id="to-setting"),
        class_="controls engine",
    )
    return element(
        "aside",
        element("p", element("i", class_="dot", id="state"), element("span", id="status"), class_="status"),
        chosen,
        engine,
        element(
            "div",
            element("p", element("b", "", id="words"), element("span", "", id="kind", class_="kind"), class_="words"),
            element("ol", id="lines", class_="lines"),
            element("p", "", id="effort", class_="dim"),
            class_="advice",
            id="advice",
        ),
        element("ol", id="log", class_="log", tabindex="0", aria_label="moves"),
        element("div", id="graph", class_="graph", hidden=True),
        element("div", buttons, class_="controls"),
        element("p", id="message", class_="note", role="status"),
        class_="card",
        aria_label="analysis",
    )


def _position_form() -> Markup:
    start = element(
        "textarea",
        id="start",
        rows=5,
        spellcheck="false",
        placeholder="a board, KEY=VALUE lines, options as JSON, a record, or the fields of a State as JSON",
    )
    state = element("textarea", id="state-json", rows=3, readonly=True, spellcheck="false")
    return element(
        "form",
        element("h2", "Position"),
        element("label", element("span", "Start, typed or pasted"), start, class_="field"),
        element(
            "label",
            element("span", "Moves from there"),
            element("input", id="moves", autocomplete="off", placeholder="4,4 3,3"),
            class_="field",
        ),
        element("p", "", id="complaint", class_="bad", role="alert"),
        element("div", element("button", "Set", type="submit", class_="primary"), class_="controls"),
        element(
            "details",
            element("summary", "This position as a State"),
            element("label", element("span", "can be pasted above"), state, class_="field"),
        ),
        class_="card form setting",
        id="setting",
    )


async def _socket(request: web.Request) -> web.StreamResponse:
    study = Study(request.app[SETTINGS], request.app[ENGINES])
    async with listening(request, whole=study.whole) as listener:
        study.listener = listener
        try:
            async for asked in listener.messages():
                try:
                    await study.act(asked)
                except LudusError as error:
                    listener.complain(printable(str(error)))
        finally:
            await study.close()
        return listener.socket

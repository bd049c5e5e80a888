"""Tournaments in the browser, while they run and afterwards: the report that tells what changes, and live games.

The pages have the addresses of the static report, below /tournaments/NAME/, so that links of its sections fit.
"""

from __future__ import annotations

import asyncio
import re
import sqlite3
import tomllib
from collections.abc import AsyncIterator, Iterable
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from urllib.parse import quote, urlencode

from aiohttp import web

from ludus.errors import LudusError
from ludus.reports.frame import STATIC
from ludus.reports.markup import Markup, badge, card, element, heading, joined, link, table
from ludus.reports.sections_games import FILES
from ludus.rules import game_names
from ludus.tournament.folder import is_tournament, open_tournament
from ludus.tournament.live import SLOT
from ludus.tournament.pulse import pulse_of
from ludus.tournament.store import Store
from ludus.view.canvas import printable
from ludus.web import sections
from ludus.web.audience import listening
from ludus.web.following import Follower, Viewer, Workers
from ludus.web.pages import page
from ludus.web.settings import SETTINGS, Settings
from ludus.web.shelf import found_below, path_below

WORKERS = web.AppKey("workers", Workers)
FOLLOWERS = web.AppKey("followers", dict[str, Follower])
FIRST_S = 3.0  # that a page waits for its sections; then they come later
PARTS = ("bracket", "standings", "pools", "strength", "worth", "luck", "time", "failures", "identical", "files")
SHARED = {"report.css": "text/css", "pointing.js": "text/javascript"}  # that static reports have as well
NAME = "{name:.+?}"


def routes(app: web.Application) -> Iterable[web.RouteDef]:
    app[WORKERS] = Workers()
    app[FOLLOWERS] = {}
    app.cleanup_ctx.append(_prepared)
    at = f"/tournaments/{NAME}"
    return [
        web.get("/tournaments", _list),
        web.get("/tournaments/", _list),
        web.get(f"/tournaments/{{file:{'|'.join(map(re.escape, SHARED))}}}", _shared),
        web.get(f"{at}/live/{{slot}}/socket", _live_socket),  # before the other: a name may hold slashes
        web.get(f"{at}/socket", _socket),
        web.get(f"{at}/live/{{slot}}", _live),
        web.get(f"{at}/teams/{{team:[0-9]{{1,6}}}}.html", _team),
        web.get(f"{at}/games.html", _games),
        web.get(f"{at}/replay.html", _replay),
        web.get(f"{at}/grades/index.html", _grades),
        web.get(f"{at}/grades/{{team:[0-9]{{1,6}}}}.html", _grades),
        web.get(f"{at}/grades/{{file:grades[.]csv}}", _csv),
        web.get(f"{at}/{{file:[a-z]+[.]csv}}", _csv),
        web.get(f"{at}/", _page),
        web.get(at, _with_slash),
    ]


async def _prepared(app: web.Application) -> AsyncIterator[None]:
    """Where a folder is served, the processes get ready before anybody asks."""
    folder = app[SETTINGS].folder
    warming = asyncio.create_task(_warm(app[WORKERS], folder)) if folder is not None else None
    yield
    if warming is not None:
        warming.cancel()
        await asyncio.gather(warming, return_exceptions=True)
    await asyncio.gather(*(follower.close() for follower in app[FOLLOWERS].values()))
    await app[WORKERS].close()


async def _warm(workers: Workers, folder: Path) -> None:
    if any(found.is_tournament for found in await asyncio.to_thread(found_below, folder)):
        await workers.page(sections.get_ready)


# ---- which tournament


class Place(NamedTuple):
    """A tournament that is served: its name in addresses, its folder, and what replays call it."""

    name: str
    folder: Path
    below: str  # its path below the served folder; "." where it is that folder


def place_of(settings: Settings, name: str) -> Place | None:
    """The tournament of that name in the served folder, or nothing; a name never leads out of it."""
    if settings.folder is None:
        return None
    root = settings.folder.resolve()
    if is_tournament(root):
        return Place(root.name, root, ".") if name == root.name else None
    name = PurePosixPath(name).as_posix()  # one folder, one name
    try:
        folder = path_below(root, name)
    except LudusError:
        return None
    return Place(name, folder, name) if is_tournament(folder) else None


def require_known_rules(place: Place, settings: Settings) -> None:
    """Rules are code. Those of a tournament are run if they are ours, or if a person named them or its very folder."""
    if place.below == ".":
        return
    try:
        game = tomllib.loads(open_tournament(place.folder).kit.event).get("game")
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise LudusError(f"{place.name}: its event is not TOML: {error}") from None
    if game not in (*game_names(), *(one.name for one in settings.games)):
        sentence = "this tournament has rules of its own, which are a program; serve its own folder to run them"
        raise LudusError(f"{place.name}: {sentence}")


async def _follower(request: web.Request) -> tuple[Place, Follower]:
    settings, followers = request.app[SETTINGS], request.app[FOLLOWERS]
    place = await asyncio.to_thread(place_of, settings, request.match_info["name"])
    if place is None:
        raise web.HTTPNotFound
    if place.name not in followers:
        await asyncio.to_thread(require_known_rules, place, settings)
    if place.name not in followers:
        workers = request.app[WORKERS]
        followers[place.name] = Follower(place.name, place.folder, workers, has_grades=settings.is_local)
    return place, followers[place.name]


def _address(name: str) -> str:
    return f"/tournaments/{quote(name)}/"


# ---- the list


class Listed(NamedTuple):
    """A tournament in the list."""

    name: str
    title: str
    teams: int
    games: int
    is_running: bool


async def _list(request: web.Request) -> web.Response:
    folder = request.app[SETTINGS].folder
    found = [] if folder is None else await asyncio.to_thread(_listed, folder.resolve())
    if folder is not None and is_tournament(folder):
        raise web.HTTPFound(_address(folder.resolve().name))
    if not found:
        say = "There is no tournament here; `ludus serve FOLDER` shows those of a folder, while they run and later."
        body = card(heading("Tournaments", id="tournaments", level=1), element("p", say, class_="note"))
    else:
        rows = [_row(one) for one in found]
        head = ["Tournament", *(element("th", text, scope="col", class_="right") for text in ("Bots", "Games")), ""]
        body = card(heading("Tournaments", id="tournaments", level=1), table(head, rows, caption="Tournaments"))
    return _shown("Tournaments", body)


def _row(one: Listed) -> Markup:
    where = joined(link(_address(one.name), one.title), " ", element("small", one.name))
    numbers = [element("td", number, class_="right") for number in (one.teams, one.games)]
    state = element("td", badge("Live", "good live") if one.is_running else None, class_="right")
    return element("tr", element("th", where, scope="row"), *numbers, state)


def _listed(root: Path) -> list[Listed]:
    """The tournaments of a folder, those that run first; what cannot be read is left out."""
    listed = []
    for found in found_below(root):
        if not found.is_tournament or found.path == ".":
            continue
        folder = root / found.path
        try:
            kit = open_tournament(folder).kit
            title = str(tomllib.loads(kit.event).get("title") or kit.event_name)
            with Store(folder) as store:
                games = store.count()
        except (LudusError, sqlite3.Error, ValueError, RecursionError):
            continue
        listed.append(Listed(found.path, printable(title), len(kit.teams), games, pulse_of(folder).is_running))
    return sorted(listed, key=lambda one: not one.is_running)


# ---- the first page


async def _page(request: web.Request) -> web.Response:
    place, follower = await _follower(request)
    async with follower.looked_at():
        with suppress(TimeoutError):  # then they come through the socket
            await asyncio.wait_for(follower.ready.wait(), FIRST_S)
    known = follower.sections
    if not known:
        waiting = card(element("h1", place.name), element("p", "The games are being read …", class_="note"))
        drawn = {"opening": str(waiting)}
    else:
        drawn = {name: part.html for name, part in known.items()}
    content = [
        element("p", "", id="connection", class_="connection", role="status", hidden=True),
        _section("opening", drawn),
        element("nav", _PLACES, class_="places", aria_label="parts of this page"),
        element(
            "section",
            heading("Now playing", id="now", note="a board leads to its game"),
            element("div", "", class_="boards"),
            element("p", "", class_="note", hidden=True),
            class_="card",
            id="playing",
            hidden=True,
        ),
        *(_section(name, drawn) for name in PARTS),
    ]
    body = element(
        "div",
        *content,
        id="tournament",
        class_="tournament",
        data_place=_address(place.name),
        data_edition=follower.edition,
        data_version=follower.version if known else 0,
    )
    return _shown(place.name, body, scripts=["tournament.js"])


_PLACES = [
    link("#standings", "Standings"),
    link("games.html", "Games"),
    link("#failures", "Failures"),
    link("#files", "Files"),
]


def _section(name: str, drawn: dict[str, str]) -> Markup:
    return element("div", Markup(drawn.get(name, "")), class_="section", data_section=name)


def _shown(title: str, body: str, *, scripts: Iterable[str] = ()) -> web.Response:
    """A page that looks like the report."""
    sheets = [
        element("link", rel="stylesheet", href=where) for where in ("/tournaments/report.css", "/static/tournament.css")
    ]
    pointing = element("script", "", src="/tournaments/pointing.js", defer=True)
    return page(title, joined(sheets, Markup(body), pointing), scripts=scripts, active="Tournaments")


async def _socket(request: web.Request) -> web.WebSocketResponse:
    _, follower = await _follower(request)
    viewer = Viewer()
    async with follower.looked_at(), listening(request, whole=lambda: follower.whole(viewer)) as listener:
        viewer.listener = listener
        follower.viewers.add(viewer)
        try:
            async for asked in listener.messages():
                if asked["do"] == "since":
                    follower.catch_up(viewer, asked)
                else:
                    listener.complain("a page of a tournament only looks on")
        finally:
            follower.viewers.discard(viewer)
    return listener.socket


# ---- a live game


async def _live(request: web.Request) -> web.Response:
    place, _ = await _follower(request)
    slot = request.match_info["slot"]
    if not SLOT.fullmatch(slot):
        raise web.HTTPNotFound
    seats = [
        element(
            "div",
            element("svg", "", class_="glyph ludus", viewbox="-60 -60 120 120", aria_hidden="true"),
            element("span", element("b", "", class_="who"), element("span", "", class_="sub"), class_="name"),
            element("span", "", class_="score"),
            element("span", "", class_="clock", title="this move, of its limit"),
            id=f"seat{seat}",
            class_="seat",
        )
        for seat in (1, 0)
    ]
    state = element("span", "", class_="dot lost", id="state", title="not connected")
    side = element(
        "aside",
        element("p", "", id="where"),
        element("p", state, element("span", "Waiting for a game …", id="status"), class_="status"),
        seats[0],
        element("ol", "", class_="log", id="log", tabindex="0", aria_label="moves"),
        seats[1],
        element("p", "", class_="note", id="note", role="status"),
        element("p", link(_address(place.name), "All of the tournament"), class_="note"),
        class_="card",
    )
    title = element("h1", f"Live games of {place.name}", class_="unseen")
    board = element("div", "", id="board")
    body = joined(
        element("link", rel="stylesheet", href="/static/tournament.css"),
        title,
        element("div", board, side, class_="play", id="watch", data_place=_address(place.name), data_slot=slot),
    )
    return page(f"Live – {place.name}", body, scripts=["watching.js"], active="Tournaments", wide=True)


async def _live_socket(request: web.Request) -> web.WebSocketResponse:
    _, follower = await _follower(request)
    slot = request.match_info["slot"]
    if not SLOT.fullmatch(slot):
        raise web.HTTPNotFound
    async with follower.looked_at(), listening(request, whole=lambda: follower.whole_game(slot)) as listener:
        with follower.gallery.watched(slot, listener):
            async for _asked in listener.messages():
                listener.complain("who watches a game only looks on")
    return listener.socket


# ---- the other pages of the report


async def _team(request: web.Request) -> web.Response:
    place, follower = await _follower(request)
    team = int(request.match_info["team"]) - 1
    found = await request.app[WORKERS].page(sections.team_page, str(place.folder), team, strength=follower.strength)
    if found is None:
        raise web.HTTPNotFound
    name, cards = found
    return _shown(f"{printable(name)} – {place.name}", joined(_back("../", place), Markup(cards)))


async def _games(request: web.Request) -> web.Response:
    place, _ = await _follower(request)
    games = await request.app[WORKERS].page(sections.games_page, str(place.folder))
    return _shown(f"Games – {place.name}", joined(_back("./", place), Markup(games)))


async def _grades(request: web.Request) -> web.Response:
    """Marks are shown to nobody beyond this machine."""
    place, _ = await _follower(request)
    if not request.app[SETTINGS].is_local:
        raise web.HTTPNotFound
    team = request.match_info.get("team")
    wanted = None if team is None else int(team) - 1
    grades = await request.app[WORKERS].page(sections.grades_page, str(place.folder), wanted)
    if grades is None:
        raise web.HTTPNotFound
    return _shown(f"Grades – {place.name}", joined(_back("../", place), Markup(grades)))


async def _csv(request: web.Request) -> web.Response:
    place, _ = await _follower(request)
    name = request.match_info["file"]
    if name not in FILES or (name == "grades.csv" and not request.app[SETTINGS].is_local):
        raise web.HTTPNotFound
    content = await request.app[WORKERS].strength(sections.csv_file, str(place.folder), name)
    if content is None:
        raise web.HTTPNotFound
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return web.Response(body=content.encode(), content_type="text/csv", charset="utf-8", headers=headers)


async def _replay(request: web.Request) -> web.Response:
    """To the replay of a game; the browser carries the number of the ply along."""
    place, _ = await _follower(request)
    name = request.query.get("game", "")[:300]
    game = await request.app[WORKERS].page(sections.game_id, str(place.folder), name)
    if game is None:
        raise web.HTTPNotFound
    raise web.HTTPFound(f"/replay/game?{urlencode({'tournament': place.below, 'game': game})}")


async def _with_slash(request: web.Request) -> web.Response:
    place, _ = await _follower(request)
    raise web.HTTPFound(_address(place.name))


async def _shared(request: web.Request) -> web.Response:
    name = request.match_info["file"]
    response = web.Response(body=(STATIC / name).read_bytes(), content_type=SHARED[name], charset="utf-8")
    response.headers["Cache-Control"] = "no-cache"
    response.enable_compression()
    return response


def _back(where: str, place: Place) -> Markup:
    return element("p", link(where, f"← {place.name}"), class_="back")

"""Recorded games in the browser: lists of them, one of them ply by ply as an engine sees it, and playing on from it."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import AsyncIterator, Iterable, Mapping
from random import SystemRandom
from typing import Any
from urllib.parse import parse_qsl, urlencode

from aiohttp import web

from ludus.agents.levels import LEVELS
from ludus.bots.entrants import AgentName, HumanBeing
from ludus.errors import LudusError, RecordError
from ludus.picture import Seat
from ludus.records import Record, Replay, read_records
from ludus.reports.drawing import Artist
from ludus.reports.frame import STATIC
from ludus.reports.markup import Markup, element, joined, link
from ludus.reports.player import player
from ludus.reports.trace import player_names
from ludus.rules import Game
from ludus.sittings.sitting import LIMIT_S, Agreement
from ludus.view.canvas import printable
from ludus.view.scene import scene_of
from ludus.web import shelf
from ludus.web.audience import listening
from ludus.web.engine import ENGINES
from ludus.web.evaluation import Evaluations
from ludus.web.pages import page
from ludus.web.security import form_of
from ludus.web.settings import SETTINGS
from ludus.web.starts import begun
from ludus.web.tables import open_table, seat_address

KEPT = web.AppKey("kept", shelf.Kept)
EVALUATIONS = web.AppKey("evaluations", Evaluations)
LARGEST_UPLOAD = 4_000_000  # bytes
MOST_AT_ONCE = 32  # records of one upload
LONGEST_DOSSIER = 4000  # characters of each of its texts
USUAL_LEVEL = 5
SHARED = {"player.js": ("replay.js", "text/javascript"), "player.css": ("replay.css", "text/css")}


def routes(app: web.Application) -> Iterable[web.RouteDef]:
    app[KEPT] = shelf.Kept()
    app.cleanup_ctx.append(_prepared)
    return [
        web.get("/watch", _list),
        web.get("/replay", _list),
        web.get("/replay/", _list),
        web.post("/replay/records", _bring),
        web.get("/replay/game", _page),
        web.get("/replay/data", _data),
        web.get("/replay/evaluation", _evaluation),
        web.post("/replay/take-over", _take_over),
        web.get("/replay/{name:player[.](?:js|css)}", _shared),
    ]


def replay_address(query: Mapping[str, str], *, ply: int | None = None) -> str:
    """Where a game is shown: of file and record, or of tournament and game, with paths as below the served folder."""
    return f"/replay/game?{urlencode(query)}" + ("" if ply is None else f"#ply={ply}")


async def _prepared(app: web.Application) -> AsyncIterator[None]:
    app[EVALUATIONS] = Evaluations(app[ENGINES])
    yield


# ---- lists


async def _list(request: web.Request) -> web.Response:
    """What there is: of the folder, of a file or a tournament in it, or what was brought along."""
    folder, query = request.app[SETTINGS].folder, request.query
    if "file" in query:
        games = await asyncio.to_thread(shelf.games_of_file, folder, query["file"])
        return _games_page(query["file"], games)
    if "tournament" in query:
        games = await asyncio.to_thread(shelf.games_of_tournament, folder, query["tournament"])
        name = query["tournament"] if query["tournament"] != "." or folder is None else folder.resolve().name
        return _games_page(name, games)
    if "kept" in query:
        keys = query["kept"].split(",")[:MOST_AT_ONCE]
        games = [_shown(key, request.app[KEPT].record(key)) for key in keys]
        return _games_page("Records that you brought along", games)
    found = [] if folder is None else await asyncio.to_thread(shelf.found_below, folder)
    rows = [_row(one, "." if folder is None else folder.resolve().name) for one in found]
    nothing = "No folder is served: start with `ludus serve DIR`." if folder is None else "There are no records here."
    shown = element("ul", rows, class_="games") if rows else element("p", nothing, class_="dim")
    body = joined(
        element("h1", "Watch"),
        _style(),
        element("div", element("section", element("h2", "Recorded games"), shown, class_="card"), _bring_form(),
                class_="columns"),
    )  # fmt: skip
    return page("Watch", body, scripts=["bring.js"], active="Watch")


def _row(found: shelf.Found, root: str) -> Markup:
    """A file, the one game in it, or a tournament."""
    if found.only is not None:
        where, title, note = replay_address(found.only.query), found.only.title, f"{found.only.note} · {found.path}"
    else:
        where = f"/replay/?{urlencode({'tournament' if found.is_tournament else 'file': found.path})}"
        title = root if found.path == "." else found.path
        note = "a tournament" if found.is_tournament else "several records"
    return element("li", link(where, printable(title)), element("span", printable(note), class_="dim"))


def _games_page(title: str, games: list[shelf.Shown]) -> web.Response:
    rows = [
        element(
            "li",
            link(replay_address(game.query), game.title) if game.query else element("span", game.title),
            element("span", game.note, class_="dim"),
        )
        for game in games
    ]
    more = f"Only the first {shelf.MOST_GAMES} are listed." if len(games) >= shelf.MOST_GAMES else ""
    body = joined(
        element("h1", printable(title)),
        element("p", link("/replay/", "all records"), class_="dim"),
        element("section", element("ul", rows, class_="games"), element("p", more, class_="dim"), class_="card"),
    )
    return page(printable(title), body, active="Watch")


def _shown(key: str, record: Record) -> shelf.Shown:
    return shelf.Shown(shelf.title_of(record), shelf.note_of(record), {"kept": key})


def _bring_form() -> Markup:
    note = "A record stays in the memory of this server; nothing in it is run."
    return element(
        "section",
        element("h2", "A record of your own"),
        element("p", note, class_="dim"),
        element(
            "form",
            element(
                "label",
                element("span", "File"),
                element("input", type="file", id="record-file", accept=".json,.jsonl,.ndjson"),
                class_="field",
            ),
            element(
                "label",
                element("span", "or text"),
                element("textarea", id="record-text", rows=5, spellcheck="false", placeholder='{"format": "ludus-rec…'),
                class_="field",
            ),
            element("p", "", id="record-complaint", class_="bad", role="alert"),
            element("button", "Show", type="submit", class_="primary"),
            id="bring",
            class_="form",
        ),
        class_="card form",
    )


async def _bring(request: web.Request) -> web.Response:
    """Keep the records of a text, and say where they are shown."""
    content = bytearray()
    async for chunk in request.content.iter_chunked(1 << 16):
        content += chunk
        if len(content) > LARGEST_UPLOAD:
            sentence = f"a record of more than {LARGEST_UPLOAD // 1_000_000} megabytes is not taken"
            return web.json_response({"error": sentence}, status=413)
    try:
        records = await asyncio.to_thread(_read, bytes(content), request.app[SETTINGS].games)
    except LudusError as error:
        return web.json_response({"error": str(error)}, status=400)
    keys = [request.app[KEPT].keep(record) for record in records]
    where = replay_address({"kept": keys[0]}) if len(keys) == 1 else f"/replay/?{urlencode({'kept': ','.join(keys)})}"
    return web.json_response({"to": where})


def _read(content: bytes, games: tuple[Game, ...]) -> list[bytes]:
    """The records of a text, each in one line; the first that is none is a RecordError."""
    records = []
    for line, record in read_records(io.BytesIO(content)):
        if isinstance(record, RecordError):
            raise RecordError(f"line {line}: {record}" if line > 1 else str(record))
        shelf.played_through(record, games)
        records.append(record.to_json().encode())
        if len(records) == MOST_AT_ONCE:
            break
    return records


# ---- one game


def _style() -> Markup:
    return joined(
        element("link", rel="stylesheet", href="/replay/player.css"),
        element("link", rel="stylesheet", href="/static/studying.css"),
    )


async def _shared(request: web.Request) -> web.Response:
    """The files that reports have as well."""
    file, kind = SHARED[request.match_info["name"]]
    response = web.Response(body=(STATIC / file).read_bytes(), content_type=kind, charset="utf-8")
    response.headers["Cache-Control"] = "no-cache"
    response.enable_compression()
    return response


async def _game(request: web.Request, query: Mapping[str, str] | None = None) -> tuple[Record, Replay]:
    settings, kept = request.app[SETTINGS], request.app[KEPT]

    def found() -> tuple[Record, Replay]:
        record = shelf.record_of(request.query if query is None else query, settings.folder, kept)
        return record, shelf.played_through(record, settings.games)

    return await asyncio.to_thread(found)


async def _page(request: web.Request) -> web.Response:
    record, played = await _game(request)
    names = _names(record, played)
    query = urlencode(dict(request.query))
    seats = [seat.name for seat in _seats(played)]
    bar = element("div", element("i", ""), id="evaluation", class_="evaluation", role="img", aria_label="not known yet")
    graph = joined(element("div", "", id="values"), element("p", "", id="progress", class_="dim", aria_live="off"))
    body = joined(
        _style(),
        player(source=f"/replay/data?{query}", beside_board=bar, below_moves=graph),
        element(
            "div",
            element("section", element("h2", "Worst moves"), element("ol", "", id="worst"), class_="card"),
            _take_over_form(query, seats, names),
            element("section", element("h2", "Dossier"), element("dl", "", id="dossier"), class_="card",
                    id="dossier-card", hidden=True),
            class_="columns below",
        ),
        element("script", "", src="/replay/player.js", defer=True),
    )  # fmt: skip
    return page(" – ".join(names), body, scripts=["replaying.js"], active="Watch", wide=True)


def _take_over_form(query: str, seats: list[str], names: tuple[str, str]) -> Markup:
    levels = [
        element("option", f"level {number}", value=f"level:{number}", selected=number == USUAL_LEVEL)
        for number in range(1, len(LEVELS) + 1)
    ]
    mine = [
        element("option", f"{seat} ({name})" if name != seat else seat, value=str(number))
        for number, (seat, name) in enumerate(zip(seats, names, strict=True))
    ]
    return element(
        "section",
        element("h2", "Take over from here"),
        element("p", "Play on from the position that is shown.", class_="dim", id="take-over-note"),
        element(
            "form",
            element("input", type="hidden", name="query", value=query),
            element("input", type="hidden", name="ply", id="take-over-ply", value="0"),
            element(
                "label",
                element("span", "I play"),
                element("select", mine, name="seat", id="take-over-seat"),
                class_="field",
            ),
            element("label", element("span", "against"), element("select", levels, name="opponent"), class_="field"),
            element("button", "Take over", type="submit", class_="primary"),
            method="post",
            action="/replay/take-over",
            class_="take-over",
        ),
        element("p", link("/analyse", "Analyse this position", id="to-analysis")),
        class_="card form",
    )


async def _data(request: web.Request) -> web.Response:
    """The game as the player draws it, with the book of its looks."""
    record, played = await _game(request)
    text = await asyncio.to_thread(_drawn, record, played)
    response = web.Response(text=text, content_type="application/json")
    response.enable_compression()
    return response


def _drawn(record: Record, played: Replay) -> str:
    artist = Artist(played.game)
    drawn = artist.draw_played(record, played)
    points = record.more.get("points")
    has_points = isinstance(points, list) and len(points) == 2 and all(isinstance(one, int | float) for one in points)
    about = {
        "where": played.game.title,
        "players": list(_names(record, played)),
        "score": f"{points[0]:g} : {points[1]:g}" if has_points and isinstance(points, list) else "",
        "limit": _limit_ms(record),
        "dossier": dossier_of(record),
        "analysis": _analysis_query(record, played),
    }
    data = {"game": {**about, **drawn.data}, "book": artist.books[-1].as_json()}
    return json.dumps(data, separators=(",", ":"))


def _analysis_query(record: Record, played: Replay) -> str:
    """The start of this game, as the address of the analysis board says it."""
    options = played.game.instance(played.states[0], record.options)
    return urlencode({"game": played.game.name, "start": json.dumps(options, separators=(",", ":"))})


def _names(record: Record, played: Replay) -> tuple[str, str]:
    one, other = player_names(record)
    first, second = (seat.name for seat in _seats(played))
    return one or first, other or second


def _seats(played: Replay) -> tuple[Seat, Seat]:
    return scene_of(played.game, played.states[0]).view.seats


def _limit_ms(record: Record) -> float | None:
    time = record.more.get("time")
    limit_s = time.get("limit_s") if isinstance(time, dict) else None
    is_number = isinstance(limit_s, int | float) and not isinstance(limit_s, bool) and 0 < limit_s < 1e6
    return 1000 * float(limit_s) if is_number and limit_s is not None else None


def dossier_of(record: Record) -> list[tuple[str, str]]:
    """What the referee kept of a forfeit, as names and texts; everything in it is a stranger's."""
    dossier = record.more.get("dossier")
    if not isinstance(dossier, dict):
        return []
    told = [(key.replace("_", " "), dossier.get(key)) for key in ("exit_status", "traceback", "stderr", "stdout")]
    calls, clock = dossier.get("calls"), dossier.get("clock")
    if isinstance(calls, list) and calls:
        told.append(("calls", "\n".join(str(call)[:300] for call in calls[:20])))
    if isinstance(clock, dict):
        told.append(
            ("clock", ", ".join(f"{str(key)[:20]} {str(value)[:20]}" for key, value in list(clock.items())[:8]))
        )
    if isinstance(dossier.get("peak_memory_mb"), int | float):
        told.append(("memory", f"{dossier['peak_memory_mb']:.0f} MB at most"))
    return [(name, text[:LONGEST_DOSSIER]) for name, text in told if isinstance(text, str) and text.strip()]


async def _evaluation(request: web.Request) -> web.StreamResponse:
    """Tell the values of all positions as an engine finds them."""
    _, played = await _game(request)
    evaluation = request.app[EVALUATIONS].of(played)
    async with listening(request, whole=lambda: map(json.dumps, evaluation.known())) as listener:

        def tell(message: dict[str, Any]) -> None:
            listener.tell(json.dumps(message))

        evaluation.join(tell)
        try:
            async for _ in listener.messages():
                listener.complain("there is nothing to ask for here")
        finally:
            await evaluation.leave(tell)
        return listener.socket


async def _take_over(request: web.Request) -> web.Response:
    """A table with the game up to a ply, a person on one seat and an agent on the other."""
    form = await form_of(request)
    record, played = await _game(request, dict(parse_qsl(form.get("query", ""))))
    ply, seat = (_number(form.get(key, ""), most) for key, most in (("ply", len(played.moves)), ("seat", 1)))
    name = form.get("opponent", "")
    levels = [f"level:{number}" for number in range(1, len(LEVELS) + 1)]
    opponent = AgentName(name if name in levels else f"level:{USUAL_LEVEL}")
    person = HumanBeing("you")
    entrants = (person, opponent) if seat == 0 else (opponent, person)
    options = played.game.instance(played.states[0], record.options)
    agreement = Agreement(played.game, options, entrants, LIMIT_S, SystemRandom().randrange(1 << 32))
    sitting = await asyncio.to_thread(begun, agreement, played.moves[:ply])
    table = open_table(request, sitting, "machine")
    return web.Response(status=303, headers={"Location": seat_address(table, seat)})


def _number(text: str, most: int) -> int:
    """A whole number from 0 to `most`; whatever else was sent is the nearest."""
    return min(int(text), most) if text.isascii() and text.isdigit() and len(text) < 9 else 0

"""Tables at which games are played: opened by a form, reached by links, cleared when nobody uses them any more."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from random import SystemRandom

from aiohttp import web

from ludus.bots.entrants import HumanBeing
from ludus.errors import LudusError
from ludus.sittings.sitting import Agreement, Sitting
from ludus.view.scene import scene_of_line
from ludus.web.acting import act
from ludus.web.audience import Listener, listening
from ludus.web.engine import ADVISERS
from ludus.web.frames import Frame, changes, picture_of
from ludus.web.home import home_body, table_body
from ludus.web.pages import page
from ludus.web.security import client_of, form_of, wants_json
from ludus.web.settings import SETTINGS, Settings
from ludus.web.starts import Form, begun, board_option, chosen_game, chosen_start, opened
from ludus.web.table import Company, Table

TABLES = web.AppKey("tables", dict[str, Table])
SWEEP_S = 30.0
MOST_LISTED = 20
PATIENCE_S = 5.0  # until a page that was told to go has gone


def routes(app: web.Application) -> Iterable[web.RouteDef]:
    app[TABLES] = {}
    app.cleanup_ctx.append(_tidied)
    return [
        web.get("/", _home),
        web.post("/play", _new),
        web.post("/play/preview", _preview),
        web.get("/play/{table}", _page),
        web.get("/play/{table}/socket", _socket),
        web.get("/play/{table}/record", _record),
        web.get("/play/{table}/trace", _trace),
    ]


def open_table(request: web.Request, sitting: Sitting, company: Company) -> Table:
    """A new table for whoever asks, within the limits; it is begun."""
    return _placed(request.app, sitting, company, owner=client_of(request))


def _placed(app: web.Application, sitting: Sitting, company: Company, *, owner: str) -> Table:
    tables, settings = app[TABLES], app[SETTINGS]
    mine = [table for table in tables.values() if table.owner == owner]
    if len(mine) >= settings.limits.tables_per_client:
        _make_room(app, mine)
    elif len(tables) >= settings.limits.tables:
        _make_room(app, list(tables.values()))
    table = Table(sitting, company, settings, advisers=app[ADVISERS], owner=owner)
    tables[table.id] = table
    table.begin()
    return table


def first_table(agreement: Agreement) -> Callable[[web.Application], str]:
    """Opens a table for a game that was agreed on already; gives the path of its page."""

    def opened_there(app: web.Application) -> str:
        people = [seat for seat, entrant in enumerate(agreement.entrants) if isinstance(entrant, HumanBeing)]
        table = _placed(app, begun(agreement), "machine" if len(people) == 1 else "here", owner="127.0.0.1")
        return seat_address(table, people[0])

    return opened_there


def seat_address(table: Table, seat: int) -> str:
    """Where that seat is played from."""
    key = next(key for key, seats in table.keys.items() if seat in seats)
    return f"/play/{table.id}?seat={key}"


def _make_room(app: web.Application, tables: list[Table]) -> None:
    """Clear the table that was idle longest, if nobody looks at it."""
    idle = [table for table in tables if not table.viewers]
    if not idle:
        raise LudusError("there are too many games here already; end one of them first")
    oldest = min(idle, key=lambda table: table.used_at)
    _clear(app, oldest)


def _clear(app: web.Application, table: Table) -> None:
    app[TABLES].pop(table.id, None)
    closing = asyncio.create_task(table.close())
    CLOSING.add(closing)
    closing.add_done_callback(CLOSING.discard)


CLOSING: set[asyncio.Task[None]] = set()  # the loop itself holds tasks only weakly


async def _tidied(app: web.Application) -> AsyncIterator[None]:
    """Let idle tables rest or clear them from time to time, and all at the end."""
    sweeping = asyncio.create_task(_sweep(app))
    yield
    sweeping.cancel()
    with suppress(asyncio.CancelledError):
        await sweeping
    await asyncio.gather(*(table.close() for table in app[TABLES].values()), *CLOSING)


async def _sweep(app: web.Application) -> None:
    while True:
        await asyncio.sleep(SWEEP_S)
        limits, now = app[SETTINGS].limits, time.monotonic()
        for table in [table for table in app[TABLES].values() if not table.viewers]:
            if table.used_at < now - limits.idle_s:
                _clear(app, table)
            elif table.used_at < now - limits.rest_s and not table.is_resting:
                table.rest()


def _table(request: web.Request) -> Table:
    table = request.app[TABLES].get(request.match_info["table"])
    if table is None:
        raise web.HTTPNotFound
    return table


async def _home(request: web.Request) -> web.Response:
    tables = [table for table in request.app[TABLES].values() if not table.is_over]
    shown = sorted(tables, key=lambda table: -table.used_at)[:MOST_LISTED]
    return page("Play", home_body(request.app[SETTINGS], shown), scripts=["home.js"], active="Play")


async def _new(request: web.Request) -> web.Response:
    opening = await asyncio.to_thread(opened, await form_of(request), request.app[SETTINGS])
    table = open_table(request, opening.sitting, opening.company)
    where = seat_address(table, opening.seat)
    if wants_json(request):
        return web.json_response({"to": where})
    return web.Response(status=303, headers={"Location": where})


async def _preview(request: web.Request) -> web.Response:
    """What a form describes, before anybody plays it."""
    return web.json_response(await asyncio.to_thread(_previewed, await form_of(request), request.app[SETTINGS]))


def _previewed(form: Form, settings: Settings) -> Frame:
    game = chosen_game(form, settings)
    start = chosen_start(form, game)
    ply = len(start.line.moves)
    picture = picture_of(scene_of_line(game, start.line), may_move=True, ply=ply)
    board = board_option(game)
    told = {"board": start.options.get(board) if board else None, "played": list(map(game.move_name, start.line.moves))}
    return {**changes(None, picture), **told}


async def _page(request: web.Request) -> web.Response:
    table, key = _table(request), request.query.get("seat")
    known = key if table.seats_of(key) else None
    title = f"{table.sitting.game.title}: {' – '.join(table.sitting.names)}"
    return page(title, table_body(table, key=known), scripts=["play.js"], active="Play", wide=True)


async def _socket(request: web.Request) -> web.WebSocketResponse:
    table = request.app[TABLES].get(request.match_info["table"])
    if table is None:
        return await _gone(request)
    seats = table.seats_of(request.query.get("seat"))
    async with listening(request, whole=lambda: table.whole(seats)) as listener:
        table.join(listener, seats)
        try:
            async for asked in listener.messages():
                if asked["do"] == "rematch":
                    _rematch(request, table, listener)
                else:
                    act(table, listener, asked)
        finally:
            table.leave(listener)
    return listener.socket


async def _gone(request: web.Request) -> web.WebSocketResponse:
    """Tell a page that outlived its table, as after a restart; a refused socket would only try again."""
    async with listening(request, whole=lambda: [json.dumps({"is": "gone"})]) as listener:
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_S):
                async for _ in listener.messages():
                    pass
    return listener.socket


def _rematch(request: web.Request, table: Table, listener: Listener) -> None:
    """The same game once more with changed seats, for all who are here; who has a seat keeps it as a person."""
    if not table.viewers[listener]:
        listener.complain("You look on; only players can do that.")
        return
    if table.company == "link" and not table.is_over:
        listener.complain("The game goes on; somebody has to resign first.")
        return
    following = table.next_table
    if following is not None and following.id in request.app[TABLES]:
        listener.tell(_next_message(table, following, table.viewers[listener]))  # somebody asked first
        return
    try:
        following = table.next_table = _following(request, table)
    except LudusError as error:
        listener.complain(str(error))
        return
    for viewer, seats in table.viewers.items():
        viewer.tell(_next_message(table, following, seats))


def _next_message(table: Table, following: Table, seats: frozenset[int]) -> str:
    """Where those who have these seats go on: with the other one, or with both again."""
    address = f"/play/{following.id}"
    if seats:
        address = seat_address(following, 0 if table.company == "here" else 1 - next(iter(seats)))
    return json.dumps({"is": "next", "to": address})


def _following(request: web.Request, table: Table) -> Table:
    """On the same board, so that nobody has the better one twice."""
    agreement = table.sitting.agreement
    one, other = agreement.entrants
    changed = replace(agreement, entrants=(other, one), seed=SystemRandom().randrange(1 << 32))
    return open_table(request, begun(changed), table.company)


async def _record(request: web.Request) -> web.Response:
    table = _table(request)
    return _download(f"{table.sitting.game.name}.json", table.sitting.record().to_json() + "\n", "application/json")


async def _trace(request: web.Request) -> web.Response:
    table = _table(request)
    text = await asyncio.to_thread(table.sitting.trace)
    return _download(f"{table.sitting.game.name}-trace.txt", text, "text/plain")


def _download(name: str, text: str, kind: str) -> web.Response:
    plain = "".join(letter if letter.isalnum() or letter in ".-_" else "-" for letter in name if letter.isascii())
    headers = {"Content-Disposition": f'attachment; filename="{plain}"'}
    return web.Response(text=text, content_type=kind, headers=headers)

"""The pages for playing: the form of a new game, and the table at which one is played."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from ludus.agents.levels import LEVELS
from ludus.reports.markup import Markup, element, joined, link
from ludus.rules import Game
from ludus.web.settings import Settings
from ludus.web.starts import board_option, games_here
from ludus.web.table import Table

NOTES = {1: "mostly careless", 5: "plays well", len(LEVELS): "as strong as there is"}

USUAL_GAME = "ultimate"


def home_body(settings: Settings, tables: Iterable[Table]) -> Markup:
    """The form, and the games that can be watched."""
    games = games_here(settings)
    described = {name: _described(game) for name, game in games.items()}
    form = element(
        "form",
        element("div", _whom(settings, games), _start(), class_="columns"),
        element("p", "", id="complaint", class_="bad", role="alert"),
        method="post",
        action="/play",
        id="new",
        data_games=json.dumps(described),
    )
    return joined(element("h1", "New game"), form, _running(tables))


def _described(game: Game) -> dict[str, Any]:
    """What the form has to know of a game: its title, and its options."""
    board = board_option(game)
    options = [
        {"name": name, "kind": _kind(default), "default": "" if default is None else str(default)}
        for name, default in game.options.items()
        if name not in (board, "seed")
    ]
    return {"options": options, "board": board, "random": "seed" in game.options}


def _kind(default: object) -> str:
    return "flag" if isinstance(default, bool) else "number" if isinstance(default, int) else "text"


def _whom(settings: Settings, games: dict[str, Game]) -> Markup:
    levels = [
        (f"level:{number}", f"level {number}" + (f", {NOTES[number]}" if number in NOTES else ""))
        for number in range(1, len(LEVELS) + 1)
    ]
    people = [("here", "somebody beside me, at this browser"), ("link", "somebody elsewhere, through a link")]
    named = "a bot file or an agent by name …" if settings.is_local else "an agent by name …"
    opponents = [*levels, *people, ("named", named)]
    first = [("me", "me"), ("them", "the other one"), ("random", "a coin decides")]
    example = "./bot.py, best, mcts:time=1" if settings.is_local else "best, mcts, greedy"
    return element(
        "section",
        _field("Game", _select("game", [(name, game.title) for name, game in games.items()], chosen=USUAL_GAME)),
        _field("Against", _select("opponent", opponents, chosen="level:5")),
        _field("Which one", _input("who", placeholder=example), id="who-field", hidden=True),
        _field("Who begins", _select("first", first)),
        element(
            "div",
            _field("Your name", _input("name", placeholder="human", maxlength=40)),
            _field("Seconds a move", _input("limit", placeholder="5", inputmode="decimal")),
            class_="pair",
        ),
        element("div", id="options", class_="pair"),
        element("button", "Begin", type="submit", class_="primary"),
        class_="card form",
    )


def _start() -> Markup:
    note = "Click moves on the board to begin from a later position."
    typed = element(
        "textarea",
        name="start",
        id="start",
        rows=4,
        spellcheck="false",
        placeholder="a board, KEY=VALUE lines, JSON, or a record",
    )
    return element(
        "section",
        element("h2", "Start"),
        element("p", note, class_="dim", id="start-note"),
        element("div", id="preview"),
        element(
            "div",
            element("button", "Another board", type="button", id="again", hidden=True),
            element("button", "Take back", type="button", id="back", hidden=True),
            element("button", "From the beginning", type="button", id="clear", hidden=True),
            class_="controls",
        ),
        element(
            "details",
            element("summary", "Type or paste a start"),
            element("div", id="grid", hidden=True),
            _field("Board, options or record", typed),
            element(
                "div",
                _field("Moves so far", _input("moves", placeholder="4,4 3,3")),
                _field("Number of the random board", _input("seed", inputmode="numeric"), id="seed-field"),
                class_="pair",
            ),
        ),
        class_="card form",
    )


def _running(tables: Iterable[Table]) -> Markup | None:
    rows = [
        element(
            "li",
            link(f"/play/{table.id}", f"{table.sitting.game.title}: {' – '.join(table.sitting.names)}"),
            element("span", table.picture.status, class_="dim"),
        )
        for table in tables
    ]
    if not rows:
        return None
    return element("section", element("h2", "Games here"), element("ul", rows, class_="games"), class_="card")


def table_body(table: Table, *, key: str | None) -> Markup:
    """The board, and beside it everything about the game; a script fills it in."""
    seats = [_seat(seat) for seat in (1, 0)]
    buttons = [
        ("undo", "Undo", "take back (u)"),
        ("hint", "Hint", "show the best moves (h)"),
        ("bar", "Bar", "show who is ahead (e)"),
        ("resign", "Resign", "give up (r)"),
    ]
    controls = [element("button", text, type="button", id=name, title=title) for name, text, title in buttons]
    aside = element(
        "aside",
        element("p", element("i", class_="dot", id="state"), element("span", id="status"), class_="status"),
        seats[0],
        element("div", id="advice", class_="advice", hidden=True),
        element("ol", id="log", class_="log", tabindex="0", aria_label="moves so far"),
        element("div", id="graph", class_="graph", hidden=True),
        element("div", _steps(), class_="controls steps"),
        element("div", controls, class_="controls", id="controls"),
        _typed(),
        element("p", id="message", class_="note", role="status"),
        seats[1],
        element("div", _after(table), class_="controls more"),
        class_="card",
        aria_label="the game",
    )
    bar = element("div", element("i", ""), id="evaluation", class_="evaluation", role="img", hidden=True)
    return joined(
        element("h1", table.sitting.game.title, class_="unseen"),
        element(
            "div",
            bar,
            element("div", id="board"),
            aside,
            class_="play",
            id="play",
            data_table=table.id,
            data_game=table.sitting.game.name,
            data_start=json.dumps(table.sitting.agreement.options),
            data_seat=key,
            data_token=table.settings.token if key is not None else None,  # for links that players hand on
        ),
        _questions(table, key),
    )


def _steps() -> list[Markup]:
    """Ways to look back without taking back."""
    return [
        element("button", sign, type="button", id=name, title=title, aria_label=title, disabled=True)
        for name, sign, title in (
            ("to-start", "|◀", "look at the start (Home)"),
            ("back", "◀", "look one move back (, or left)"),
            ("forth", "▶", "look one move on (. or right)"),
            ("to-end", "▶|", "back to the game (End)"),
        )
    ]


def _seat(seat: int) -> Markup:
    return element(
        "div",
        element("svg", class_="ludus glyph", viewbox="-50 -50 100 100", aria_hidden="true"),
        element("div", element("b", class_="who"), element("span", class_="sub"), class_="name"),
        element("span", class_="score"),
        element("span", "0:00", class_="clock", role="timer"),
        class_="seat",
        id=f"seat{seat}",
    )


def _typed() -> Markup:
    field = element("input", name="move", autocomplete="off", placeholder="type a move", aria_label="type a move")
    return element("form", field, element("button", "Play", type="submit"), id="typed", class_="typed")


def _after(table: Table) -> Markup:
    return joined(
        element("button", "Rematch", type="button", id="rematch", title="the same board again, seats changed (n)"),
        element("a", "Record", id="record", download=True, class_="button", href=f"/play/{table.id}/record"),
        element("a", "Trace", id="trace", download=True, class_="button", href=f"/play/{table.id}/trace"),
        element(
            "a", "Analyse", id="analyse", class_="button", href="/analyse", title="this position, in a page of its own"
        ),
        element("button", "Links", type="button", id="links", title="to watch, or to play the other seat"),
    )


def _questions(table: Table, key: str | None) -> Markup:
    """Dialogs: which links there are, and whether somebody is sure."""
    seats = table.scene.view.seats
    links = [
        element("span", f"To play {seats[seat].name}", data_seat_link=f"/play/{table.id}?seat={other}", hidden=True)
        for other, places in table.keys.items()
        for seat in sorted(places)
        if key is not None and other != key
    ]
    return joined(
        element(
            "dialog",
            element("h2", "Links"),
            links,
            element("div", id="link-list"),
            element("form", element("button", "Close", value="", class_="primary"), method="dialog"),
            id="links-dialog",
            aria_label="links to this game",
        ),
        element(
            "dialog",
            element("p", id="question"),
            element(
                "form",
                element("button", "Yes", value="yes", class_="primary"),
                element("button", "No", value=""),
                method="dialog",
                class_="controls",
            ),
            id="question-dialog",
            aria_label="a question",
        ),
    )


def _field(label: str, control: Markup, **attributes: object) -> Markup:
    return element("label", element("span", label), control, class_="field", **attributes)


def _select(name: str, options: Iterable[tuple[str, str]], *, chosen: str = "") -> Markup:
    made = [element("option", text, value=value, selected=value == chosen) for value, text in options]
    return element("select", made, name=name, id=name)


def _input(name: str, **attributes: object) -> Markup:
    return element("input", name=name, id=name, autocomplete="off", **attributes)

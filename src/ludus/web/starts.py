"""What a form says about a new game: the game, its start, the opponent; every word of it checked. For the pages.

Nothing that is typed here is ever opened as a file, except a bot that a user of this very machine names.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from random import SystemRandom
from typing import Any, NamedTuple

from ludus.agents.levels import LEVELS
from ludus.agents.naming import KINDS, parse_agent
from ludus.bots.entrants import AgentName, Entrant, HumanBeing, parse_entrant
from ludus.errors import AgentError, GameNotFoundError, LudusError, OptionsError
from ludus.records import FORMAT, parse_record
from ludus.referee.series import drawn_options
from ludus.rules import Game, Line, follow, game_names, load_game
from ludus.sandbox.process import Spent
from ludus.sittings.sitting import Agreement, Sitting, agree
from ludus.view.canvas import printable
from ludus.web.settings import Settings
from ludus.web.table import Company

LONGEST_NAME, MOST_MOVES = 40, 5_000
Form = Mapping[str, Any]


class Start(NamedTuple):
    """Where a game begins: the options of its first position, and moves that were played from there."""

    options: dict[str, Any]
    line: Line


def games_here(settings: Settings) -> dict[str, Game]:
    """Every game that can be played on this server, by the name that forms use."""
    own = {game.name: game for game in settings.games}
    return {name: load_game(name) for name in game_names() if name not in own} | own


def chosen_game(form: Form, settings: Settings) -> Game:
    games, name = games_here(settings), _text(form, "game")
    if name not in games:
        raise GameNotFoundError(f"there is no game {name[:60]!r} here; the games are {', '.join(games)}")
    return games[name]


def chosen_start(form: Form, game: Game) -> Start:
    """The position that a form describes: fields of options, a text that was typed or pasted, and moves."""
    options = {
        name: _value(text)
        for name in game.options
        if (text := _text(form, f"option.{name}").strip()) and text != str(game.options[name])
    }
    pasted, moves = pasted_start(game, _text(form, "start"))
    moves += _text(form, "moves").replace(";", " ").split()
    if len(moves) > MOST_MOVES:
        raise OptionsError(f"there are {len(moves)} moves; {MOST_MOVES} is the most that a game may begin with")
    drawn = drawn_options(game, options | pasted, _seed(form))
    return Start(drawn, follow(game, game.start(**drawn), moves))


def pasted_start(game: Game, text: str) -> tuple[dict[str, Any], list[str]]:
    """Options and moves in a text: a record, a JSON object, lines of KEY=VALUE, or a board as people type it."""
    text = text.strip()
    if not text:
        return {}, []
    if text.startswith("{"):
        data = _object(text)
        if data.get("format") != FORMAT:
            return data, []
        record = parse_record(text)
        if record.game != game.name:
            raise OptionsError(f"this is a record of {record.game[:60]!r}, and the game is {game.name}")
        return record.options, list(record.moves)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if all("=" in line and line.partition("=")[0].strip().isidentifier() for line in lines):
        pairs = (line.partition("=") for line in lines)
        return {key.strip(): _value(value.strip()) for key, _, value in pairs}, []
    board = board_option(game)
    if board is None:
        raise OptionsError(f"{game.name} has no board to type; make its first moves instead, or paste a record")
    return {board: text}, []


def board_option(game: Game) -> str | None:
    """The option that is the board, for games that have one: rows of whole numbers."""
    try:
        described = game.instance(game.start(), {})
    except LudusError:
        return None
    return next((name for name, value in described.items() if name in game.options and is_board(value)), None)


def is_board(value: object) -> bool:
    rows = value if isinstance(value, list) and value else [None]
    return all(isinstance(row, list) and row and all(type(number) is int for number in row) for row in rows)


def chosen_company(form: Form, game: Game, settings: Settings) -> tuple[Company, Entrant]:
    """Who plays against the one who fills in the form."""
    who = _text(form, "opponent") or "level:5"
    if who == "here":
        return "here", HumanBeing(_name(form, "guest", "guest"))
    if who == "link":
        return "link", HumanBeing(_name(form, "guest", "guest"))
    if who == "named":
        who = _text(form, "who").strip()
    return "machine", _machine(who, game, settings)


def _machine(who: str, game: Game, settings: Settings) -> Entrant:
    entrant = parse_entrant(who, game) if settings.is_local else AgentName(who)
    if isinstance(entrant, HumanBeing):
        raise AgentError("a person plays here or through a link; this is for agents and bots")
    if isinstance(entrant, AgentName):
        kind, options = parse_agent(who)
        if options.get("mb", 0) > settings.limits.agent_mb:
            raise AgentError(f"an agent has at most {settings.limits.agent_mb} MB here, not {options['mb']}")
        if kind == "level" and not 1 <= options["number"] <= len(LEVELS):
            raise AgentError(f"there are levels from 1 to {len(LEVELS)}, and no level {options['number']}")
        if options and kind != "level" and not settings.is_local:
            raise AgentError(f"from elsewhere an agent is named without options: {', '.join(KINDS)}, or level:5")
    return entrant


class Opening(NamedTuple):
    """A game that is about to be played: at which seat whoever asked for it sits, and in which company."""

    sitting: Sitting
    seat: int
    company: Company


def opened(form: Form, settings: Settings) -> Opening:
    """The game that a form asks for."""
    game = chosen_game(form, settings)
    start = chosen_start(form, game)
    company, other = chosen_company(form, game, settings)
    first = _text(form, "first") if _text(form, "first") in ("me", "them", "random") else "me"
    seed, limit_s = SystemRandom().randrange(1 << 32), _limit_s(form, settings)
    agreement = agree(game, other, first=first, options=start.options, limit_s=limit_s, seed=seed)
    me, seat = HumanBeing(_name(form, "name", "human")), int(agreement.entrants[0] != HumanBeing())
    named = replace(agreement, entrants=(me, other) if seat == 0 else (other, me))
    return Opening(begun(named, start.line.moves), seat, company)


def begun(agreement: Agreement, moves: Iterable[int] = ()) -> Sitting:
    """A sitting in which moves were played already, in no time."""
    sitting = Sitting(agreement)
    for move in moves:
        sitting.play(move, Spent())
    return sitting


def _limit_s(form: Form, settings: Settings) -> float | None:
    text = _text(form, "limit").strip()
    if not text:
        return None
    try:
        limit_s = float(text)
    except ValueError:
        limit_s = -1.0
    if not 0.05 <= limit_s <= settings.limits.limit_s:
        raise OptionsError(f"a move takes from 0.05 to {settings.limits.limit_s:g} seconds, not {text[:20]!r}")
    return limit_s


def _seed(form: Form) -> int:
    text = _text(form, "seed").strip()
    if not text:
        return SystemRandom().randrange(1 << 32)
    if not text.isascii() or not text.isdigit() or len(text) > 18:
        raise OptionsError(f"the number of a random board is a whole number, not {text[:20]!r}")
    return int(text)


def _name(form: Form, field: str, otherwise: str) -> str:
    return printable(" ".join(_text(form, field).split()))[:LONGEST_NAME] or otherwise


def _text(form: Form, field: str) -> str:
    value = form.get(field, "")
    return value if isinstance(value, str) else ""


def _value(text: str) -> Any:
    """JSON where it is JSON, else the text itself."""
    try:
        return json.loads(text.lower() if text in ("True", "False") else text)
    except (ValueError, RecursionError):
        return text


def _object(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise OptionsError(f"this is not JSON: {str(error)[:80]}") from None
    if not isinstance(data, dict):
        raise OptionsError("a start in JSON is one object")
    return data

"""A position that somebody sets on the analysis board: a start, moves from it, or the fields of a State as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from random import SystemRandom
from typing import Any

from ludus.errors import OptionsError, PositionError
from ludus.referee.series import drawn_options
from ludus.rules import Game, Line, State, follow
from ludus.web.settings import Settings
from ludus.web.starts import MOST_MOVES, chosen_game, pasted_start
from ludus.web.states import safely_checked_state


@dataclass(frozen=True)
class Position:
    """A line of play with one of its positions looked at."""

    game: Game
    start: str  # as JSON: options of the game, or {"state": {...}}
    line: Line
    ply: int

    @property
    def state(self) -> State:
        return self.line.states[self.ply]

    @property
    def shown(self) -> Line:
        """The line up to the position that is looked at."""
        return Line(self.line.states[: self.ply + 1], self.line.moves[: self.ply])

    def at(self, ply: int) -> Position:
        return Position(self.game, self.start, self.line, max(0, min(ply, len(self.line.moves))))

    def after(self, move: int) -> Position:
        """The position after a legal move; another move than before is the end of what came after."""
        if self.line.moves[self.ply : self.ply + 1] == (move,):
            return self.at(self.ply + 1)
        states, moves = self.shown
        longer = Line((*states, self.game.play(self.state, move)), (*moves, move))
        return Position(self.game, self.start, longer, self.ply + 1)

    def names(self) -> list[str]:
        return [self.game.move_name(move) for move in self.line.moves]


def asked_position(asked: Mapping[str, Any], settings: Settings) -> Position:
    """The position that a message describes by game, start, moves and ply, or a LudusError."""
    game = chosen_game(asked, settings)
    text = asked.get("start", "")
    text = text.strip() if isinstance(text, str) else ""
    given = asked.get("moves", "")
    moves = given.replace(";", " ").split() if isinstance(given, str) else given
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise OptionsError("moves are names such as 4,4, with blanks between them")
    state = pasted_state(game, text)
    if state is None:
        options, first_moves = pasted_start(game, text)
        drawn = drawn_options(game, options, SystemRandom().randrange(1 << 32))
        start, told, moves = game.start(**drawn), json.dumps(drawn), [*first_moves, *moves]
    else:
        start, told = state, json.dumps({"state": dict(zip(game.module.State._fields, state, strict=True))})
    if len(moves) > MOST_MOVES:
        raise OptionsError(f"there are {len(moves)} moves; {MOST_MOVES} is the most that are set at once")
    line = follow(game, start, moves)
    ply = asked.get("ply")
    at = ply if type(ply) is int and 0 <= ply <= len(moves) else len(moves)
    return Position(game, told, line, at)


def pasted_state(game: Game, text: str) -> State | None:
    """The State whose fields a JSON text gives, as {"state": {...}} or bare; None where it is another text."""
    if not text.startswith("{"):
        return None
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None  # whoever reads it next says what is wrong
    fields = game.module.State._fields
    given = data.get("state") if isinstance(data, dict) and set(data) == {"state"} else data
    if isinstance(given, list) and len(given) == len(fields) and given is not data:
        given = dict(zip(fields, given, strict=True))
    if not isinstance(given, dict) or (given is data and set(given) != set(fields)):
        if given is not data:
            raise PositionError(f"a state of {game.name} has the fields {', '.join(fields)}"[:300])
        return None
    return safely_checked_state(game, given)

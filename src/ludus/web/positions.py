"""A position that somebody sets on the analysis board: a start, moves from it, or the fields of a State as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from random import SystemRandom
from typing import Any

from ludus.errors import LudusError, OptionsError, PositionError
from ludus.referee.series import drawn_options
from ludus.rules import Game, Line, State, follow
from ludus.view.scene import scene_of
from ludus.web.settings import Settings
from ludus.web.starts import MOST_MOVES, chosen_game, pasted_start

LARGEST_FIELD = (1 << 63) - 1


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
    return checked_state(game, given)


def checked_state(game: Game, given: Mapping[str, Any]) -> State:
    """The State of these fields, if play can go on from it; else a PositionError."""
    fields = game.module.State._fields
    wrong = sorted(set(fields) ^ set(given))
    if wrong:
        missing = f"lacks {wrong[0]}" if wrong[0] in fields else f"has no field {wrong[0][:30]!r}"
        raise PositionError(f"the state {missing}; its fields are {', '.join(fields)}"[:300])
    for name in fields:
        if type(given[name]) is not int or not 0 <= given[name] <= LARGEST_FIELD:
            shown = json.dumps(given[name])[:30]
            raise PositionError(f"{name} is {shown}; a whole number from 0 to 2**63 - 1 was expected")
    state: State = game.module.State(**{name: given[name] for name in fields})
    try:
        is_over = game.result(state) is not None
        legal = [] if is_over else game.legal(state)
        if is_over or not legal:
            raise PositionError("the game is over in this state" if is_over else "this state leaves no move")
        if game.turn(state) not in (0, 1) or legal[-1] >= game.move_limit:
            raise PositionError("the rules make nothing of this state: its turn or its moves are none")
        for move in legal:
            game.play(state, move)
        scene_of(game, state)
    except LudusError:
        raise
    except Exception as error:  # rules promise nothing for states that no play leads to
        raise PositionError(f"the rules do not know this state: {type(error).__name__}: {str(error)[:100]}") from None
    return state

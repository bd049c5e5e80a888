"""What somebody at a table may ask for, checked and done; a request that is wrong is told to nobody else."""

from __future__ import annotations

import json
import time

from ludus.errors import MoveError
from ludus.screens.picking import pick
from ludus.web.audience import Listener, Message
from ludus.web.table import Table

LONGEST_MOVE = 200  # characters of a move that is typed


def act(table: Table, listener: Listener, asked: Message) -> None:
    """Do what is asked for, if whoever listens there may."""
    table.used_at = time.monotonic()
    seats = table.viewers[listener]
    action = asked["do"]
    if action == "why":
        _explain(table, listener, asked.get("key"))
    elif action == "look":
        _look_back(table, listener, asked.get("ply"))
    elif action not in ACTIONS:
        listener.complain(f"there is nothing that is called {action[:20]!r}")
    elif not seats:
        listener.complain("You look on; only players can do that.")
    elif asked.get("ply", len(table.sitting.moves)) != len(table.sitting.moves):
        listener.tell_anew()  # a click on a board that is no longer there
    elif complaint := ACTIONS[action](table, seats, asked):
        listener.complain(complaint)


def _explain(table: Table, listener: Listener, key: object) -> None:
    """Why no move begins at an area."""
    if not isinstance(key, str) or key not in table.scene.view.areas():
        listener.complain("there is no such place on the board")
    elif not table.may_move(table.viewers[listener]):
        listener.complain(_whose_turn(table))
    else:
        complaint = pick(table.sitting.game, table.sitting.state, table.scene, (), key).complaint
        listener.tell(json.dumps({"is": "say", "text": complaint or "This is where a move may begin."}))


def _look_back(table: Table, listener: Listener, ply: object) -> None:
    """Show one browser how the board was after so many moves; from the last position on, all is told anew."""
    if type(ply) is int and 0 <= ply < len(table.sitting.moves):
        listener.tell(json.dumps({**table.earlier(ply), "is": "look"}))
    else:
        listener.tell_anew()


def _whose_turn(table: Table) -> str:
    turn = table.sitting.turn
    return "The game is over." if turn is None else f"It is the turn of {table.sitting.names[turn]}."


def _move(table: Table, seats: frozenset[int], asked: Message) -> str:
    sitting = table.sitting
    if not table.may_move(seats):
        return _whose_turn(table)
    text, move = asked.get("text"), asked.get("move")
    if text is None and type(move) is int and 0 <= move < sitting.game.move_limit:
        text = sitting.game.move_name(move)
    if not isinstance(text, str) or len(text) > LONGEST_MOVE:
        return "That is no move of this game."
    try:
        found = sitting.game.legal_move(sitting.state, text)
    except MoveError as error:
        return str(error)
    sitting.play(found)
    table.changed()
    return ""


def _undo(table: Table, seats: frozenset[int], _asked: Message) -> str:
    """At once, except where somebody elsewhere has a say in it."""
    if table.company != "link":
        return _take_back(table, None)
    (table.asking,) = seats
    table.publish()
    return ""


def _take_back(table: Table, seat: int | None) -> str:
    if not table.sitting.undo(seat):
        return "There is nothing to take back."
    table.chances = {ply: chance for ply, chance in table.chances.items() if ply <= len(table.sitting.moves)}
    table.changed()
    return ""


def _agree(table: Table, seats: frozenset[int], _asked: Message) -> str:
    if table.asking is None or table.asking in seats:
        return "Nobody asks you anything."
    seat, table.asking = table.asking, None
    complaint = _take_back(table, seat)
    table.publish()
    return complaint


def _refuse(table: Table, _seats: frozenset[int], _asked: Message) -> str:
    table.asking = None
    table.publish()
    return ""


def _resign(table: Table, seats: frozenset[int], _asked: Message) -> str:
    if table.is_over:
        return "The game is over."
    table.sitting.resign(next(iter(seats)) if len(seats) == 1 else None)
    table.changed()
    return ""


def _hint(table: Table, seats: frozenset[int], _asked: Message) -> str:
    """On, or off again."""
    if table.company == "link":
        return NO_ADVICE
    if not table.shows_hint and not table.may_move(seats):
        return _whose_turn(table)
    table.shows_hint = not table.shows_hint
    if table.shows_hint:
        table.sitting.hints += 1
        table.advise()
    table.publish(still=True)
    return ""


def _bar(table: Table, _seats: frozenset[int], _asked: Message) -> str:
    if table.company == "link":
        return NO_ADVICE
    table.shows_bar = not table.shows_bar
    if table.analysis is None:
        table.advise()
    table.publish(still=True)
    return ""


NO_ADVICE = "There is no advice in a game with somebody elsewhere."
ACTIONS = {
    "move": _move,
    "undo": _undo,
    "agree": _agree,
    "refuse": _refuse,
    "resign": _resign,
    "hint": _hint,
    "bar": _bar,
}

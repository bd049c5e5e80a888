"""What runs beside a bot's code, in its process: calls the bot in its own interface. Trusted by nobody.

A question is a line of JSON (what the bot cannot change), and a line of JSON that becomes the objects handed over.
The answer is a line of JSON, and the same objects as they are after the call, so that the referee can compare.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from types import ModuleType
from typing import Any

from ludus.bots.live_board import Board
from ludus.bots.plain import plain, to_json

Handler = Callable[[bytes], bytes]
CHANGED_BEYOND_JSON = "null"  # no board looks like this
LEAVES = frozenset((int, str, float, bool, type(None)))
REHEARSALS = 20  # after so many calls Python has settled on how to run a function

_parse = json.JSONDecoder().raw_decode


def rehearse() -> None:
    """Ask toy bots, in the process from which all bots are forked: Python makes code faster that has run before."""
    toy = ModuleType("toy")
    toy.play = toy.make_your_move = toy.choose = lambda *_: (0, 0)  # type: ignore[attr-defined]
    toy.Toy = type("Toy", (), {"move": lambda *_: (0, 0), "__module__": "toy"})  # type: ignore[attr-defined]
    board, blocks, previous = [[0] * 9] * 9, ["-"] * 9, [0, 0]
    state = {"options": {}, "seat": 0, "moves": ["0,0"], "legal": ["0,0"], "state": {"mover": 0}}
    _rehearse(play(toy), [[previous, 1], board])
    _rehearse(player_class(toy), [[previous, "x"], [board, blocks]])
    _rehearse(team_class(toy), [[previous, "x"], [board, [blocks]]])
    _rehearse(make_your_move(toy), [None, board])
    _rehearse(choose(toy), [None, [state, {"move_ms": 1.0, "bank_ms": 0.0}]])


def _rehearse(handle: Handler, asked: list[Any]) -> None:
    message = "\n".join(map(to_json, asked)).encode()
    for _ in range(REHEARSALS):
        handle(message)


def play(bot: ModuleType) -> Handler:
    """`play(board, prev_move, player)`."""
    function = _function(bot, "play", "play(board, prev_move, player)")

    def handle(message: bytes) -> bytes:
        (previous, player), board = _opened(message)
        return _closed(function(board, _cell(previous), player), board)

    return handle


def player_class(bot: ModuleType) -> Handler:
    """`class PlayerN` with `move(temp_board, temp_block, old_move, flag)`."""
    move = _method(bot, "Player", "move(self, temp_board, temp_block, old_move, flag)")

    def handle(message: bytes) -> bytes:
        (previous, flag), given = _opened(message)
        return _closed(move(given[0], given[1], _cell(previous), flag), given)

    return handle


def team_class(bot: ModuleType) -> Handler:
    """`class TeamN` with `move(board, old_move, flag)`, where the board is alive."""
    move = _method(bot, "Team", "move(self, board, old_move, flag)")

    def handle(message: bytes) -> bytes:
        (previous, flag), given = _opened(message)
        board = Board(*given)
        answer = move(board, _cell(previous), flag)
        looks = vars(board)
        is_as_made = type(board) is Board and set(looks) == {"board_status", "block_status"}
        return _closed(answer, [looks["board_status"], looks["block_status"]] if is_as_made else None)

    return handle


def make_your_move(bot: ModuleType) -> Handler:
    """`make_your_move(board)`."""
    function = _function(bot, "make_your_move", "make_your_move(board)")

    def handle(message: bytes) -> bytes:
        _, board = _opened(message)
        return _closed(function(board), board)

    return handle


def choose(bot: ModuleType) -> Handler:
    """`choose(state, clock)` on plain data, for any game."""
    function = _function(bot, "choose", "choose(state, clock)")

    def handle(message: bytes) -> bytes:
        _, given = _opened(message)
        return _closed(function(given[0], given[1]), given)

    return handle


def _function(bot: ModuleType, name: str, usage: str) -> Callable[..., Any]:
    found = getattr(bot, name, None)
    if not callable(found):
        raise TypeError(f"the file has no function {usage}")
    return found  # type: ignore[no-any-return]


def _method(bot: ModuleType, prefix: str, usage: str) -> Callable[..., Any]:
    """The method of the class PlayerN or TeamN, or of the only class that has one."""
    classes = [
        value
        for value in vars(bot).values()
        if isinstance(value, type) and value.__module__ == bot.__name__ and callable(getattr(value, "move", None))
    ]
    named = [found for found in classes if found.__name__.startswith(prefix)]
    candidates = named if len(named) == 1 else classes
    if not candidates:
        raise TypeError(f"the file has no class {prefix}N with {usage}")
    if len(candidates) > 1:
        names = ", ".join(found.__name__ for found in candidates[:4])
        raise TypeError(f"the file has several classes with a method move: {names}; one was expected")
    return candidates[0]().move  # type: ignore[no-any-return]


def _opened(message: bytes) -> tuple[Any, Any]:
    head, _, given = message.decode().partition("\n")
    return _parse(head)[0], _parse(given)[0]


def _closed(answer: object, given: Any) -> bytes:
    head = to_json(plain(answer))
    try:
        after = to_json(given) if _is_as_parsed(given) else CHANGED_BEYOND_JSON
    except (TypeError, ValueError, RecursionError):
        after = CHANGED_BEYOND_JSON
    return f"{head}\n{after}".encode()


def _is_as_parsed(value: Any) -> bool:
    """Whether every part is of a type that JSON gives: as text, a tuple in the place of a list looks the same."""
    if type(value) is list:
        return LEAVES.issuperset(map(type, value)) or all(map(_is_as_parsed, value))
    if type(value) is dict:
        return all(type(key) is str and _is_as_parsed(part) for key, part in value.items())
    return type(value) in LEAVES


def _cell(pair: list[int] | None) -> tuple[int, int] | None:
    return None if pair is None else (pair[0], pair[1])

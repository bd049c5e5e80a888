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

_from_json = json.loads


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
    head, _, given = message.partition(b"\n")
    return _from_json(head), _from_json(given)


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
        return all(type(part) in LEAVES or _is_as_parsed(part) for part in value)
    if type(value) is dict:
        return all(type(key) is str and _is_as_parsed(part) for key, part in value.items())
    return type(value) in LEAVES


def _cell(pair: list[int] | None) -> tuple[int, int] | None:
    return None if pair is None else (pair[0], pair[1])

"""The interfaces of games.md on the referee's side: a turn as the bot's arguments, the bot's answer as a move."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, NamedTuple

from ludus.bots.boards import nine_blocks, nine_by_nine, sixteen_blocks, sixteen_by_sixteen, three_by_three
from ludus.bots.plain import shown, to_json
from ludus.bots.player import Turn
from ludus.errors import BotError, MoveError
from ludus.games.nested.cells import row_and_column
from ludus.rules import Game

NONE_YET = [-1, -1]


class Interface(NamedTuple):
    """How a Python bot of one kind is called."""

    name: str
    usage: str  # what its file must hold
    games: tuple[str, ...]  # that it can play; none for all
    handed: tuple[str, ...]  # what the objects that it is handed are called
    question: Callable[[Turn], tuple[Any, Any]]  # what it is told, and the objects that it is handed
    answer: Callable[[Any], str]  # the text of the move that a plain answer means, or a MoveError

    @property
    def entry(self) -> str:
        """What calls the bot inside its process."""
        return f"ludus.bots.inside:{self.name.replace('-', '_')}"


def _play(turn: Turn) -> tuple[Any, Any]:
    return [_previous(turn, 3), turn.seat + 1], nine_by_nine(turn.state, (0, 1, 2))


def _player_class(turn: Turn) -> tuple[Any, Any]:
    given = [nine_by_nine(turn.state, ("-", "x", "o")), nine_blocks(turn.state)]
    return [_previous(turn, 3) or NONE_YET, "xo"[turn.seat]], given


def _team_class(turn: Turn) -> tuple[Any, Any]:
    given = [sixteen_by_sixteen(turn.state), sixteen_blocks(turn.state)]
    return [_previous(turn, 4) or NONE_YET, "xo"[turn.seat]], given


def _make_your_move(turn: Turn) -> tuple[Any, Any]:
    return None, three_by_three(turn.state)


def _choose(turn: Turn) -> tuple[Any, Any]:
    clock = {"move_ms": 1000 * turn.limit_s, "bank_ms": 1000 * turn.bank_s}
    return None, [described(turn), clock]


def described(turn: Turn) -> dict[str, Any]:
    """A turn as plain data, the same for `choose` and for programs that speak our protocol."""
    game = turn.game
    return {
        "game": game.name,
        "options": turn.options,
        "seat": turn.seat,
        "moves": [game.move_name(move) for move in turn.moves],
        "legal": [game.move_name(move) for move in game.legal(turn.state)],
        "state": dict(zip(game.module.State._fields, turn.state, strict=True)),
    }


def _pair(answer: Any) -> str:
    """Two whole numbers, as a tuple or a list."""
    items = answer.get("tuple") if isinstance(answer, dict) else answer
    if not isinstance(items, list) or len(items) != 2 or any(type(item) is not int for item in items):
        raise MoveError(f"the answer {shown(answer)} is no move; a tuple of two ints was expected")
    return f"{items[0]},{items[1]}"


def _tuple(answer: Any) -> str:
    """Two whole numbers as a tuple, and nothing else."""
    if isinstance(answer, list):
        raise MoveError(f"the answer {shown(answer)} is a list; a tuple of two ints was expected")
    return _pair(answer)


def _name(answer: Any) -> str:
    """The name of a move; two whole numbers are a name as well."""
    return answer if isinstance(answer, str) else _pair(answer)


INTERFACES = {
    interface.name: interface
    for interface in (
        Interface(
            "play", "play(board, prev_move, player)", ("ultimate", "ultimate-adjacent"), ("board",), _play, _pair
        ),
        Interface(
            "player-class",
            "class PlayerN with move(self, temp_board, temp_block, old_move, flag)",
            ("ultimate-adjacent", "ultimate"),
            ("temp_board", "temp_block"),
            _player_class,
            _tuple,
        ),
        Interface(
            "team-class",
            "class TeamN with move(self, board, old_move, flag)",
            ("extreme",),
            ("board.board_status", "board.block_status"),
            _team_class,
            _tuple,
        ),
        Interface("make-your-move", "make_your_move(board)", ("subtraction",), ("board",), _make_your_move, _pair),
        Interface("choose", "choose(state, clock)", (), ("state", "clock"), _choose, _name),
    )
}


def question(interface: Interface, turn: Turn) -> tuple[bytes, bytes]:
    """The message for the bot's process, and the part of it that must come back as it was."""
    told, given = interface.question(turn)
    handed_over = to_json(given).encode()
    return to_json(told).encode() + b"\n" + handed_over, handed_over


def fits(interface: Interface, game: Game) -> bool:
    return not interface.games or game.name in interface.games


def guess_interface(source: str, game: Game, *, file: str) -> Interface:
    """The interface that a file is written in, by what it defines; where nothing tells, our own."""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return INTERFACES["choose"]  # running it says where the mistake is
    functions = {node.name for node in body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    classes = [node for node in body if isinstance(node, ast.ClassDef)]
    has_move = any(isinstance(part, ast.FunctionDef) and part.name == "move" for node in classes for part in node.body)
    candidates = [
        *(["choose"] if "choose" in functions else []),
        *(["play"] if "play" in functions else []),
        *(["make-your-move"] if "make_your_move" in functions else []),
        *(["player-class", "team-class"] if has_move else []),
    ]
    for name in candidates:
        if fits(INTERFACES[name], game):
            return INTERFACES[name]
    if candidates:
        usable = " or ".join(i.usage for i in INTERFACES.values() if fits(i, game))
        raise BotError(f"{file}: {INTERFACES[candidates[0]].usage} cannot play {game.name}; {usable} was expected")
    return INTERFACES["choose"]


def _previous(turn: Turn, n: int) -> list[int] | None:
    return list(row_and_column(turn.moves[-1], n)) if turn.moves else None

"""Each interface of the events, from a turn to the bot's arguments and from its answer to a move, without a process."""

from __future__ import annotations

import importlib
import json
import random
from types import ModuleType
from typing import Any

import pytest

from ludus.bots.interfaces import INTERFACES, guess_interface, question
from ludus.bots.plain import plain, shown
from ludus.bots.player import Turn
from ludus.errors import BotError, MoveError
from ludus.games.nested.cells import row_and_column
from ludus.rules import Game, load_game, random_line

SEEN = """
seen = []
def play(board, prev_move, player):
    seen.append((board, prev_move, player))
    return answer
class Player7:
    def move(self, temp_board, temp_block, old_move, flag):
        seen.append((temp_board, temp_block, old_move, flag))
        return answer
def make_your_move(board):
    seen.append((board,))
    return answer
def choose(state, clock):
    seen.append((state, clock))
    return answer
"""


def turn_of(game: Game, seed: int, plies: int) -> Turn:
    line = random_line(game, game.start(), random.Random(seed), plies)
    state = line.states[-1]
    return Turn(game, game.instance(line.start, {}), state, line.moves, game.turn(state), 2.0, 2.0)


def called(interface: str, turn: Turn, answer: object) -> tuple[Any, str, bytes, bytes]:
    """What a bot saw, the text of its answer, and what it was handed before and after."""
    bot = ModuleType("bot")
    exec(compile(SEEN, "bot.py", "exec"), bot.__dict__)
    bot.answer = answer  # type: ignore[attr-defined]
    kind = INTERFACES[interface]
    module, _, function = kind.entry.partition(":")
    message, before = question(kind, turn)
    head, _, after = getattr(importlib.import_module(module), function)(bot)(message).partition(b"\n")
    return bot.seen[0], kind.answer(json.loads(head)), before, after  # type: ignore[attr-defined]


def test_play_sees_ints_and_the_previous_move() -> None:
    game = load_game("ultimate")
    (board, previous, player), text, before, after = called("play", turn_of(game, 1, 5), (3, 4))
    assert text == "3,4" and before == after
    assert player == 2 and isinstance(previous, tuple)
    assert sum(cell == 1 for row in board for cell in row) == 3
    assert sum(cell == 2 for row in board for cell in row) == 2
    assert called("play", turn_of(game, 1, 0), [3, 4])[0][1] is None


def test_player_class_sees_letters_and_blocks() -> None:
    game = load_game("ultimate-adjacent")
    for seed in range(30):
        turn = turn_of(game, seed, 60)
        if not game.legal(turn.state):
            continue
        (board, blocks, old, flag), text, before, after = called("player-class", turn, (0, 8))
        assert text == "0,8" and before == after
        assert flag == "xo"[turn.seat] and old == row_and_column(turn.moves[-1], 3)
        assert {cell for row in board for cell in row} <= set("-xo")
        for b, status in enumerate(blocks):
            cells = [board[3 * (b // 3) + i][3 * (b % 3) + j] for i in range(3) for j in range(3)]
            assert status == "-" or status in "xo" or (status == "D" and "-" not in cells)
    assert called("player-class", turn_of(game, 0, 0), (0, 0))[0][2] == (-1, -1)


def test_make_your_move_sees_the_numbers() -> None:
    game = load_game("subtraction")
    turn = turn_of(game, 3, 0)
    (board,), text, _, _ = called("make-your-move", turn, (5, 2))
    assert board == turn.options["board"] and text == "5,2"


@pytest.mark.parametrize("name", ["ultimate", "extreme", "slant", "subtraction"])
def test_choose_sees_plain_data_of_any_game(name: str) -> None:
    game = load_game(name)
    turn = turn_of(game, 2, 4)
    (state, clock), text, _, _ = called("choose", turn, "whatever it says")
    assert text == "whatever it says"
    assert state["legal"] == [game.move_name(m) for m in game.legal(turn.state)]
    assert state["moves"] == [game.move_name(m) for m in turn.moves]
    assert clock == {"move_ms": 2000.0, "bank_ms": 0.0}
    assert game.module.State(**state["state"]) == turn.state


@pytest.mark.parametrize(
    "answer",
    [None, 7, "3,4", (1,), (1, 2, 3), (1, True), (1.0, 2), ("1", "2"), {}, object(), (1 << 80, 0), ((1, 2), 3), b"ab"],
)
def test_what_is_no_pair_of_ints_is_no_move(answer: object) -> None:
    turn = turn_of(load_game("ultimate-adjacent"), 0, 3)
    for interface in ("play", "player-class"):
        with pytest.raises(MoveError, match="a tuple of two ints was expected"):
            called(interface, turn, answer)


def test_a_list_is_a_move_for_one_event_and_not_for_the_other() -> None:
    turn = turn_of(load_game("ultimate-adjacent"), 0, 3)
    assert called("play", turn, [1, 2])[1] == "1,2"
    with pytest.raises(MoveError):
        called("player-class", turn, [1, 2])


def test_ints_of_numpy_are_ints() -> None:
    numpy = pytest.importorskip("numpy")
    turn = turn_of(load_game("ultimate-adjacent"), 0, 3)
    assert called("player-class", turn, (numpy.int64(3), numpy.int8(4)))[1] == "3,4"


@pytest.mark.parametrize("change", ["board[0][0] = 1.0", "board[0][0] = True", "board.append(1)", "board[2] = None"])
def test_any_change_of_what_was_handed_over_shows(change: str) -> None:
    bot = ModuleType("bot")
    exec(f"def play(board, prev_move, player):\n    board[0][0] = 1; {change}\n    return 0, 0", bot.__dict__)
    turn = turn_of(load_game("ultimate"), 0, 0)
    message, before = question(INTERFACES["play"], turn)
    from ludus.bots import inside

    assert inside.play(bot)(message).partition(b"\n")[2] != before


def test_an_answer_is_shown_as_python_writes_it() -> None:
    for value in (None, 3, "a", [1, 2], (1, 2), (1,), True, ((1,), [2])):
        assert shown(plain(value)) == repr(value)
    assert shown(plain(object())) == "of type object"
    assert len(shown(plain("x" * 1000))) == 60


def test_the_interface_of_a_file_is_seen_in_its_source() -> None:
    ultimate, extreme = load_game("ultimate"), load_game("extreme")
    assert guess_interface("def play(a, b, c): ...", ultimate, file="x").name == "play"
    assert guess_interface("class T:\n def move(self): ...", extreme, file="x").name == "team-class"
    assert guess_interface("class T:\n def move(self): ...", ultimate, file="x").name == "player-class"
    assert guess_interface("def (", ultimate, file="x").name == "choose"
    with pytest.raises(BotError, match="cannot play extreme"):
        guess_interface("def play(a, b, c): ...", extreme, file="x")

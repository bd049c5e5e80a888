"""The analysis board: positions that can be set and those that cannot, moves for both sides, and its engine."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from aiohttp import ClientWebSocketResponse
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.errors import LudusError, PositionError
from ludus.records import record_game
from ludus.rules import follow, game_names, load_game, random_line
from ludus.web.engine import ENGINES, waiting_sentence
from ludus.web.positions import asked_position, pasted_state
from ludus.web.settings import Limits, Settings
from ludus.web.states import checked_state, safely_checked_state
from ludus.web.study import _common
from test_countdown import soonest
from test_engine_process import SMALL, is_running
from web_visits import PATIENCE_S, Message, Visitor, hear, visit

HERE = Settings()


def is_advice(message: Message) -> bool:
    return message["is"] == "advice" and bool(message["lines"])


async def ask(socket: ClientWebSocketResponse, **asked: object) -> None:
    await socket.send_str(json.dumps(asked))


# ---- positions


@pytest.mark.parametrize("name", game_names())
@settings(max_examples=2, deadline=None)
@given(seed=st.integers(0, 1 << 30))
def test_every_position_of_play_can_be_set_by_its_state(name: str, seed: int) -> None:
    game = load_game(name)
    options = {"seed": seed} if "seed" in game.options else {}
    line = random_line(game, game.start(**options), Random(seed), longest=seed % 40 or None)
    state = line.states[-1]
    fields = dict(zip(game.module.State._fields, state, strict=True))
    for text in (json.dumps(fields), json.dumps({"state": fields}), json.dumps({"state": list(state)})):
        position = asked_position({"game": name, "start": text, "moves": ""}, HERE)
        assert position.state == state
        assert asked_position({"game": name, "start": position.start}, HERE).state == state


def test_starts_are_options_boards_records_and_moves() -> None:
    moves = ["4,4", "3,3", "0,0"]
    by_text = asked_position({"game": "ultimate", "start": "", "moves": " ".join(moves)}, HERE)
    by_list = asked_position({"game": "ultimate", "start": "{}", "moves": moves, "ply": 1}, HERE)
    assert by_text.line == by_list.line and (by_text.ply, by_list.ply) == (3, 1)
    game = load_game("slant")
    start = game.start(seed=4)
    line = random_line(game, start, Random(4), longest=5)
    record = record_game(game, start, {"seed": 4}, list(line.moves))
    assert asked_position({"game": "slant", "start": record.to_json()}, HERE).line == line
    drawn = asked_position({"game": "slant", "start": "seed=4"}, HERE)
    again = asked_position({"game": "slant", "start": drawn.start}, HERE)
    assert drawn.state == again.state == start


def test_moves_go_back_and_forth_and_another_move_ends_what_came_after() -> None:
    position = asked_position({"game": "ultimate", "moves": "4,4 3,3 0,0"}, HERE).at(1)
    game = position.game
    same = position.after(game.parse_move("3,3"))
    assert (same.ply, len(same.line.moves)) == (2, 3)
    other = position.after(game.parse_move("3,4"))
    assert other.names() == ["4,4", "3,4"] and other.ply == 2
    assert position.at(99).ply == 3 and position.at(-5).ply == 0
    assert _common((1, 2, 3), (1, 2, 4, 5)) == 2 and _common((1,), (1, 2)) == 1


@pytest.mark.parametrize(
    ("start", "sentence"),
    [
        ('{"state": {}}', "lacks"),
        ('{"state": [1, 2]}', "has the fields"),
        ('{"state": 7}', "has the fields"),
        ("{", "not JSON"),
        ("[" * 100_000, "no board to type"),
        ('{"nonsense": 1}', "no option"),
        ("hello", "no board to type"),
        ('{"format": "ludus-record/1", "game": "slant", "moves": []}', "the game is ultimate"),
    ],
)
def test_what_is_no_position_is_one_sentence(start: str, sentence: str) -> None:
    with pytest.raises(LudusError, match=sentence) as told:
        asked_position({"game": "ultimate", "start": start}, HERE)
    assert "\n" not in str(told.value) and len(str(told.value)) < 400


def test_states_that_cannot_be_are_refused() -> None:
    game = load_game("ultimate")
    fields = dict(zip(game.module.State._fields, game.start(), strict=True))
    name = game.module.State._fields[0]
    wrong: list[Any] = [-1, 1 << 63, 1.5, "1", None, True, []]
    for value in wrong:
        with pytest.raises(PositionError, match=name):
            checked_state(game, {**fields, name: value})
    with pytest.raises(PositionError, match="no field"):
        checked_state(game, {**fields, "more": 1})
    assert pasted_state(game, "4,4") is None
    for asked in ({"game": "nothing"}, {"game": 7}, {}, {"game": "../x.py"}, {"game": "ultimate", "moves": 5},
                  {"game": "ultimate", "moves": [5]}, {"game": "ultimate", "moves": "9,9"}):  # fmt: skip
        with pytest.raises(LudusError):
            asked_position(asked, HERE)


def test_a_state_that_cannot_be_tried_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("ultimate")
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    with pytest.raises(PositionError, match="the state cannot be tried: No such file"):
        safely_checked_state(game, game.start()._asdict())


def test_rules_that_find_no_end_with_a_state_are_ended(tmp_path: Path) -> None:
    rules = tmp_path / "small.py"
    rules.write_text(SMALL.replace("def play(s, m):", "def play(s, m):\n    while s.own == 2:\n        pass"))
    game = load_game(rules)
    state = game.start()._asdict()
    with pytest.raises(PositionError, match="no end"):
        safely_checked_state(game, {**state, "own": 2})
    assert safely_checked_state(game, {**state, "own": 1, "seat": 1}) == (1, 0, 1)


@pytest.mark.parametrize("name", game_names())
@settings(max_examples=4, deadline=None)
@given(data=st.data())
def test_any_numbers_are_a_state_or_a_sentence(name: str, data: Any) -> None:
    game = load_game(name)
    fields = game.module.State._fields
    values = data.draw(
        st.lists(st.integers(0, (1 << 63) - 1) | st.integers(0, 9), min_size=len(fields), max_size=len(fields))
    )
    try:
        state = safely_checked_state(game, dict(zip(fields, values, strict=True)))
    except PositionError as error:
        assert len(str(error)) < 400
    else:
        assert game.result(state) is not None or game.legal(state)


def test_a_board_of_endless_size_is_one_sentence() -> None:
    game = load_game("slant")
    fields = dict(zip(game.module.State._fields, game.start(m=4), strict=True))
    with pytest.raises(PositionError, match="this state"):
        safely_checked_state(game, {**fields, "size": (1 << 62) - 1})


# ---- the page and its socket


def test_the_board_answers_without_an_engine() -> None:
    async def steps(visitor: Visitor) -> None:
        status, text = await visitor.get("/analyse")
        assert status == 200 and "style=" not in text
        async with visitor.socket("/analyse/socket") as socket:
            await hear(socket, lambda message: message["is"] == "hello")
            await ask(socket, do="move", move=1)
            assert (await hear(socket, lambda message: message["is"] == "error"))["text"] == "set a position first"
            await ask(socket, do="set", game="ultimate", start="", moves="")
            frame = await hear(socket, lambda message: message["is"] == "frame")
            assert frame["full"] and len(frame["moves"]) == 81
            await ask(socket, do="move", move=40, ply=0)
            line = await hear(socket, lambda message: message["is"] == "line" and message["ply"] == 1)
            assert line["moves"] == ["4,4"] and line["turns"] == [0]
            await ask(socket, do="move", move=40, ply=1)
            assert "illegal" in (await hear(socket, lambda message: message["is"] == "error"))["text"]
            await ask(socket, do="why", key="0,0")
            assert (await hear(socket, lambda message: message["is"] == "say"))["text"]
            await ask(socket, do="go", ply=0)
            line = await hear(socket, lambda message: message["is"] == "line")
            assert line["ply"] == 0 and line["moves"] == ["4,4"]
            for bad in ({"do": "why", "key": 5}, {"do": "nothing"}, {"do": "move", "move": 10**9},
                        {"do": "engine", "on": True, "seconds": "x"}, {"do": "set", "game": "x"}):  # fmt: skip
                await ask(socket, **bad)
                assert (await hear(socket, lambda message: message["is"] == "error"))["text"]
            await ask(socket, do="set", game="ultimate", start=json.dumps({"state": json.loads(line["state"])}))
            assert (await hear(socket, lambda message: message["is"] == "line"))["moves"] == []
        assert not visitor.app[ENGINES].process_ids

    visit(Settings(), steps)


def test_the_engine_runs_stops_follows_the_position_and_goes_with_the_page(tmp_path: Path) -> None:
    """On rules of one's own: exact values, three lines, the length of a win."""
    rules = tmp_path / "small.py"
    rules.write_text(SMALL)
    game = load_game(rules)

    async def steps(visitor: Visitor) -> None:
        engines = visitor.app[ENGINES]
        async with visitor.socket("/analyse/socket") as socket:
            await ask(socket, do="set", game="small", start="", moves="0 1")
            await ask(socket, do="engine", on=True, seconds=30)
            won = await hear(socket, lambda message: is_advice(message) and message["exact"] and not message["running"])
            assert won["chance"] == 1 and won["ahead"] == 0
            best = won["lines"][0]
            names = ["0", "1", best["move"], *best["then"]]
            line = follow(game, game.start(), names)
            assert game.result(line.states[-1]) == 1
            assert f"in {len(names) - 2} move" in won["words"] and best["worth"].endswith(f"in {len(names) - 2}")
            assert soonest(game, line.states[2], 0, 1, 9) == len(names) - 2
            await ask(socket, do="go", ply=0)
            drawn = await hear(socket, lambda message: is_advice(message) and message["exact"])
            assert drawn["chance"] == 0.5 and len(drawn["lines"]) == 3 and drawn["lines"][0]["worth"] == "draw"
            await ask(socket, do="set", game="ultimate", start="", moves="4,4")
            await ask(socket, do="engine", on=True, seconds=10_000)
            first = await hear(socket, lambda message: is_advice(message) and message["running"])
            assert len(first["lines"]) == 3 and not first["exact"]
            frame = await hear(socket, lambda message: message["is"] == "frame")
            assert any(key.startswith("hint ") for key in frame["set"].get("over", {})) or frame["del"]
            await ask(socket, do="engine", on=False)
            off = await hear(socket, lambda message: message["is"] == "advice" and not message["on"])
            assert not off["running"] and off["lines"]  # what was found stays
            (process_id,) = engines.process_ids
        async with asyncio.timeout(PATIENCE_S):
            while is_running(process_id):
                await asyncio.sleep(0.02)
        assert not engines.process_ids

    visit(Settings(games=(game,), limits=Limits(analysis_s=300.0)), steps)


def test_who_comes_too_late_waits_and_is_told() -> None:
    async def steps(visitor: Visitor) -> None:
        visitor.app[ENGINES].most = 1
        async with visitor.socket("/analyse/socket") as one, visitor.socket("/analyse/socket") as other:
            for socket in (one, other):
                await ask(socket, do="set", game="ultimate", start="", moves="")
            await ask(one, do="engine", on=True, seconds=60)
            await hear(one, lambda message: message["is"] == "advice" and message["running"])
            await ask(other, do="engine", on=True, seconds=1)
            told = await hear(other, lambda message: message["is"] == "advice" and message["note"])
            assert told["note"] == waiting_sentence(1, 1)
            await ask(one, do="engine", on=False)
            assert (await hear(other, is_advice))["lines"]
            assert len(visitor.app[ENGINES].process_ids) == 1

    visit(Settings(), steps)

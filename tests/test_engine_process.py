"""The process that thinks: what it tells on the way, how it stops, and that nothing of it stays behind."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

import pytest

from ludus.agents.analysis import Analysis
from ludus.bots.entrants import AgentName
from ludus.errors import AgentError
from ludus.rules import follow, load_game
from ludus.sittings.adviser import Adviser
from ludus.sittings.engine import Engine, Question, first_chance
from ludus.sittings.opponent import Opponent
from ludus.sittings.sitting import Sitting, agree
from ludus.web.engine import Engines
from ludus.web.settings import only_agents
from test_countdown import soonest

PATIENCE_S = 300.0
LONG_S = 600.0


def is_running(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    return True


def until(is_so: object, patience_s: float = PATIENCE_S) -> None:
    assert callable(is_so)
    end = time.monotonic() + patience_s
    while not is_so():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


@pytest.fixture(scope="module")
def engine() -> object:
    made = Engine(load_game("ultimate"))
    yield made
    made.close()


def test_it_tells_what_it_knows_and_stops_when_told(engine: Engine) -> None:
    heard: list[Analysis] = []
    thinking = engine.think(Question([], 0, LONG_S, options={}), heard.append)
    until(lambda: sum(bool(one.lines) for one in heard) >= 3)
    engine.stop()
    found = thinking.result(PATIENCE_S)
    assert len(found.lines) == 3 and found.turn == 0
    depths = [one.depth for one in heard if one.lines]
    assert depths == sorted(depths) and found.depth >= depths[-1]
    game = load_game("ultimate")
    for line in found.lines:
        follow(game, game.start(), map(game.move_name, line.line))
    assert 0 <= first_chance(found) <= 1


def test_a_new_question_ends_the_one_before(engine: Engine) -> None:
    first = engine.think(Question([], 0, LONG_S, options={}))
    second = engine.think(Question(["4,4"], 1, LONG_S, options={}))
    third = engine.think(Question(["4,4", "3,3"], 0, 0.2, options={}))
    assert third.result(PATIENCE_S).turn == 0 and third.result().lines
    assert first.done() and second.done()


def test_a_start_may_be_a_state(engine: Engine) -> None:
    game = load_game("ultimate")
    line = follow(game, game.start(), ["4,4", "3,3", "0,0"])
    by_state = engine.think(Question(["0,1"], 0, 0.1, state=line.states[-1])).result(PATIENCE_S)
    assert {one.move for one in by_state.lines} <= set(game.legal(follow(game, line.states[-1], ["0,1"]).states[-1]))


def test_what_cannot_be_thought_about_is_one_sentence_and_not_the_end(engine: Engine) -> None:
    with pytest.raises(AgentError, match=r"no analysis can be had: move 1: .*is not a move"):
        engine.think(Question(["99,99"], 0, 1.0, options={})).result(PATIENCE_S)
    assert engine.think(Question([], 0, 0.1, options={})).result(PATIENCE_S).lines


def test_a_proof_is_found_and_its_line_ends_the_game(tmp_path: Path) -> None:
    """Tic-tac-toe, of one's own, is a draw; after two bad answers it is won."""
    rules = tmp_path / "small.py"
    rules.write_text(SMALL)
    engine = Engine(load_game(rules))
    try:
        drawn = engine.think(Question([], 0, 20.0, options={}, proves=True)).result(PATIENCE_S)
        assert drawn.lines[0].is_exact and drawn.lines[0].score == 0
        won = engine.think(Question(["0", "1"], 0, 20.0, options={}, proves=True)).result(PATIENCE_S)
        assert won.lines[0].is_exact and won.lines[0].score == 1000 and first_chance(won) == 1
        game = load_game(rules)
        line = follow(game, game.start(), ["0", "1", *map(game.move_name, won.lines[0].line)])
        assert game.result(line.states[-1]) == 1
        assert won.lines[0].ends_in == len(won.lines[0].line) == soonest(game, line.states[2], 0, 1, 9)
    finally:
        engine.close()


def test_closing_ends_the_process_and_those_who_wait_are_told() -> None:
    engine = Engine(load_game("ultimate"))
    thinking = engine.think(Question([], 0, LONG_S, options={}))
    until(lambda: engine.process_id is not None)
    process_id = engine.process_id
    engine.close()
    assert process_id is not None and not is_running(process_id)
    with pytest.raises(AgentError):
        thinking.result(PATIENCE_S)
    with pytest.raises(AgentError):
        engine.think(Question([], 0, 1.0, options={})).result(PATIENCE_S)


def test_a_process_that_cannot_be_started_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    engine = Engine(load_game("ultimate"))
    for _ in range(2):  # asked at once, or when all is over
        with pytest.raises(AgentError, match="its process could not be started: No such file"):
            engine.think(Question([], 0, 1.0, options={})).result(10.0)
        until(lambda: not engine.is_alive)
    engine.close()


def test_an_opponent_that_cannot_be_started_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    sitting = Sitting(agree(load_game("ultimate"), AgentName("random"), first="them", seed=1))
    opponent = Opponent(sitting.pitch, AgentName("random"), 0, only_agents)
    with pytest.raises(AgentError, match="the process of random could not be started: No such file"):
        opponent.choose(sitting).result(10.0)
    opponent.close()


def test_rules_may_print(tmp_path: Path) -> None:
    rules = tmp_path / "talking.py"
    rules.write_text(SMALL + "\nprint('here I am')\n")
    engine = Engine(load_game(rules))
    try:
        assert engine.think(Question([], 0, 0.1, options={})).result(PATIENCE_S).lines
    finally:
        engine.close()


def test_an_adviser_gets_another_process_when_its_own_was_killed() -> None:
    adviser = Adviser(load_game("ultimate"), {})
    try:
        assert adviser.think([], turn=0, seconds=0.1).result(PATIENCE_S).lines
        engine = adviser._engine
        assert engine is not None and engine.process_id is not None
        os.kill(engine.process_id, 9)
        until(lambda: not engine.is_alive)
        assert adviser.think([40], turn=1, seconds=0.1).result(PATIENCE_S).turn == 1
    finally:
        adviser.close()


def test_no_more_engines_than_allowed_and_the_others_wait_their_turn() -> None:
    async def whole() -> None:
        engines = Engines(most=1)
        game = load_game("ultimate")
        one, other = engines.lease(game), engines.lease(game)
        heard: list[Analysis] = []
        waits: list[int] = []
        long = asyncio.create_task(one.think(Question([], 0, LONG_S, options={}), hear=heard.append))
        async with asyncio.timeout(PATIENCE_S):
            while not heard:
                await asyncio.sleep(0.02)
            short = asyncio.create_task(other.think(Question([], 0, 0.1, options={}), on_wait=waits.append))
            await asyncio.sleep(0.2)
            assert waits == [1] and not short.done()
            assert len(engines.process_ids) == 1
            long.cancel()
            found = await short
        assert found.lines and waits == [1, 0]
        assert len(engines.process_ids) == 1  # the first had to go
        left = engines.process_ids
        await engines.close()
        assert not any(map(is_running, left))

    asyncio.run(whole())


def test_a_page_that_is_cancelled_while_it_goes_leaves_no_process() -> None:
    async def whole() -> None:
        lease = Engines(most=1).lease(load_game("ultimate"))
        heard: list[Analysis] = []
        long = asyncio.create_task(lease.think(Question([], 0, LONG_S, options={}), hear=heard.append))
        async with asyncio.timeout(PATIENCE_S):
            while not heard:
                await asyncio.sleep(0.02)
        (process_id,) = lease.engines.process_ids
        long.cancel()
        going = asyncio.create_task(lease.close())
        await asyncio.sleep(0)
        going.cancel()
        async with asyncio.timeout(PATIENCE_S):
            while is_running(process_id):
                await asyncio.sleep(0.02)

    asyncio.run(whole())


SMALL = """
from typing import NamedTuple
NAME, MOVES = "Small", 9
LINES = (7, 56, 448, 73, 146, 292, 273, 84)
class State(NamedTuple):
    own: int
    other: int
    seat: int
def start():
    return State(0, 0, 0)
def turn(s):
    return s.seat
def moves(s):
    return 511 & ~(s.own | s.other)
def play(s, m):
    return State(s.other, s.own | 1 << m, 1 - s.seat)
def result(s):
    for line in LINES:
        if s.other & line == line:
            return -1 if s.seat == 0 else 1
    if s.own | s.other == 511:
        return 0
    return None
def payoffs(s):
    return -1, 1
"""

"""Agents by name: legal moves from every one of them in every game, the same moves from the same seed, limits kept."""

from __future__ import annotations

import gc
import random
import threading
import time
from itertools import pairwise

import pytest

from ludus.agents.agent import Budget, warm_up
from ludus.agents.best import best_name
from ludus.agents.levels import LEVELS
from ludus.agents.naming import KINDS, agent_options, make_agent, parse_agent
from ludus.errors import AgentError, PositionError
from ludus.networks import shipped
from ludus.rules import game_names, load_game, random_line
from ludus.search.minimax import best_moves, minimax
from rules_files import heap

SMALL = {
    "random": "random",
    "greedy": "greedy",
    "minimax": "minimax:depth=2",
    "alphabeta": "alphabeta:mb=1",
    "mcts": "mcts:mb=16",
    "tricky": "tricky:mb=1",
    "solver": "solver:mb=4",
    "pijuns": "pijuns",
    "best": "best",
    "level": "level:4",
}
GAMES = {"slant": {"m": 4}, "subtraction": {"low": 2, "high": 6}}
BUDGET = Budget(nodes=200)


def heap_game(folder):
    """A rules file of somebody's own."""
    file = folder / "heap.py"
    file.write_text(heap())
    return load_game(file)


def positions(name, rng, wanted):
    """Positions of random games, the last one before the end among them."""
    game = load_game(name)
    states = random_line(game, game.start(**GAMES.get(name, {})), rng).states[:-1]
    return [states[-1], *rng.sample(states, min(wanted, len(states)))]


@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize("kind", KINDS)
def test_every_agent_makes_legal_moves_in_every_game(kind, name):
    game = load_game(name)
    if kind == "pijuns" and name != "extreme":
        with pytest.raises(AgentError, match="extreme"):
            make_agent(game, "pijuns")
        return
    agent = make_agent(game, SMALL[kind])
    for state in positions(name, random.Random(name), 3):
        found = agent.choose(state, BUDGET)
        assert found.move in game.legal(state)
        assert found.line[0] == found.move
        agent.forget()


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"pijuns"}))
def test_the_same_seed_and_budget_give_the_same_moves(kind):
    game = load_game("ultimate")
    states = positions("ultimate", random.Random(3), 4)

    def moves_of(agent):
        return [agent.choose(state, BUDGET).move for state in states]

    agent = make_agent(game, SMALL[kind], seed=7)
    first = moves_of(agent)
    agent.forget()
    assert moves_of(agent) == first
    assert moves_of(make_agent(game, SMALL[kind], seed=7)) == first


def test_random_moves_depend_on_the_seed():
    game = load_game("ultimate")
    chosen = {make_agent(game, "random", seed=seed).choose(game.start()).move for seed in range(30)}
    assert len(chosen) > 10


@pytest.mark.parametrize(
    "text", ["random", "greedy", "minimax", "alphabeta", "mcts", "tricky", "best", "level:3", "solver", "pijuns"]
)
def test_a_game_that_is_over_is_a_sentence(text):
    game = load_game("extreme" if text == "pijuns" else "ultimate")
    over = random_line(game, game.start(), random.Random(1)).states[-1]
    with pytest.raises(PositionError, match="over"):
        make_agent(game, text).choose(over)


@pytest.mark.parametrize(
    "text", ["random", "greedy", "minimax:depth=3", "alphabeta", "mcts:mb=16", "tricky", "best", "level:2", "solver"]
)
def test_a_game_of_ones_own_has_the_same_agents(text, tmp_path):
    game = heap_game(tmp_path)
    state = game.start()
    assert make_agent(game, text).choose(state, BUDGET).move in game.legal(state)


def test_minimax_and_greedy_choose_what_plain_minimax_does():
    rng = random.Random(11)
    for name in game_names():
        game = load_game(name)
        for text, depth in (("greedy", 1), ("minimax:depth=2", 2)):
            agent = make_agent(game, text)
            for state in positions(name, rng, 2):
                if len(game.legal(state)) < 60:
                    value, best = best_moves(game, state, depth)
                    found = agent.choose(state)
                    assert (found.score, found.move in best) == (value, True)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("alphabet", "there is no agent 'alphabet'; the agents are random, greedy"),
        ("alphabeta:tim=1", "alphabeta has no option 'tim'; its options are time"),
        ("alphabeta:time", "'time' is not KEY=VALUE"),
        ("alphabeta:time=soon", "time is 'soon'; a number from 0 to 1000000000 was expected"),
        ("alphabeta:threads=-1", "threads is '-1'; a whole number from 0 up was expected"),
        ("alphabeta:threads=0", "threads is 0; a number from 1"),
        ("solver:threads=0", "threads is 0; a number from 1 to 256 was expected"),
        ("mcts:threads=0", "threads is 0; a number from 1 to 256 was expected"),
        ("mcts:threads=257", "threads is 257; a number from 1 to 256 was expected"),
        ("alphabeta:nodes=99999999999999999999", "nodes is '99999999999999999999'; a number of at most 18 digits"),
        ("mcts:cut=99999999999999999999", "cut is '99999999999999999999'; a number of at most 18 digits"),
        ("mcts:nodes=" + "9" * 5000, "a number of at most 18 digits was expected"),
        ("alphabeta:time=nan", "time is 'nan'; a number from 0 to 1000000000 was expected"),
        ("alphabeta:time=inf", "time is 'inf'; a number from 0 to 1000000000 was expected"),
        ("alphabeta:time=", "time is ''; a number from 0 to 1000000000 was expected"),
        ("alphabeta:depth=0", "depth is 0; a number from 1 to 250 was expected"),
        ("alphabeta:mb=99999999999", "memory"),
        ("tricky:depth=0", "depth is 0; a number from 1 to 8 was expected"),
        ("minimax:depth=0", "depth is 0; a number from 1 to 64 was expected"),
        ("random:x=1", "random has no options"),
        ("level", "agent 'level': it needs a number, as in level:5"),
        ("mcts:c=1e300", "c is '1e300'; a number from 0 to 1000000000 was expected"),
        ("level:x", "agent 'level:x': the level is 'x'; a number from 1 to 10 was expected"),
        ("level:-1", "the level is '-1'; a number from 1 to 10 was expected"),
        ("level:11", "the level is 11; a number from 1 to 10 was expected"),
        ("level:3,time=1", "level has no option 'time'; it takes a number only, as in level:5"),
        ("level:3,4", "number is given twice"),
        ("level:3,number=4", "number is given twice"),
        ("alphabeta:time=1,time=2", "agent 'alphabeta:time=1,time=2': time is given twice"),
        ("best:threads=1, threads=1", "threads is given twice"),
        ("mcts:playouts=clever", "playouts is 'clever'; random or guess was expected"),
        ("mcts:mb=0", "mb is 0; a number from 1 up was expected"),
        ("alphabeta:mb=0", "mb is 0; a number from 1 up was expected"),
        ("tricky:mb=00", "mb is 0; a number from 1 up was expected"),
        ("solver:mb=0", "mb is 0; a number from 1 up was expected"),
    ],
)
def test_bad_names_are_one_sentence(text, sentence):
    with pytest.raises(AgentError) as caught:
        make_agent(load_game("ultimate"), text)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_options_become_values():
    assert parse_agent("alphabeta:time=1.5, threads=2,mb=256") == ("alphabeta", {"time": 1.5, "threads": 2, "mb": 256})
    assert parse_agent("level:7") == parse_agent("level:number=7") == ("level", {"number": 7})
    assert set(agent_options("alphabeta")) == {"time", "nodes", "depth", "threads", "mb", "net"}


def test_the_tighter_limit_holds():
    assert Budget(1.0, 50).within(Budget(nodes=20)) == Budget(1.0, 20)
    assert Budget().or_default().seconds == 1.0
    assert 0 < Budget(seconds=0.1).thinking_seconds < 0.1
    assert Budget(seconds=0.0001).thinking_seconds == 0


@pytest.mark.parametrize("text", ["alphabeta", "mcts:mb=16", "alphabeta:threads=2", "best"])
@pytest.mark.parametrize("name", game_names())
def test_a_time_limit_is_kept(text, name):
    """On a busy machine moves come late by the clock: not all of them, and none by the time of the core."""
    game = load_game(name)
    agent, state = make_agent(game, text), game.start()
    taken, worked = [], []
    while game.result(state) is None and len(taken) < 10:
        began, clock = time.thread_time(), time.perf_counter()
        found = agent.choose(state, Budget(seconds=0.02))
        taken.append(time.perf_counter() - clock)
        worked.append(time.thread_time() - began)
        state = game.play(state, found.move)
    assert max(worked) < 0.03 and min(taken) < 0.03


def test_what_was_there_before_a_game_is_not_looked_through_in_a_move():
    """A collection of garbage among all that a compiler keeps took 20 ms, in the middle of a move."""
    try:
        warm_up(make_agent(load_game("slant"), "greedy"), load_game("slant").start())
        assert len(gc.get_objects()) < gc.get_freeze_count() / 10
    finally:
        gc.unfreeze()


def test_minimax_that_is_stopped_says_how_deep_it_came():
    agent, state = make_agent(load_game("ultimate"), "minimax:depth=30"), load_game("ultimate").start()
    timer = threading.Timer(0.3, agent.stop)
    timer.start()
    found = agent.choose(state)
    timer.join()
    assert 1 <= found.depth < 30
    values = {move: minimax(agent.game, agent.game.play(state, move), 0) for move in agent.game.legal(state)}
    assert found.depth > 1 or found.score == max(values.values())


def test_best_is_what_the_game_says_or_what_suits_it(tmp_path, monkeypatch):
    assert best_name(load_game("ultimate")) == best_name(load_game("ultimate-adjacent")) == "alphabeta:net=shipped"
    assert best_name(load_game("subtraction")).startswith("solver")
    assert best_name(load_game("slant")) == "tricky"
    assert best_name(load_game("extreme")) == "alphabeta"
    assert best_name(heap_game(tmp_path)) == "mcts"
    monkeypatch.setattr(shipped, "FILE", "nowhere.bin")
    assert best_name(load_game("ultimate")) == "alphabeta"  # without the weights everything still works


def test_options_of_the_best_agent_may_be_said_anew(write):
    """A name that is put together from the game's own BEST and from what somebody asks of it."""
    game = load_game(write("small.py", heap() + "\nBEST = 'alphabeta:depth=2,nodes=50,mb=1'\n"))
    assert make_agent(game, "best").limits == Budget(nodes=50)
    assert make_agent(game, "best:nodes=7").limits == Budget(nodes=7)
    for text in ("best:nodes=7,nodes=8", f"{best_name(game)},mb=2,mb=4", "alphabeta:nodes=50,nodes=7"):
        with pytest.raises(AgentError, match="is given twice"):
            make_agent(game, text)


def test_level_ten_is_the_best_and_levels_are_less_careless_and_think_no_less_than_those_before():
    assert [level.nodes is None for level in LEVELS] == [False] * 9 + [True]
    assert LEVELS[-1].carelessness == 0
    for weaker, stronger in pairwise(LEVELS):
        assert weaker.carelessness > stronger.carelessness
        assert (stronger.nodes or 10**9) >= (weaker.nodes or 0)


def test_another_seed_reaches_the_search_of_a_level(tmp_path):
    game = heap_game(tmp_path)  # without an evaluation: levels think by playouts
    agent = make_agent(game, "level:7", seed=1)
    agent.reseed(5)
    assert (agent.seed, agent.thinker.searcher.seed) == (5, 5)

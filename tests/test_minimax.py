"""The agent `minimax` looks to its depth, and where its budget does not last for that, as deep as it does."""

from __future__ import annotations

import threading
import time

import pytest

from ludus.agents.agent import Budget
from ludus.agents.naming import make_agent
from ludus.rules import game_names, load_game
from ludus.search.minimax import best_moves


@pytest.mark.parametrize("name", game_names())
def test_without_limits_it_looks_to_its_depth_and_with_few_nodes_less_far(name):
    game = load_game(name)
    state = game.start()
    value, best = best_moves(game, state, 1)
    for agent in (make_agent(game, "greedy"), make_agent(game, "minimax:depth=12")):
        found = agent.choose(state, Budget(nodes=1))
        assert (found.depth, found.score) == (1, value) and found.move in best
    assert make_agent(game, "minimax:depth=2").choose(state).depth == 2
    enough = make_agent(game, "minimax:depth=2").choose(state, Budget(nodes=10**9))
    assert (enough.depth, enough.score) == (2, best_moves(game, state, 2)[0])


def test_the_same_seed_and_nodes_give_the_same_move():
    game = load_game("ultimate")
    one, other = (make_agent(game, "minimax:depth=9", seed=5).choose(game.start(), Budget(nodes=30_000)) for _ in "ab")
    assert (one.move, one.depth, one.nodes) == (other.move, other.depth, other.nodes)
    assert one.depth == 3 and one.nodes < 30_100


def test_it_ends_when_it_is_told_to():
    game = load_game("ultimate")
    agent, found = make_agent(game, "minimax:depth=30"), []
    thread = threading.Thread(target=lambda: found.append(agent.choose(game.start(), Budget(seconds=600))))
    thread.start()
    time.sleep(0.2)
    agent.stop()
    thread.join(timeout=60)
    assert found[0].move in game.legal(game.start())

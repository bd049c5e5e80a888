"""Every search against plain minimax, on thousands of small endgames: values, best moves, and claims of exactness."""

from __future__ import annotations

import random

import pytest

from ludus.rules import game_names, load_game, random_line
from ludus.search.deepening import AlphaBeta
from ludus.search.finding import SCALE
from ludus.search.mcts import Mcts
from ludus.search.minimax import MoveValues
from ludus.search.perft import perft
from ludus.search.solver import Solver

POSITIONS = 500  # of each game
LARGEST = 4_000  # positions below one
OPTIONS = {"slant": {"m": 4}, "subtraction": {"low": 1, "high": 5}}
WHOLE = 100  # plies: more than any of these endgames has


def is_small(game, state):
    total, depth = 0, 1
    while total <= LARGEST and (count := perft(game, state, depth, threads=1)):
        total, depth = total + count, depth + 1
    return total <= LARGEST


def endgames(name):
    """Positions of random games, from the first one with a small tree on."""
    game, rng = load_game(name), random.Random(name)
    found = []
    while len(found) < POSITIONS:
        options = OPTIONS.get(name, {}) | ({"seed": rng.randrange(10**6)} if "seed" in game.options else {})
        for state in reversed(random_line(game, game.start(**options), rng).states[:-1]):
            if not is_small(game, state):
                break
            found.append(state)
    return game, found[:POSITIONS]


def whole_trees(game, states):
    """The value and all best moves of each position, by compiled plain minimax."""
    plain = MoveValues(game)
    for state in states:
        values = plain.of(state, WHOLE)
        best = max(values.values()) if game.turn(state) == 0 else min(values.values())
        yield state, best, [move for move, value in values.items() if value == best]


@pytest.mark.parametrize("name", game_names())
def test_all_searches_agree_with_plain_minimax(name):
    game, states = endgames(name)
    full, selective = AlphaBeta(game, megabytes=1, is_selective=False), AlphaBeta(game, megabytes=1)
    tree, solver = Mcts(game, megabytes=4), Solver(game, megabytes=4)
    claims = 0
    for state, value, best in whole_trees(game, states):
        for searcher in (full, selective):
            found = searcher.search(state, depth=WHOLE)
            assert (found.score, found.is_exact, found.move in best) == (value, True, True)
        sign = 1 if game.turn(state) == 0 else -1
        assert selective.proves_win(state, nodes=10**9)[0] == (sign * value > 0)
        found = tree.search(state, iterations=300)
        if found.is_exact:
            claims += 1
            assert (found.score, found.move in best) == (value, True)
        solution = solver.solve(state)
        assert (SCALE * solution.value, list(solution.best)) == (value, best)
    assert claims > POSITIONS // 4

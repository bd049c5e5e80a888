"""The number of nodes of fixed searches: whoever changes a search without meaning to, sees it here.

A change that is meant rewrites them: `python tests/test_signatures.py`.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from ludus.rules import game_names, load_game
from ludus.search.deepening import AlphaBeta
from ludus.search.mcts import Mcts

FILE = Path(__file__).parent / "golden" / "signatures.json"
PLIES = (0, 9)
DEPTHS = {"extreme": 4, "slant": 5, "subtraction": 6, "ultimate": 7, "ultimate-adjacent": 5}


def position(game, plies):
    state, rng = game.start(), random.Random(plies)
    for _ in range(plies):
        state = game.play(state, rng.choice(game.legal(state)))
    return state


def alphabeta_signature(name, *, compiled=None, depth=None):
    """Nodes, table hits, cut-offs and the best line of each position, one searcher for all."""
    game = load_game(name)
    searcher = AlphaBeta(game, megabytes=1, compiled=compiled)
    found = [searcher.search(position(game, plies), depth=depth or DEPTHS[name]) for plies in PLIES]
    return [[one.nodes, one.counts["table_hits"], one.counts["cut_offs"], *one.line] for one in found]


def mcts_signature(name, *, compiled=None, iterations=400):
    """Tree size, depth and visits of the best move of each position."""
    game = load_game(name)
    searcher = Mcts(game, megabytes=4, seed=3, compiled=compiled)
    found = [searcher.search(position(game, plies), iterations=iterations) for plies in PLIES]
    return [[one.counts["tree"], one.depth, one.move, one.counts[f"visits_{one.move}"]] for one in found]


def signatures():
    return {name: {"alphabeta": alphabeta_signature(name), "mcts": mcts_signature(name)} for name in game_names()}


@pytest.mark.parametrize("name", game_names())
def test_searches_visit_the_nodes_they_always_did(name):
    golden = json.loads(FILE.read_text())[name]
    assert alphabeta_signature(name) == golden["alphabeta"]
    assert mcts_signature(name) == golden["mcts"]


@pytest.mark.parametrize("name", game_names())
def test_uncompiled_searches_visit_the_same_nodes(name):
    assert alphabeta_signature(name, compiled=False, depth=2) == alphabeta_signature(name, depth=2)
    assert mcts_signature(name, compiled=False, iterations=20) == mcts_signature(name, iterations=20)


if __name__ == "__main__":
    FILE.write_text(json.dumps(signatures(), indent=1) + "\n")

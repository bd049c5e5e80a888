"""The fast rules agree with slow, obvious ones on legal moves, turns, results and points, game after game."""

from __future__ import annotations

import importlib
import random

import pytest

from ludus.events.event import points_by_event
from ludus.rules import load_game

EVENT = {
    "ultimate": "nsoc",
    "ultimate-adjacent": "cse371",
    "extreme": "extreme",
    "subtraction": "term-project",
    "slant": "slant",
}
PARTS = 4  # of each case, so that workers can share it


def slant(rng: random.Random) -> dict[str, object]:
    large = rng.choice([10, 12])  # rarely: the slow rules take their time
    return {"m": rng.choice([2, 2, 2, 4, 4, 4, 4, 4, 4, 6, 6, 6, 6, 8, 8, large]), "seed": rng.randrange(10**9)}


def subtraction(rng: random.Random) -> dict[str, object]:
    low = rng.choice([0, 0, 1, 3, 50])
    return {
        "low": low,
        "high": low + rng.choice([1, 3, 9, 49]),
        "seed": rng.randrange(10**9),
        "reward": rng.choice([15, 0, 3, 1000]),
        "penalty": rng.choice([7, 0, 20, 1000]),
    }


CASES = {
    "ultimate": ("ultimate", lambda rng: {}, 1600),
    "ultimate-adjacent": ("ultimate-adjacent", lambda rng: {}, 1600),
    "extreme with bonus moves": ("extreme", lambda rng: {"bonus": True}, 1000),
    "extreme without": ("extreme", lambda rng: {"bonus": False}, 600),
    "slant": ("slant", slant, 1600),
    "subtraction": ("subtraction", subtraction, 2400),
    "subtraction of a term project": ("subtraction", lambda rng: {"seed": rng.randrange(10**9)}, 1200),
}


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("case", CASES)
def test_random_games_agree(case, part):
    name, options_of, games = CASES[case]
    game = load_game(name)
    oracles = importlib.import_module(f"oracles.{name.replace('-', '_')}")
    name_of = [game.move_name(move) for move in range(game.move_limit)]
    rng = random.Random(f"{case} {part}")
    for _ in range(games // PARTS):
        options = options_of(rng)
        state = game.start(**options)
        oracle = oracles.Oracle(**game.instance(state, options))
        while True:
            legal = game.legal(state)
            assert {name_of[move] for move in legal} == oracle.legal()
            assert game.result(state) == oracle.result()
            if not legal:
                break
            assert game.turn(state) == oracle.turn()
            move = rng.choice(legal)
            state = game.play(state, move)
            oracle.play(name_of[move])
        assert not any(game.words(state)), "a finished game of ours lists no moves"
        assert points_by_event(game, state) == {EVENT[name]: oracle.points()}

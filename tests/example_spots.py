"""Positions as the examples are asked about them: as their game knows them, and as the slow rules draw them."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from ludus.rules import Game, State, load_game, random_line

EXAMPLES = Path(__file__).parent.parent / "examples"
INSTANCES: dict[str, list[dict[str, Any]]] = {
    "slant": [{"m": 4, "seed": 1}, {"m": 6, "seed": 2}],
    "subtraction": [{"seed": 1}, {"low": 1, "high": 9, "seed": 2}, {"low": 2, "high": 5, "seed": 3}],
}


class Spot(NamedTuple):
    """A position as its game knows it, and as the slow rules draw it."""

    game: Game
    options: dict[str, Any]
    moves: list[str]
    state: State
    drawn: Any  # an oracle, whose grids are what the hand-outs show


def first_spot(game: Game, options: dict[str, Any]) -> Spot:
    state = game.start(**options)
    instance = game.instance(state, options)
    oracle = importlib.import_module(f"oracles.{game.name.replace('-', '_')}").Oracle(**instance)
    return Spot(game, instance, [], state, oracle)


def next_spot(spot: Spot, move: str) -> Spot:
    assert move in spot.drawn.legal(), f"after {spot.moves}"
    state = spot.game.play(spot.state, spot.game.legal_move(spot.state, move))
    spot.drawn.play(move)
    return spot._replace(state=state, moves=[*spot.moves, move])


def random_spots(name: str, seed: int, count: int) -> Iterator[Spot]:
    """The start, and positions anywhere in random games."""
    game, rng = load_game(name), Random(seed)
    for options in INSTANCES.get(name, [{}]):
        yield first_spot(game, options)
        for _ in range(count):
            line = random_line(game, game.start(**options), rng)
            spot = first_spot(game, options)
            for move in line.moves[: rng.randrange(1, len(line.moves))]:
                spot = next_spot(spot, game.move_name(move))
            yield spot


def described(spot: Spot) -> dict[str, Any]:
    game = spot.game
    return {
        "game": game.name,
        "options": spot.options,
        "seat": game.turn(spot.state),
        "moves": spot.moves,
        "legal": [game.move_name(move) for move in game.legal(spot.state)],
        "state": dict(zip(game.module.State._fields, spot.state, strict=True)),
    }

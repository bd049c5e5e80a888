"""Positions that tests look at."""

from __future__ import annotations

import random
from typing import Any

from ludus.games.extreme.rules import MAY_EARN
from ludus.games.extreme.rules import State as ExtremeState
from ludus.rules import Game, State, load_game
from ludus.view.scene import Scene, Step, scene_of

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "slant": [{}, {"m": 2}, {"m": 12}],
    "subtraction": [{}, {"low": 1, "high": 5}, {"low": 999_990, "high": 1_000_000}],
    "extreme": [{}, {"bonus": False}],
}


def random_position(game: Game, seed: int, plies: int, **options: Any) -> tuple[State, Step | None]:
    """The state after so many random moves, or after the last one of the game."""
    rng, state, last = random.Random(seed), game.start(**options), None
    for _ in range(plies):
        legal = game.legal(state)
        if not legal:
            break
        last = Step(state, rng.choice(legal))
        state = game.play(state, last.move)
    return state, last


def random_scene(name: str, seed: int, plies: int, **options: Any) -> Scene:
    game = load_game(name)
    state, last = random_position(game, seed, plies, **options)
    return scene_of(game, state, last=last)


def before_a_diamond() -> tuple[ExtremeState, int]:
    """X holds blocks 1, 4 and 6 and wins block 9, and so the game, with the move that comes along."""
    words = [0] * 12
    for block in (1, 4, 6):
        words[block // 3] |= 0b1111 << 16 * (block % 3)
    words[3] |= 0b0111_0000  # block 9: three in its second row
    words[6] |= 0b1111  # O holds block 0
    held = 1 << 1 | 1 << 4 | 1 << 6
    state = ExtremeState(*words, held, 1, 0xFFFF & ~held & ~1, 1 << 9, 0, MAY_EARN)
    return state, 16 * 9 + 7

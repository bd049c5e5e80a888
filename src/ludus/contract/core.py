"""The promise of `banked` and `core`: what is settled is settled, and what was left out does not matter."""

from __future__ import annotations

import random

from ludus.errors import RulesError
from ludus.rules import Game, State


def check_core(game: Game, start: State, *, games: int, longest: int, seed: int) -> None:
    """Play random games on from the core of a position beside the position itself; the end must differ by `banked`."""
    module = game.module
    if not hasattr(module, "core") and not hasattr(module, "banked"):
        return
    core, banked = getattr(module, "core", lambda s: s), getattr(module, "banked", lambda s: 0)
    code = (module.core if hasattr(module, "core") else module.banked).__code__
    rng = random.Random(seed)
    for _ in range(games):
        state = start
        for _ in range(rng.randrange(40)):
            if len(legal := game.legal(state)) == 0:
                break
            state = game.play(state, rng.choice(legal))
        if game.result(state) is not None:
            continue
        settled, shadow = banked(state), core(state)
        for _ in range(longest):
            if game.legal(shadow) != (legal := game.legal(state)):
                raise RulesError("core() changes the legal moves", path=code.co_filename, line=code.co_firstlineno)
            if not legal:
                break
            move = rng.choice(legal)
            state, shadow = game.play(state, move), game.play(shadow, move)
        payoff, rest = game.result(state), game.result(shadow)
        if payoff is not None and (rest is None or payoff != rest + settled):
            raise RulesError(
                f"the game ends with {payoff}, but {rest} from the core() of a position with {settled} banked()",
                path=code.co_filename,
                line=code.co_firstlineno,
            )

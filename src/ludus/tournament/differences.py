"""The number that breaks ties between equal points: blocks held, or what the rules pay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ludus.games.nested.nine import blocks_won
from ludus.referee.verdict import Verdict
from ludus.rules import GAMES_FOLDER, Game, State


def _nine_blocks(state: Any) -> int:
    one, other = blocks_won(state)
    return one.bit_count() - other.bit_count()


def _sixteen_blocks(state: Any) -> int:
    return int(state.x_won.bit_count() - state.o_won.bit_count())


BLOCKS: dict[str, Callable[[Any], int]] = {
    "extreme": _sixteen_blocks,
    "ultimate": _nine_blocks,
    "ultimate-adjacent": _nine_blocks,
}


def differences_of(game: Game) -> tuple[str, ...]:
    """The rules that fit a game, the usual one first."""
    is_ours = game.path.is_relative_to(GAMES_FOLDER)
    return ("blocks", "payoff") if is_ours and game.name in BLOCKS else ("payoff",)


def difference(rule: str, game: Game, verdict: Verdict, final: State) -> int:
    """Seat 0's, as the board stands at the end; a forfeit never counts for who made it."""
    value = BLOCKS[game.name](final) if rule == "blocks" else game.result(final) or 0
    if verdict.seat is None:
        return value
    if verdict.winner is None:
        return 0
    return min(value, 0) if verdict.seat == 0 else max(value, 0)

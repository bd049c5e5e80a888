"""Plain minimax: the readable reference that faster searches are tested against."""

from __future__ import annotations

from ludus.rules import Game, State
from ludus.search.finding import SCALE


def minimax(game: Game, state: State, depth: int) -> int:
    """Seat 0's payoff in thousandths, looking `depth` plies ahead and guessing there if the game is not over."""
    payoff = game.result(state)
    if payoff is not None:
        return payoff * SCALE
    if depth == 0:
        return game.evaluate(state)
    values = [minimax(game, game.play(state, move), depth - 1) for move in game.legal(state)]
    return max(values) if game.turn(state) == 0 else min(values)


def best_moves(game: Game, state: State, depth: int) -> tuple[int, list[int]]:
    """The value of a position that is not over, and every move that reaches it."""
    values = {move: minimax(game, game.play(state, move), depth - 1) for move in game.legal(state)}
    best = max(values.values()) if game.turn(state) == 0 else min(values.values())
    return best, [move for move, value in values.items() if value == best]

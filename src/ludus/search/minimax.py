"""Plain minimax: the readable reference that faster searches are tested against."""

from __future__ import annotations

from ludus.compile.bits import plain
from ludus.compile.interface import Words, evaluate, first, load, moves, play, result, some, turn, without_first
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


def value(state: State, depth: int, nodes: Words) -> int:
    """The same minimax over the names of `compile.interface`, to be compiled."""
    nodes[0] += 1
    payoff = result(state)
    if payoff is not None:
        return payoff * SCALE
    if depth == 0:
        return evaluate(state)
    rest, seat = moves(state), turn(state)
    best = value(play(state, first(rest)), depth - 1, nodes)
    rest = without_first(rest)
    while some(rest):
        this = value(play(state, first(rest)), depth - 1, nodes)
        best = max(best, this) if seat == 0 else min(best, this)
        rest = without_first(rest)
    return best


def children_values(root: Words, depth: int, values: Words, nodes: Words) -> None:
    """Entry point: the value of every legal move, at the move's index; `nodes` counts positions."""
    state = load(root, 0)
    rest = moves(state)
    while some(rest):
        move = first(rest)
        values[move] = value(play(state, move), plain(depth) - 1, nodes)
        rest = without_first(rest)

"""Plain minimax: the readable reference that faster searches are tested against."""

from __future__ import annotations

import numpy as np

from ludus.compile.bits import plain
from ludus.compile.interface import Words, evaluate, first, load, moves, play, result, some, turn, without_first
from ludus.compile.link import link
from ludus.rules import Game, State
from ludus.search.finding import SCALE
from ludus.search.stopping import ABORTED, DEADLINE, NEXT_LOOK, NODE_LIMIT, NODES, OWN, STOP, look_up, set_limits


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


def value(state: State, depth: int, room: Words) -> int:
    """The same minimax over the names of `compile.interface`, to be compiled; meaningless once room[ABORTED] is set."""
    room[NODES] += 1
    payoff = result(state)
    if payoff is not None:
        return payoff * SCALE
    if depth == 0:
        return evaluate(state)
    look_up(room)
    rest, seat = moves(state), turn(state)
    best = value(play(state, first(rest)), depth - 1, room)
    rest = without_first(rest)
    while some(rest) and room[ABORTED] == 0:
        this = value(play(state, first(rest)), depth - 1, room)
        best = max(best, this) if seat == 0 else min(best, this)
        rest = without_first(rest)
    return best


def children_values(root: Words, depth: int, values: Words, room: Words) -> None:
    """Entry point: the value of every legal move, at the move's index, within the limits of the room."""
    state = load(root, 0)
    rest = moves(state)
    while some(rest) and room[ABORTED] == 0:
        move = first(rest)
        values[move] = value(play(state, move), plain(depth) - 1, room)
        rest = without_first(rest)


class MoveValues:
    """Compiled minimax of one game: what every legal move of a position is worth, to seat 0 and in thousandths."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.entry = link(game, children_values)
        self.room = np.zeros(OWN, np.int64)
        self.begin()

    def begin(self) -> None:
        """Count nodes anew, without limits."""
        set_limits(self.room, self.entry)

    def limit(self, *, nodes: int, deadline: int) -> None:
        """From now on, end when a limit is reached."""
        self.room[NODE_LIMIT], self.room[DEADLINE], self.room[NEXT_LOOK] = nodes, deadline, 0

    def of(self, state: State, depth: int) -> dict[int, int]:
        """Move by move; meaningless if it had to end."""
        values = np.zeros(self.game.move_limit, np.int64)
        self.entry(np.array(state, np.int64), depth, values, self.room)
        return {move: int(values[move]) for move in self.game.legal(state)}

    @property
    def nodes(self) -> int:
        return int(self.room[NODES])

    @property
    def had_to_end(self) -> bool:
        return bool(self.room[ABORTED])

    def stop(self) -> None:
        """Make one that runs in another thread come to its end."""
        self.room[STOP] = 1

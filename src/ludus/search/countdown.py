"""Won in how many moves? The winner hurries, the other one resists, and nothing is guessed. Compiled, for any game.

Whether a seat forces a payoff within one ply, two, three, and so on: the first yes is the answer. A table keeps for
each position within how many plies it was forced, or was not.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludus.compile.bits import plain
from ludus.compile.digest import digest
from ludus.compile.interface import Words, first, has, load, moves, payoffs, play, result, some, turn, without
from ludus.compile.link import link, wrapping
from ludus.rules import Game, State
from ludus.search.stopping import ABORTED, NODES, OWN, STOP, deadline_in, look_up, set_limits
from ludus.search.table import (
    AT_LEAST,
    AT_MOST,
    NO_MOVE,
    Table,
    bound_in,
    depth_in,
    move_in,
    new_table,
    probe,
    put,
)

u64 = np.uint64

MOST_PLIES = 200  # no win is counted further
MEGABYTES = 32


class Ending(NamedTuple):
    """How a won position ends: in how many plies, and a line in which both sides do their best."""

    plies: int
    line: tuple[int, ...]


def forces(  # noqa: PLR0912  # one loop, and a call per part would cost more than it explains
    state: State, plies: int, seat: int, least: int, table: Table, room: Words
) -> bool:
    """Whether the seat gets at least so much within so many plies, whatever the other one does; `plies` is not 0.

    Meaningless when room[ABORTED] is set.
    """
    key = digest(state)
    data = probe(table, key)
    hurried = NO_MOVE
    if data != u64(0):
        hurried = move_in(data)
        if bound_in(data) == AT_MOST and depth_in(data) <= plies:
            return True
        if bound_in(data) == AT_LEAST and depth_in(data) >= plies:
            return False
    room[NODES] += 1
    look_up(room)
    if room[ABORTED] != 0:
        return False

    is_mine = turn(state) == seat
    sign = 1 if seat == 0 else -1
    rest = moves(state)
    open_moves = rest
    while some(rest):
        move = first(rest)
        rest = without(rest, move)
        child = play(state, move)
        payoff = result(child)
        if payoff is None:
            low, high = payoffs(child)
            if (high if seat == 0 else -low) >= least:
                if plies == 1 and not is_mine:
                    put(table, key, 0, move, 1, AT_LEAST, 0)
                    return False
                continue
            is_good = False
        else:
            is_good = sign * payoff >= least
        if is_good == is_mine:
            within, bound = (1, AT_MOST) if is_mine else (MOST_PLIES, AT_LEAST)  # at once, or never
            put(table, key, 0, move, within, bound, 0)
            return is_mine
        open_moves = without(open_moves, move)
    if plies == 1:
        put(table, key, 0, NO_MOVE, 1, AT_LEAST if is_mine else AT_MOST, 0)
        return not is_mine
    while some(open_moves):
        move = hurried if hurried != NO_MOVE and has(open_moves, hurried) else first(open_moves)
        open_moves = without(open_moves, move)
        is_forced = forces(play(state, move), plies - 1, seat, least, table, room)
        if room[ABORTED] != 0:
            return False
        if is_forced == is_mine:
            put(table, key, 0, move, plies, AT_MOST if is_mine else AT_LEAST, 0)
            return is_mine
    put(table, key, 0, NO_MOVE, plies, AT_LEAST if is_mine else AT_MOST, 0)
    return not is_mine


def ask(root: Words, plies: int, seat: int, least: int, table: Table, room: Words) -> bool:
    """Entry point: `forces` for the position in the array, which is not over."""
    return forces(load(root, 0), plain(plies), plain(seat), plain(least), table, room)


class Countdown:
    """Counts the moves of positions of one game that are proven to be won."""

    def __init__(self, game: Game, *, compiled: bool | None = None) -> None:
        self.game = game
        self._ask: Any = wrapping(link(game, ask, compiled=compiled))
        self._room = np.zeros(OWN, np.int64)
        self.find(game.start(), 0, 1, seconds=0.0)  # compiles it, out of everybody's time

    def stop(self) -> None:
        """Make a `find` that runs in another thread come to its end."""
        self._room[STOP] = 1

    def find(self, state: State, winner: int, payoff: int, *, seconds: float) -> Ending | None:
        """How the winner gets at least this payoff, above 0, soonest; None if the time, or a stop, comes first."""
        set_limits(self._room, self._ask, deadline=deadline_in(seconds))
        question = winner, payoff, new_table(MEGABYTES)
        for plies in range(1, MOST_PLIES):
            is_forced = self._is_forced(state, plies, *question)
            if self._room[ABORTED]:
                return None
            if is_forced:
                line = self._line(state, plies, *question)
                return None if self._room[ABORTED] else Ending(plies, line)
        return None

    def _is_forced(self, state: State, plies: int, winner: int, payoff: int, table: Table) -> bool:
        ended = self.game.result(state)
        if ended is not None or plies == 0:
            return ended is not None and (ended if winner == 0 else -ended) >= payoff
        root = np.array(state, np.int64)
        return bool(self._ask(root, plies, winner, payoff, table, self._room))

    def _line(self, state: State, plies: int, winner: int, payoff: int, table: Table) -> tuple[int, ...]:
        """The winner's moves keep to the count, and the other one's last until it is down."""
        line: list[int] = []
        for left in range(plies - 1, -1, -1):
            after = {move: self.game.play(state, move) for move in self.game.legal(state)}
            hurries = self.game.turn(state) == winner
            within = left if hurries else left - 1
            fitting = [
                move
                for move, then in after.items()
                if within < 0 or self._is_forced(then, within, winner, payoff, table) == hurries
            ]
            if self._room[ABORTED]:
                break
            line.append(fitting[0])
            state = after[fitting[0]]
        return tuple(line)

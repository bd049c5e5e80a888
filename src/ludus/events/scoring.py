"""The points that each event gives for a finished game, exactly as its hand-out says."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from ludus.games.extreme.rules import WIN, has_pattern, worth
from ludus.games.nested.nine import blocks_won
from ludus.rules import GAMES_FOLDER, Game

Points = tuple[Fraction, Fraction]
QUARTER, HALF = Fraction(1, 4), Fraction(1, 2)


def nsoc(state: Any, payoff: int) -> Points:
    """A win is worth 1; in a draw every local board held is worth a quarter."""
    if payoff:
        return (Fraction(1), Fraction(0)) if payoff > 0 else (Fraction(0), Fraction(1))
    x, o = blocks_won(state)
    return QUARTER * x.bit_count(), QUARTER * o.bit_count()


def cse371(_state: Any, payoff: int) -> Points:
    """3-0 for a line of blocks; 2-1 for more blocks, or for as many and more centre cells; else 1-1."""
    winner, loser = {3: (3, 0), 1: (2, 1), 0: (1, 1)}[abs(payoff)]  # the payoff is their difference
    return (Fraction(winner), Fraction(loser)) if payoff >= 0 else (Fraction(loser), Fraction(winner))


def extreme(state: Any, payoff: int) -> Points:
    """68-0 for a pattern of blocks, else what each side's blocks are worth."""
    if has_pattern(state.x_won) or has_pattern(state.o_won):
        return (Fraction(WIN), Fraction(0)) if payoff > 0 else (Fraction(0), Fraction(WIN))
    return Fraction(worth(state.x_won)), Fraction(worth(state.o_won))


def margin(_state: Any, payoff: int) -> Points:
    """The difference at the end: what the winner wins by, and the same below zero for the loser."""
    return Fraction(payoff), Fraction(-payoff)


def win(_state: Any, payoff: int) -> Points:
    """A point for a win, half a point for a draw."""
    return (HALF, HALF) if payoff == 0 else (Fraction(payoff > 0), Fraction(payoff < 0))


class Finished(NamedTuple):
    """What a game that is played to its end is worth, and the games that it is made for; none for all."""

    score: Callable[[Any, int], Points]
    games: tuple[str, ...] = ()

    def fits(self, game: Game) -> bool:
        return not self.games or (game.name in self.games and game.path.is_relative_to(GAMES_FOLDER))


FINISHED = {
    "cse371": Finished(cse371, ("ultimate-adjacent",)),
    "extreme": Finished(extreme, ("extreme",)),
    "margin": Finished(margin),
    "nsoc": Finished(nsoc, ("ultimate", "ultimate-adjacent")),
    "win": Finished(win),
}


def as_number(points: Fraction) -> int | float:
    """Points as JSON writes them: quarters are exact either way."""
    return int(points) if points.denominator == 1 else float(points)

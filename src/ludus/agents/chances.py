"""How likely a score is to be a win: a rough guess, for people who think in percent.

A score is an expected payoff. Random games from the position show which payoffs there are and how often each one
comes up, for whichever side; of all distributions over them with the score as their mean, the one nearest to these
frequencies is taken. Where payoffs are 1, 0 and -1 only, that is (1 + score) / 2, whatever the frequencies.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from ludus.compile.link import has_numba
from ludus.errors import RulesError
from ludus.rules import Game, State
from ludus.search.finding import SCALE
from ludus.search.playouts import sample_games

GAMES, PLAIN_GAMES = 256, 32
LONGEST = 100_000  # plies of a random game
# Players who know what they do leave less to luck than random ones: benchmarks/chances.py.
SHARPNESS = 2.0
LEAST = 0.005  # the chance of a side that is not proven to lose
STEEPEST = 64.0

Payoffs = Mapping[int, float]  # how often each payoff comes up, in all 1; as often as its negative
WIN_OR_LOSS: Payoffs = {1: 0.5, -1: 0.5}


def likely_payoffs(game: Game, state: State) -> Payoffs:
    """How often each payoff comes up, for either seat, in random games from a position that is not over."""
    declared = getattr(game.module, "payoffs", None)
    if declared is not None and max(map(abs, declared(state))) <= 1:
        return WIN_OR_LOSS
    try:
        sample = sample_games(game, state, GAMES if has_numba() else PLAIN_GAMES, threads=1, longest=LONGEST)
    except RulesError:  # random games go on for ever, which says nothing about better ones
        return WIN_OR_LOSS
    seen: dict[int, float] = {}
    for payoff, times in sample.payoffs.items():
        for either in (payoff, -payoff):
            seen[either] = seen.get(either, 0.0) + times / (2 * sample.games)
    return seen


def chance_to_win(score: int, payoffs: Payoffs, *, is_exact: bool = False) -> float:
    """The chance, 0 to 1, that seat 0 wins with this score in thousandths; a draw counts as half a win."""
    if is_exact:
        return 0.5 if score == 0 else float(score > 0)
    largest = max(map(abs, payoffs))
    mean = score / SCALE
    chance = (1 + mean) / 2 if largest <= 1 else _sharper(_wins(_with_mean(payoffs, mean, largest)))
    return min(max(chance, LEAST), 1 - LEAST)


def _with_mean(payoffs: Payoffs, mean: float, largest: int) -> Payoffs:
    """The payoffs weighted by a power of e that grows with them, such that their mean is this one."""
    low, high = -STEEPEST, STEEPEST
    tilted = payoffs
    for _ in range(40):
        slope = (low + high) / 2
        weights = {payoff: share * math.exp(slope * payoff / largest) for payoff, share in payoffs.items()}
        total = sum(weights.values())
        tilted = {payoff: weight / total for payoff, weight in weights.items()}
        if sum(payoff * share for payoff, share in tilted.items()) < mean:
            low = slope
        else:
            high = slope
    return tilted


def _wins(payoffs: Payoffs) -> float:
    return sum(share for payoff, share in payoffs.items() if payoff > 0) + payoffs.get(0, 0.0) / 2


def _sharper(chance: float) -> float:
    """The chance with its logarithm of odds multiplied."""
    win, loss = math.pow(chance, SHARPNESS), math.pow(1 - chance, SHARPNESS)
    return win / (win + loss)

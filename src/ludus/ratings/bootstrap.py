"""How sure the strengths of a tournament are: intervals, who is better than whom, ranks, and who is tied.

A Bayesian bootstrap (Rubin 1981; Newton and Raftery 1994): in each round every bunch of games that share a board
weighs a random amount of mean 1, and the strengths are fitted again. The part games of the prior weigh random amounts
as well. So even a team that won everything gets a wide interval, where drawing games with replacement would show
nothing but wins: for two teams without draws, this is about Jeffreys' interval of a proportion.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ludus.ratings.bradley_terry import ELO, PRIOR, Strengths, Weights, fit, maximise
from ludus.ratings.encounters import OUTCOMES, Crosstable, Encounters, Floats, Ints, crosstable

CONFIDENCE = 0.95
# Half a game of the prior never weighs less, or a strength could run away; beyond the reach of a 95 % interval.
LEAST_WEIGHT = 1e-4
MOST_VARIANCE = 2.0  # of a bunch's weight
CHUNK_NUMBERS = 1 << 18  # so many floats of a chunk of rounds stay in a core's cache
TOLERANCE = 3e-2  # of the last step but one; after it, the error is about its square


@dataclass(frozen=True, eq=False)
class Confidence:
    """Strengths with what is known about them. Arrays are by team; `superiority[a, b]`: a is better than b."""

    strengths: Strengths
    low: Floats  # Elo
    high: Floats
    seat_low: float
    seat_high: float
    rank_low: Ints  # the best rank, from 1
    rank_high: Ints
    superiority: Floats
    groups: tuple[tuple[int, ...], ...]  # from the best, each in the order of its strengths
    round_elo: Floats  # (rounds, teams)
    round_seat_elo: Floats
    round_draw: Floats

    @property
    def rounds(self) -> int:
        return len(self.round_elo)

    def sample(self, number: int) -> Strengths:
        """The strengths of one round, as likely the true ones as those of any other; rounds are counted again."""
        at = number % self.rounds
        elo, seat_elo, draw = self.round_elo[at], self.round_seat_elo[at], self.round_draw[at]
        return replace(self.strengths, elo=elo, seat_elo=float(seat_elo), draw=float(draw))

    @property
    def order(self) -> list[int]:
        """The teams, the best first."""
        return [team for group in self.groups for team in group]


def bootstrap(games: Encounters, *, rounds: int = 1000, seed: int = 0) -> Confidence:
    """Strengths and what is known about them. Pure: the same for the same games, rounds and seed."""
    strengths = fit(games)
    fitted = _resample(crosstable(games), strengths, rounds=rounds, rng=np.random.default_rng(seed))
    elo, seat_elo, draw = fitted[:, :-2] * ELO, fitted[:, -2] * ELO, np.exp(fitted[:, -1])
    _align(elo, strengths)
    low, high = interval(elo)
    seat_low, seat_high = interval(seat_elo)
    rank_low, rank_high = _ranks(elo, strengths.island)
    return Confidence(
        strengths=strengths,
        low=low,
        high=high,
        seat_low=float(seat_low),
        seat_high=float(seat_high),
        rank_low=rank_low,
        rank_high=rank_high,
        superiority=_superiority(elo, strengths.island),
        groups=_groups(strengths, low, high),
        round_elo=elo,
        round_seat_elo=seat_elo,
        round_draw=draw,
    )


def interval(samples: Floats) -> tuple[Floats, Floats]:
    """Between which values the middle 95 % of the rounds lie, for each column."""
    low, high = np.quantile(samples, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2], axis=0)
    return low, high


def _resample(table: Crosstable, strengths: Strengths, *, rounds: int, rng: np.random.Generator) -> Floats:
    """The maxima of so many rounds, each of randomly weighted games: strengths, seat, log(v), in units of d."""
    teams = table.teams
    start = np.concatenate([strengths.elo / ELO, [strengths.seat_elo / ELO, np.log(strengths.draw)]])
    chunk = max(1, CHUNK_NUMBERS // (teams * teams + OUTCOMES * len(table.first) + 1))
    variance = _variance(int(table.bunches.sum()), teams)
    found = []
    for begin in range(0, rounds, chunk):
        size = min(chunk, rounds - begin)
        # Bunches of one kind weigh as much together as the sum of their weights.
        played = table.weigh(rng.gamma(table.bunches / variance, variance, (size, len(table.bunches))))
        average = np.maximum(rng.standard_gamma(strengths.prior, (size, 2, teams)), LEAST_WEIGHT)
        equals = np.maximum(rng.standard_gamma(PRIOR, (size, OUTCOMES)), LEAST_WEIGHT)
        found.append(maximise(table, Weights(played, average, equals), start=start, tolerance=TOLERANCE))
    return np.concatenate(found)


def _variance(bunches: int, teams: int) -> float:
    """Of a bunch's weight. More than 1, as fitted strengths are nearer to the games than the true ones are."""
    return min(MOST_VARIANCE, (bunches + 1) / max(1, bunches - (teams - 1)))


def _align(elo: Floats, strengths: Strengths) -> None:
    """Move each round's strengths, island by island, to where most teams stand where they stood.

    The mean will not do: in a round in which one team that never lost runs away, it would move all others.
    """
    for name in range(int(strengths.island.max(initial=-1)) + 1):
        here = strengths.island == name
        elo[:, here] -= np.median(elo[:, here] - strengths.elo[here], axis=1, keepdims=True)


def _superiority(elo: Floats, island: Ints) -> Floats:
    """The share of the rounds in which one is stronger than another; a half where nothing connects them."""
    found = np.empty((len(island), len(island)))
    for team in range(len(island)):
        found[team] = (elo[:, [team]] > elo).mean(axis=0)
    return np.where((island[:, None] != island) | np.eye(len(island), dtype=bool), 0.5, found)


def _ranks(elo: Floats, island: Ints) -> tuple[Ints, Ints]:
    """The interval of each team's rank; teams of other islands may all be better, or none."""
    low, high = np.ones(len(island), dtype=np.int64), np.full(len(island), len(island), dtype=np.int64)
    for name in range(int(island.max(initial=-1)) + 1):
        here = island == name
        ranks = np.argsort(np.argsort(-elo[:, here], axis=1), axis=1) + 1
        ends = np.quantile(ranks, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2], axis=0, method="inverted_cdf")
        low[here], high[here] = ends[0], ends[1] + (~here).sum()
    return low, high


def _groups(strengths: Strengths, low: Floats, high: Floats) -> tuple[tuple[int, ...], ...]:
    """The teams in order of strength, those whose intervals overlap with the first of a group in one group."""
    groups: list[list[int]] = []
    for team in np.argsort(-strengths.elo, kind="stable").tolist():
        best = groups[-1][0] if groups else None
        is_apart = best is None or (strengths.island[team] == strengths.island[best] and high[team] < low[best])
        if is_apart:
            groups.append([])
        groups[-1].append(team)
    return tuple(tuple(group) for group in groups)

"""Strengths of all teams of a tournament, with draws and the advantage of the first move, from who beat whom.

The model is Davidson's (1970), with the order effect of Davidson and Beaver (1977). With d = strength of seat 0
- strength of seat 1 + advantage of seat 0, the three outcomes are as likely as

    win : draw : loss  =  exp(d/2) : v : exp(-d/2)

and v says how often equals draw. A draw counts as half a win and half a loss, as in a table, so that among teams that
met all others equally often, in both seats, the order of the strengths is the order of the points. (In Rao and
Kupper's model, a draw counts as a whole win and a whole loss.) 400 Elo are ten wins for each loss.

Each team also won and lost some part of a game against an average one, and seat 0 won, drew and lost half a game
among equals: who never lost stays finite, and the maximum exists and is unique whatever was played. That part is half
a game, or more where the field turns out to be close together (empirical Bayes): of many teams with few games each,
the best ones were the lucky ones too, and without this their strengths would promise more than they keep.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ludus.ratings.encounters import DRAW, LOSS, OUTCOMES, WIN, Crosstable, Encounters, Floats, Ints, crosstable

ELO = 400 / math.log(10)  # Elo of one unit of d
PRIOR = 0.5  # of a game, for each outcome: the least
MOST_PRIOR = 20.0
PRIOR_VARIANCE = 8.0  # of strengths where only PRIOR is known of them, in units of d
PRIOR_TEAMS = 2  # so many teams of that variance are added to what the field says
PRIOR_STEPS = 30
MOST_STEPS = 200
PULL, TILT, SPREAD, DRAW_PULL, DRAW_SPREAD = range(5)  # derivatives, as _moments says


class Weights(NamedTuple):
    """What is fitted, in rounds at once: played games, each team's games against an average one, seats among equals."""

    played: Floats  # (rounds, 3, pairs), by outcome of seat 0
    average: Floats  # (rounds, 2, teams): lost, won
    equals: Floats  # (rounds, 3), by outcome of seat 0


@dataclass(frozen=True, eq=False)
class Strengths:
    """Fitted to games. Teams of different islands never met, not even through others: their Elo do not compare."""

    elo: Floats  # by team; of mean 0 on each island
    seat_elo: float  # what moving first is worth
    draw: float  # v of the model: draws among equals for each win of either
    island: Ints  # by team
    prior: float = PRIOR  # the games that each team also won, and lost, against an average one

    def chances(self, first: int, second: int) -> tuple[float, float, float]:
        """How likely seat 0 loses, draws and wins."""
        half = (float(self.elo[first] - self.elo[second]) + self.seat_elo) / ELO / 2
        loss, draw, win = math.exp(-half), self.draw, math.exp(half)
        total = loss + draw + win
        return loss / total, draw / total, win / total


def fit(games: Encounters) -> Strengths:
    """The likeliest strengths. Pure; without any game, all are 0."""
    table = crosstable(games)
    played, equals = table.counts(), np.full((1, OUTCOMES), PRIOR)
    prior, solution = PRIOR, np.zeros(table.teams + 2)
    for _ in range(PRIOR_STEPS):
        weights = Weights(played, np.full((1, 2, table.teams), prior), equals)
        (solution,) = maximise(table, weights, start=solution, tolerance=1e-7)
        before, prior = prior, _prior_of_field(table, weights, solution)
        if abs(prior - before) < 0.01 * before:
            break
    island, elo = islands(table), solution[:-2] * ELO
    for name in range(int(island.max(initial=-1)) + 1):
        elo[island == name] -= elo[island == name].mean()
    return Strengths(elo, float(solution[-2]) * ELO, math.exp(solution[-1]), island, before)


def _prior_of_field(table: Crosstable, weights: Weights, solution: Floats) -> float:
    """The games against an average team that fit this field: an EM step for the variance of its strengths.

    A strength known from `a` games won and `a` lost has about the variance 2/a + 1/a**2.
    """
    _, curvature = _derivatives(table, weights, solution[None, :])
    unsure = np.diagonal(np.linalg.inv(curvature[0]))[:-2]
    squares = float((solution[:-2] ** 2 + unsure).sum()) + PRIOR_TEAMS * PRIOR_VARIANCE
    variance = squares / (table.teams + PRIOR_TEAMS)
    return min(MOST_PRIOR, max(PRIOR, (1 + math.sqrt(1 + variance)) / variance))


def islands(table: Crosstable) -> Ints:
    """For each team, the number of its island: teams connected through games, numbered in the order of the teams."""
    label = list(range(table.teams))

    def root(team: int) -> int:
        while label[team] != team:
            label[team] = label[label[team]]
            team = label[team]
        return team

    for one, other in zip(table.first.tolist(), table.second.tolist(), strict=True):
        low, high = sorted((root(one), root(other)))
        label[high] = low
    _, numbers = np.unique([root(team) for team in range(table.teams)], return_inverse=True)
    return numbers.astype(np.int64)


def maximise(table: Crosstable, weights: Weights, *, start: Floats, tolerance: float) -> Floats:
    """For each round the maximum of its likelihood: strengths, seat advantage and log(v), in units of d.

    Newton's method on a concave function, each step shortened as for generalised self-concordant functions (Sun and
    Tran-Dinh 2019): every step climbs, without looking at the likelihood itself, and the last ones are whole.
    """
    found = np.tile(start, (len(weights.equals), 1))
    busy = np.arange(len(found))
    for _ in range(MOST_STEPS):
        part = Weights(*(kind[busy] for kind in weights)) if len(busy) < len(found) else weights
        gradient, curvature = _derivatives(table, part, found[busy])
        step = np.linalg.solve(curvature, gradient[..., None])[..., 0]
        strengths, others = step[:, :-2], np.abs(step[:, -2:]).sum(axis=1)
        reach = strengths.max(axis=1, initial=0) - strengths.min(axis=1, initial=0) + others
        found[busy] += step * (np.log1p(reach) / np.maximum(reach, 1e-300))[:, None]
        busy = busy[reach > tolerance]
        if not len(busy):
            return found
    raise AssertionError(f"{len(busy)} of {len(found)} fits did not come to rest")


def _derivatives(table: Crosstable, weights: Weights, at: Floats) -> tuple[Floats, Floats]:
    """Gradient and negated second derivatives of the log-likelihood, shapes (rounds, n) and (rounds, n, n)."""
    rounds, teams = len(at), table.teams
    strength, seat, log_draw = at[:, :teams], at[:, teams], at[:, teams + 1]
    d = strength[:, table.first] - strength[:, table.second] + seat[:, None]
    moments = _moments(weights.played, d, log_draw[:, None])
    spread = moments[:, SPREAD]
    as_first, as_second = table.by_team(moments[:, : SPREAD + 1])
    own = as_first - as_second

    gradient, curvature = np.zeros((rounds, teams + 2)), np.zeros((rounds, teams + 2, teams + 2))
    curvature[:, table.first, table.second] -= spread
    curvature[:, table.second, table.first] -= spread
    lost, won = weights.average[:, 0], weights.average[:, 1]
    chance = 1 / (1 + np.exp(-strength))
    every = np.arange(teams)
    gradient[:, :teams] = own[:, PULL] + won - (won + lost) * chance
    curvature[:, every, every] += as_first[:, SPREAD] + as_second[:, SPREAD] + (won + lost) * chance * (1 - chance)
    for column, part in ((teams, SPREAD), (teams + 1, TILT)):
        curvature[:, :teams, column] = curvature[:, column, :teams] = own[:, part]

    equals = _moments(weights.equals[:, :, None], seat[:, None], log_draw[:, None])
    totals = moments.sum(axis=2) + equals.sum(axis=2)
    gradient[:, teams], gradient[:, teams + 1] = totals[:, PULL], totals[:, DRAW_PULL]
    curvature[:, teams, teams], curvature[:, teams + 1, teams + 1] = totals[:, SPREAD], totals[:, DRAW_SPREAD]
    curvature[:, teams, teams + 1] = curvature[:, teams + 1, teams] = totals[:, TILT]
    return gradient, curvature


def _moments(weights: Floats, d: Floats, log_draw: Floats) -> Floats:
    """Of games at a difference d, in shape (rounds, 5, games): the derivatives of their log-likelihood.

    By d, minus by d and log(v), minus by d twice; by log(v), minus by log(v) twice. Seat 0's outcome is worth -1/2, 0
    or 1/2 here; everything is a mean or a variance of that and of being drawn.
    """
    loss, draw, win = weights[:, LOSS], weights[:, DRAW], weights[:, WIN]
    up, flat = np.exp(d / 2), np.exp(log_draw)
    down = 1 / up
    total = up + down + flat
    games = loss + draw + win
    mean, drawn = (up - down) / (2 * total), flat / total
    found = np.empty((len(d), 5, d.shape[1]))
    found[:, PULL] = (win - loss) / 2 - games * mean
    found[:, TILT] = -games * mean * drawn
    found[:, SPREAD] = games * ((1 - drawn) / 4 - mean * mean)
    found[:, DRAW_PULL] = draw - games * drawn
    found[:, DRAW_SPREAD] = games * drawn * (1 - drawn)
    return found

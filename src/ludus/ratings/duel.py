"""What a duel of two is worth: Elo with an interval, likelihood of superiority, sequential tests. Pure arithmetic.

Games are counted in pairs: one opening played twice, sides swapped. A pair gives 0, 1/2, 1, 3/2 or 2 points, so five
counts say everything (hence "pentanomial"). Both games of a pair share the luck of the opening; counted singly they
would seem more certain, or less, than they are.

    share   points per game, 0 to 1
    Elo     400 * log10(share / (1 - share)), the logistic scale
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

Pairs = tuple[int, int, int, int, int]  # how many pairs gave 0, 1/2, 1, 3/2 and 2 points

SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)  # points per game of each kind of pair
CONFIDENCE = 0.95
# A kind of pair not yet seen counts as this many, or no distribution could have any mean that is asked for.
UNSEEN = 1e-3


@dataclass(frozen=True)
class Estimate:
    """The share of the points and the Elo difference, each with its interval; infinite where nothing bounds it."""

    share: float
    share_low: float
    share_high: float
    elo: float
    elo_low: float
    elo_high: float
    superiority: float  # the likelihood that the first is the better one

    @property
    def elo_error(self) -> float:
        """Half the width of the interval."""
        return (self.elo_high - self.elo_low) / 2


@dataclass(frozen=True)
class Bounds:
    """Of a sequential test: is the difference elo0 (accept at `lower`) or elo1 (accept at `upper`)?"""

    elo0: float
    elo1: float
    alpha: float = 0.05  # how often elo1 is accepted though elo0 is true
    beta: float = 0.05  # how often elo0 is accepted though elo1 is true

    @property
    def lower(self) -> float:
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        return math.log((1 - self.beta) / self.alpha)

    def verdict(self, ratio: float) -> str | None:
        """Either "elo0" or "elo1" once the logarithm of the likelihood ratio has left the bounds, else None."""
        return "elo0" if ratio <= self.lower else "elo1" if ratio >= self.upper else None


def elo_of_share(share: float) -> float:
    """The Elo difference at which this share of the points is expected; infinite for all or nothing."""
    if share <= 0:
        return -math.inf
    if share >= 1:
        return math.inf
    return 400 * math.log10(share / (1 - share))


def share_of_elo(elo: float) -> float:
    """The share of the points expected at this Elo difference."""
    return 1 / (1 + math.pow(10, -elo / 400))


def count_pairs(doubled_points: Sequence[int]) -> Pairs:
    """The five counts of pairs whose points, doubled, are given: 0 to 4 each."""
    zero, half, one, more, two = (sum(1 for points in doubled_points if points == kind) for kind in range(5))
    return zero, half, one, more, two


def mean_and_variance(weights: Sequence[float]) -> tuple[float, float]:
    """Of the points per game of a pair, over pairs with these weights."""
    total = sum(weights)
    mean = sum(weight * share for weight, share in zip(weights, SHARES, strict=True)) / total
    return mean, sum(weight * (share - mean) ** 2 for weight, share in zip(weights, SHARES, strict=True)) / total


def estimate(pairs: Pairs) -> Estimate:
    """What these pairs say about the difference; without any pair, that nothing is known."""
    number = sum(pairs)
    if number == 0:
        return Estimate(0.5, 0.0, 1.0, 0.0, -math.inf, math.inf, 0.5)
    mean, variance = mean_and_variance(pairs)
    if variance == 0:
        low, high, superiority = _all_alike(mean, number)
    else:
        error = math.sqrt(variance / number)
        reach = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * error
        low, high = max(0.0, mean - reach), min(1.0, mean + reach)
        superiority = NormalDist().cdf((mean - 0.5) / error)
    return Estimate(mean, low, high, elo_of_share(mean), elo_of_share(low), elo_of_share(high), superiority)


def _all_alike(mean: float, number: int) -> tuple[float, float, float]:
    """Interval and superiority where every pair gave the same points, so that there is no variance to go by.

    As many other pairs as could have stayed unseen so long (Clopper and Pearson) may all have been lost, or won.
    """
    unseen = 1 - ((1 - CONFIDENCE) / 2) ** (1 / number)
    superiority = 0.5 if mean == 0.5 else 1 - 0.5 ** (number + 1)  # from a uniform prior
    low, high = mean * (1 - unseen), mean * (1 - unseen) + unseen
    return (0.0 if mean == 0 else low), (1.0 if mean == 1 else high), superiority if mean >= 0.5 else 1 - superiority


def log_likelihood_ratio(pairs: Pairs, bounds: Bounds) -> float:
    """How much likelier the pairs are if the difference is elo1 than if it is elo0, as a logarithm.

    Generalised: of all distributions of pairs with the mean that a hypothesis says, the likeliest one speaks for it.
    """
    if sum(pairs) == 0:
        return 0.0
    weights = [max(UNSEEN, count) for count in pairs]
    under_zero, under_one = (_likeliest(weights, share_of_elo(elo)) for elo in (bounds.elo0, bounds.elo1))
    return sum(weight * (one - zero) for weight, zero, one in zip(weights, under_zero, under_one, strict=True))


def _likeliest(weights: Sequence[float], mean: float) -> list[float]:
    """The logarithms of the probabilities that maximise the likelihood among those with this mean.

    They are w / (1 + x * (share - mean)), w the observed frequencies, for the x that gives this mean.
    """
    total = sum(weights)
    distances = [share - mean for share in SHARES]
    low, high = -1 / max(distances), -1 / min(distances)  # between them, all denominators are positive

    def excess(x: float) -> float:  # falls from +infinity to -infinity
        return sum(weight * far / (1 + x * far) for weight, far in zip(weights, distances, strict=True))

    for _ in range(100):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    x = (low + high) / 2
    return [math.log(weight / total / (1 + x * far)) for weight, far in zip(weights, distances, strict=True)]

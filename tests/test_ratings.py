"""Elo, intervals, superiority and sequential tests: against plain statistics, and against games simulated by dice."""

from __future__ import annotations

import math
import random
import statistics

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.ratings.duel import (
    SHARES,
    UNSEEN,
    Bounds,
    _likeliest,
    count_pairs,
    elo_of_share,
    estimate,
    log_likelihood_ratio,
    share_of_elo,
)

five_counts = st.tuples(*[st.integers(0, 200)] * 5).filter(lambda pairs: sum(pairs) > 0)


def pair_points(pairs):
    """The points per game of each pair, one by one."""
    return [share for share, count in zip(SHARES, pairs, strict=True) for _ in range(count)]


def draw_pairs(rng, weights, number):
    return count_pairs(rng.choices(range(5), weights, k=number))


def weights_of_mean(mean, drawn=0.3, certain=0.5):
    """Chances of the five pairs: two games that share luck, so neither independent nor equal."""
    win, loss = mean - drawn / 2, 1 - mean - drawn / 2
    single = (loss, drawn, win)
    chances = [0.0] * 5
    for i, one in enumerate(single):
        chances[2 * i] += certain * one
        for j, other in enumerate(single):
            chances[i + j] += (1 - certain) * one * other
    return chances


def test_elo_and_share_are_the_logistic_curve():
    assert elo_of_share(0.5) == 0
    assert elo_of_share(0.75) == pytest.approx(190.8485, abs=1e-4)
    assert elo_of_share(10 / 11) == pytest.approx(400)
    assert (elo_of_share(0), elo_of_share(1)) == (-math.inf, math.inf)
    for elo in (-300, -1.5, 0, 20, 777):
        assert elo_of_share(share_of_elo(elo)) == pytest.approx(elo)


@given(five_counts)
def test_an_estimate_is_plain_statistics_of_the_pairs(pairs):
    points = pair_points(pairs)
    found = estimate(pairs)
    assert found.share == pytest.approx(statistics.fmean(points))
    assert found.elo == pytest.approx(elo_of_share(found.share))
    assert found.share_low <= found.share <= found.share_high
    deviation = statistics.pstdev(points)
    if deviation > 0:
        error = deviation / math.sqrt(len(points))
        assert found.share_high == pytest.approx(min(1, found.share + 1.959964 * error), abs=1e-6)
        assert found.superiority == pytest.approx(0.5 * math.erfc((0.5 - found.share) / error / math.sqrt(2)))


@given(five_counts)
def test_the_other_side_sees_the_same_mirrored(pairs):
    found, other = estimate(pairs), estimate(pairs[::-1])
    assert found.share == pytest.approx(1 - other.share)
    assert found.superiority == pytest.approx(1 - other.superiority, abs=1e-9)
    assert found.share_low == pytest.approx(1 - other.share_high, abs=1e-9)
    mirrored = log_likelihood_ratio(pairs[::-1], Bounds(-30, 10))
    assert log_likelihood_ratio(pairs, Bounds(-10, 30)) == pytest.approx(-mirrored, abs=1e-6)


def test_all_won_is_infinite_above_and_bounded_below():
    found = estimate((0, 0, 0, 0, 20))
    assert found.elo == found.elo_high == math.inf
    # Clopper and Pearson: 20 successes of 20 leave 0.8316 as the lower end of a 95 % interval.
    assert found.share_low == pytest.approx(0.8316, abs=1e-4)
    lost = estimate((20, 0, 0, 0, 0))
    assert (lost.elo, lost.elo_low) == (-math.inf, -math.inf) and math.isfinite(lost.elo_high)
    assert estimate((20, 0, 0, 0, 0)).superiority == pytest.approx(0.5**21)


def test_pairs_that_are_always_split_leave_a_doubt():
    found = estimate((0, 0, 10, 0, 0))
    assert found.elo == 0 and found.superiority == 0.5
    assert found.share_low < 0.4 and found.share_high > 0.6
    one = estimate((0, 0, 1, 0, 0))
    assert one.share_low < 0.1


def test_without_pairs_nothing_is_known():
    nothing = estimate((0, 0, 0, 0, 0))
    assert (nothing.share_low, nothing.share_high, nothing.superiority) == (0, 1, 0.5)
    assert log_likelihood_ratio((0, 0, 0, 0, 0), Bounds(0, 10)) == 0


def test_an_interval_covers_the_truth_about_as_often_as_it_says():
    rng, truth = random.Random(3), 0.6
    weights = weights_of_mean(truth)
    found = [estimate(draw_pairs(rng, weights, 60)) for _ in range(600)]
    covered = sum(one.share_low <= truth <= one.share_high for one in found) / len(found)
    assert 0.92 < covered < 0.975


@settings(max_examples=60)
@given(five_counts, st.floats(-300, 300), st.integers(0, 1000))
def test_no_distribution_of_that_mean_is_likelier(pairs, elo, seed):
    """The problem is concave: what no small step improves is the best."""
    rng, mean = random.Random(seed), share_of_elo(elo)
    weights = [max(UNSEEN, count) for count in pairs]
    chances = [math.exp(log) for log in _likeliest(weights, mean)]
    assert sum(chances) == pytest.approx(1, abs=1e-6)
    assert sum(p * share for p, share in zip(chances, SHARES, strict=True)) == pytest.approx(mean, abs=1e-6)
    best = sum(w * math.log(p) for w, p in zip(weights, chances, strict=True))
    for _ in range(20):
        # A step that keeps sum and mean: second differences of the equally spaced shares.
        steps = [rng.uniform(-1, 1) for _ in range(3)]
        change = [0.0] * 5
        for at, step in enumerate(steps):
            for offset, factor in enumerate((1, -2, 1)):
                change[at + offset] += step * factor
        size = 0.1 * min(p / abs(c) for p, c in zip(chances, change, strict=True) if c)
        other = sum(w * math.log(p + size * c) for w, p, c in zip(weights, chances, change, strict=True))
        assert other <= best + 1e-7 * abs(best)


def test_of_many_pairs_the_ratio_is_that_of_a_normal_distribution():
    pairs = (400, 1000, 2000, 1100, 500)
    points, bounds = pair_points(pairs), Bounds(0, 5)
    s0, s1 = share_of_elo(0), share_of_elo(5)
    mean, variance = statistics.fmean(points), statistics.pvariance(points)
    normal = len(points) * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
    assert log_likelihood_ratio(pairs, bounds) == pytest.approx(normal, rel=0.02)


def test_wins_alone_decide_as_coins_do():
    """Where all pairs are 0 or 2 points, the ratio is that of a biased coin, but for what was never seen."""
    pairs, bounds = (30, 0, 0, 0, 50), Bounds(0, 60)
    s0, s1 = share_of_elo(0), share_of_elo(60)
    coin = 50 * math.log(s1 / s0) + 30 * math.log((1 - s1) / (1 - s0))
    assert log_likelihood_ratio(pairs, bounds) == pytest.approx(coin, abs=0.01)


def test_the_bounds_are_walds():
    bounds = Bounds(0, 10)
    assert (bounds.lower, bounds.upper) == (pytest.approx(-2.944439), pytest.approx(2.944439))
    assert [bounds.verdict(ratio) for ratio in (-3, 0, 3)] == ["elo0", None, "elo1"]


@pytest.mark.parametrize(("truth", "wrong"), [(0.0, "elo1"), (80.0, "elo0")])
def test_a_sequential_test_errs_about_as_often_as_it_may(truth, wrong):
    rng, bounds = random.Random(11), Bounds(0, 80)
    weights = weights_of_mean(share_of_elo(truth), drawn=0.2)
    verdicts = [_sequential(rng, weights, bounds) for _ in range(160)]
    assert 0 < verdicts.count(wrong) / len(verdicts) < 0.09


def _sequential(rng, weights, bounds):
    pairs = [0, 0, 0, 0, 0]
    while True:
        for kind in rng.choices(range(5), weights, k=3):
            pairs[kind] += 1
        verdict = bounds.verdict(log_likelihood_ratio(tuple(pairs), bounds))
        if verdict is not None:
            return verdict

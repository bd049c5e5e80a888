"""Strengths against a slow maximiser, against the truth that made the games, and where data say almost nothing."""

from __future__ import annotations

import math
import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dice import chances, league, normal_field, result
from ludus.ratings.bradley_terry import ELO, MOST_PRIOR, PRIOR, fit
from ludus.ratings.encounters import crosstable, encounters_of

TEAMS = 4
some_games = st.lists(
    st.tuples(st.integers(0, TEAMS - 1), st.integers(0, TEAMS - 1), st.integers(0, 2), st.integers(0, 2)).filter(
        lambda game: game[0] != game[1]
    ),
    max_size=14,
).map(lambda games: [result(first, second, outcome, board=board) for first, second, outcome, board in games])


def fitted(results, teams=TEAMS):
    return fit(encounters_of(results, teams=teams))


def log_likelihood(results, elo, seat, draw, prior):
    """By definition, one game after the other, the games of the prior among them."""
    total = 0.0
    for game in results:
        first, second = game.pairing.first, game.pairing.second
        outcome = 1 if game.winner is None else 2 if game.winner == first else 0
        total += math.log(chances(elo[first] - elo[second], seat=seat, draw=draw)[outcome])
    for one in elo:
        total += prior * sum(math.log(p) for p in chances(one)[::2])
    return total + PRIOR * sum(math.log(p) for p in chances(0, seat=seat, draw=draw))


def climb(results, teams, prior):
    """A slow maximum: one parameter after the other, ever smaller steps, as long as anything climbs."""
    at, step = [0.0] * (teams + 2), 200.0

    def worth(point):
        return log_likelihood(results, point[:teams], point[teams], math.exp(point[teams + 1] / 100), prior)

    best = worth(at)
    while step > 0.02:
        has_climbed = False
        for index in range(teams + 2):
            for way in (step, -step):
                tried = [*at]
                tried[index] += way
                if worth(tried) > best:
                    at, best, has_climbed = tried, worth(tried), True
        step = step if has_climbed else step / 2
    mean = sum(at[:teams]) / teams
    return [one - mean for one in at[:teams]], at[teams], math.exp(at[teams + 1] / 100)


@settings(max_examples=25, deadline=None)
@given(some_games)
def test_a_slow_maximiser_finds_the_same(results):
    found = fitted(results)
    if len(set(found.island.tolist())) > 1:  # then every island has a zero of its own
        results = [*results, *(result(one, one + 1, one % 3) for one in range(TEAMS - 1))]
        found = fitted(results)
    elo, seat, draw = climb(results, TEAMS, found.prior)
    assert found.elo == pytest.approx(elo, abs=1.0)
    assert found.seat_elo == pytest.approx(seat, abs=1.0)
    assert math.log(found.draw) == pytest.approx(math.log(draw), abs=0.01)


@given(some_games)
def test_the_crosstable_counts_every_game_once(results):
    table = crosstable(encounters_of(results, teams=TEAMS))
    (counts,) = table.counts()
    plain = Counter(
        (game.pairing.first, game.pairing.second, 1 if game.winner is None else 2 * (game.winner == game.pairing.first))
        for game in results
    )
    pairs = list(zip(table.first.tolist(), table.second.tolist(), strict=True))
    found = {(*pair, outcome): counts[outcome][at] for at, pair in enumerate(pairs) for outcome in range(3)}
    assert {key: count for key, count in found.items() if count} == plain
    bunches = {(frozenset(game.pairing[4:6]), game.pairing.board) for game in results}
    assert table.bunches.sum() == len(bunches)


@settings(max_examples=40)
@given(st.integers(2, 7), st.integers(1, 2), st.integers(0, 10_000))
def test_where_all_meet_equally_often_strengths_are_in_the_order_of_points(teams, rounds, seed):
    rng = random.Random(seed)
    results = [result(a, b, rng.randrange(3)) for a in range(teams) for b in range(teams) if a != b] * rounds
    points = Counter()
    for game in results:
        points[game.pairing.first] += game.points[0]
        points[game.pairing.second] += game.points[1]
    found = fitted(results, teams)
    for a in range(teams):
        for b in range(teams):
            if points[a] == points[b]:
                assert found.elo[a] == pytest.approx(found.elo[b], abs=1e-3)
            else:
                assert (points[a] > points[b]) == (found.elo[a] > found.elo[b])


@given(some_games)
def test_seats_exchanged_change_nothing_but_the_sign_of_their_advantage(results):
    mirrored = [
        game._replace(pairing=game.pairing._replace(first=game.pairing.second, second=game.pairing.first))
        for game in results
    ]
    found, other = fitted(results), fitted(mirrored)
    assert found.elo == pytest.approx(other.elo, abs=1e-3)
    assert found.seat_elo == pytest.approx(-other.seat_elo, abs=1e-3)
    assert found.draw == pytest.approx(other.draw, rel=1e-4)


def test_many_games_give_back_what_made_them():
    truth = normal_field(12, 250, 5)
    found = fitted(league(truth, games=200, seed=6, seat=45, draw=0.7), 12)
    assert found.elo == pytest.approx(truth, abs=35)
    assert found.seat_elo == pytest.approx(45, abs=8)
    assert found.draw == pytest.approx(0.7, abs=0.05)
    assert found.chances(3, 8) == pytest.approx(chances(truth[3] - truth[8], seat=45, draw=0.7), abs=0.04)


def test_a_seat_that_decides_every_game_is_no_strength():
    results = [result(a, b, 2) for a in range(5) for b in range(5) if a != b]
    found = fitted(results, 5)
    assert found.elo == pytest.approx([0] * 5, abs=1e-3)
    assert found.seat_elo > 400


def test_who_never_lost_stays_finite_and_more_games_count():
    found = [fitted(league([900, -900], games=games, seed=1), 2).elo for games in (4, 40)]
    assert 100 < found[0][0] < found[1][0] < 2000


def test_one_game_says_a_little():
    found = fitted([result(0, 1, 2)], 2)
    assert 0 < found.elo[0] < 200
    assert found.elo[0] == -found.elo[1]


def test_without_games_all_are_equal():
    for teams in (0, 1, 3):
        found = fitted([], teams)
        assert found.elo.tolist() == [0] * teams and found.island.tolist() == list(range(teams))


def test_only_draws_make_equals_that_draw():
    found = fitted([result(a, b, 1) for a in range(4) for b in range(4) if a != b] * 5)
    assert found.elo == pytest.approx([0] * 4, abs=1e-3)
    assert found.chances(0, 1)[1] > 0.9


def test_islands_have_a_zero_each():
    found = fitted([result(0, 1, 2)] * 9 + [result(2, 3, 2)] * 2 + [result(3, 2, 0)])
    assert found.island.tolist() == [0, 0, 1, 1]
    assert found.elo[0] + found.elo[1] == pytest.approx(0, abs=1e-6)
    assert found.elo[2] + found.elo[3] == pytest.approx(0, abs=1e-6)


def test_what_the_machine_lost_counts_for_nobody():
    played = [result(0, 1, 2, board=board) for board in range(6)]
    crashed = [result(1, 0, 2, board=board, status="crashed") for board in range(50)]
    found, plain = fitted([*crashed, *played], 2), fitted(played, 2)
    assert found.elo.tolist() == plain.elo.tolist() and found.seat_elo == plain.seat_elo


def test_of_many_teams_with_few_games_the_best_do_not_promise_too_much():
    """Equals by dice: what a team seems to be worth is luck. More teams say so, and strengths are drawn together."""
    few, many = (fitted(league([0.0] * teams, games=1, seed=2, draw=0.3), teams) for teams in (3, 60))
    assert PRIOR <= few.prior < many.prior <= MOST_PRIOR
    assert np.abs(many.elo).max() < 120
    wide = fitted(league(normal_field(60, 600, 3), games=1, seed=2), 60)
    assert wide.prior < 1


def test_the_scale_is_ten_wins_a_loss():
    assert math.exp(400 / ELO) == pytest.approx(10)

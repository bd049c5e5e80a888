"""What a table is worth: replays of real formats, against plain arithmetic and against the truth by dice."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from dice import chances, league, normal_field, result
from ludus.events.event import event_names, load_event
from ludus.ratings.bootstrap import bootstrap
from ludus.ratings.bradley_terry import Strengths
from ludus.ratings.encounters import encounters_of
from ludus.ratings.worth import Apart, apart, luck_of_the_draw, simulator, worth
from ludus.tournament.pairing import Meeting, Pairing
from ludus.tournament.plan import plan_of
from ludus.tournament.pools import PoolSettings, Stage, pools_to_final
from ludus.tournament.round_robin import round_robin
from ludus.tournament.tables import Ranking

PLAIN = simulator([])


def known(results, teams, rounds=300):
    return bootstrap(encounters_of(results, teams=teams), rounds=rounds)


def certain(elo, *, seat=0.0, draw=0.5):
    """Confidence in exactly these strengths."""
    teams = len(elo)
    truth = Strengths(np.array(elo, dtype=float), seat, draw, np.zeros(teams, dtype=np.int64))
    found = known([], teams, rounds=1)
    rounds = {"round_elo": truth.elo[None, :], "round_seat_elo": np.array([seat]), "round_draw": np.array([draw])}
    return replace(found, strengths=truth, **rounds)


def round_robin_of(teams, games=1):
    return lambda seed: round_robin(teams, Meeting(games), Ranking(seed=seed))


def two_pools_of(teams):
    settings = PoolSettings((Stage("group", 2, 2), Stage("final", 1, 0)), smallest_pool=3)
    return lambda seed: pools_to_final(teams, settings, Meeting(), Ranking(seed=seed))


def placed(make_format, simulate, strengths, rng):
    """One tournament, and all its results."""
    form, played = make_format(rng.getrandbits(30)), []
    try:
        current = next(form)
        while True:
            results = [simulate(pairing, strengths, rng) for pairing in current.pairings]
            played += results
            current = form.send(results)
    except StopIteration as end:
        return {place.team: place.place for place in end.value.placing}, played


def test_of_one_game_between_two_the_chances_are_those_of_the_model():
    found = worth(round_robin_of(2), PLAIN, certain([120, 0], seat=30, draw=0.6), replays=4000)
    (pairing,) = next(round_robin_of(2)(0)).pairings
    sign = 1 if pairing.first == 0 else -1
    lost, drawn, won = chances(sign * 120, seat=30, draw=0.6)
    # A draw is decided by lot.
    assert found.place_chance[0, 0] == pytest.approx((won if sign == 1 else lost) + drawn / 2, abs=0.03)


@pytest.mark.parametrize("event", event_names())
def test_every_event_can_be_replayed_and_each_place_is_taken_once(event):
    plan, teams = plan_of(load_event(event)), 13
    confidence = known(league(normal_field(teams, 200, 1), games=1, seed=1, draw=0.3), teams)
    found = worth(lambda seed: plan.play(teams, seed), PLAIN, confidence, replays=25)
    assert found.replays == 25
    assert found.place_chance.sum(axis=0) == pytest.approx(np.ones(teams))
    assert found.place_chance.sum(axis=1) == pytest.approx(np.ones(teams))
    assert ((found.place_low >= 1) & (found.place_low <= found.place_high) & (found.place_high <= teams)).all()
    first_stage = next(iter(found.reached.values()))
    assert first_stage.max() <= 1


def test_an_interval_of_places_leaves_two_and_a_half_percent_on_either_side():
    found = worth(round_robin_of(9, 2), PLAIN, certain(normal_field(9, 100, 2)), replays=300)
    for team in range(9):
        low, high = int(found.place_low[team]), int(found.place_high[team])
        chance = found.place_chance[team]
        assert chance[: low - 1].sum() <= 0.025 + 1e-6 < chance[:low].sum()
        assert chance[high:].sum() <= 0.025 + 1e-6 < chance[high - 1 :].sum()


def test_equals_may_come_anywhere_and_a_giant_comes_first():
    equals = worth(round_robin_of(5), PLAIN, certain([0] * 5), replays=400)
    assert (equals.place_low == 1).all() and (equals.place_high == 5).all()
    giant = worth(round_robin_of(5, 2), PLAIN, certain([3000, 0, 0, 0, 0]), replays=100)
    assert (giant.place_low[0], giant.place_high[0]) == (1, 1)


def test_the_same_arguments_give_the_same_and_a_limit_of_games_ends_it_early():
    confidence = known(league(normal_field(6, 200, 1), games=2, seed=1), 6)
    one, same = (worth(round_robin_of(6), PLAIN, confidence, replays=60, seed=4) for _ in range(2))
    assert one.place_chance.tolist() == same.place_chance.tolist()
    short = worth(round_robin_of(6), PLAIN, confidence, replays=60, games_limit=15 * 30, seed=4)
    assert (one.replays, short.replays) == (60, 30)


@pytest.mark.parametrize("spread", [0, 250])
def test_places_of_the_event_held_again_lie_in_the_intervals_about_as_often_as_said(spread):
    inside, tried, teams = 0, 0, 10
    for seed in range(6):
        rng, make = random.Random(seed), two_pools_of(teams)
        truth = certain(normal_field(teams, spread, seed), seat=30, draw=0.4).strengths
        _, played = placed(make, PLAIN, truth, rng)
        found = worth(make, simulator(played), known(played, teams), replays=120)
        for _ in range(25):
            places, _ = placed(make, PLAIN, truth, rng)
            inside += sum(found.place_low[team] <= place <= found.place_high[team] for team, place in places.items())
            tried += teams
    assert 0.88 < inside / tried <= 1


def test_the_luck_of_the_draw_is_a_weak_pool():
    """Two of each pool of four go on; team 0 is the third strongest of all."""
    elo = [200, 1200, 1000, -900, -900, -900, -900, -900]
    make, confidence = two_pools_of(8), certain(elo, draw=0.1)

    def pool_of_team(seed):
        return next(set(pool.teams) for pool in next(make(seed)).pools if 0 in pool.teams)

    hard = next(seed for seed in range(999) if {1, 2} <= pool_of_team(seed))
    easy = next(seed for seed in range(999) if not {1, 2} & pool_of_team(seed))
    any_draw = worth(make, PLAIN, confidence, replays=300)
    for draw_seed, is_lucky in ((hard, False), (easy, True)):
        actual = worth(make, PLAIN, confidence, draw_seed=draw_seed, replays=150)
        luck = luck_of_the_draw(actual, any_draw)
        assert list(luck) == ["group", "final"]
        assert luck["group"].tolist() == [0.0] * 8
        assert luck["final"][0] > 0.1 if is_lucky else luck["final"][0] < -0.4
        assert luck["final"].sum() == pytest.approx(0, abs=1e-9)  # as many go on in any draw
    # Over draws: together with both giants in 1/7 of them, else (nearly) always on.
    assert any_draw.reached["final"][0] == pytest.approx(6 / 7, abs=0.08)


def test_simulated_games_have_the_scores_of_real_ones():
    real = [
        result(0, 1, 2)._replace(points=(Fraction(3), Fraction(0)), difference=5),
        result(1, 0, 2)._replace(points=(Fraction(2), Fraction(1)), difference=1),
        result(0, 1, 1)._replace(points=(Fraction(1), Fraction(1)), difference=0),
        result(0, 1, 0, status="crashed")._replace(difference=-99),
    ]
    simulate, strengths, rng = simulator(real), certain([0, 0, 0]).strengths, random.Random(1)
    pairing = Pairing("x", "league", "", 1, 2, 1, 0)
    seen = {simulate(pairing, strengths, rng)[1:] for _ in range(200)}
    assert seen == {
        ((3, 0), 2, 5, "win", "played"),
        ((2, 1), 2, 1, "win", "played"),
        ((1, 1), None, 0, "draw", "played"),
        ((0, 3), 1, -5, "win", "played"),  # seat 1 never won: seat 0's wins, mirrored
        ((1, 2), 1, -1, "win", "played"),
    }


@pytest.mark.parametrize(("won", "lost", "drawn"), [(9, 7, 4), (14, 10, 0), (6, 4, 10)])
def test_the_games_that_would_settle_it_settle_it(won, lost, drawn):
    """Played with the same shares of wins and draws, they bring superiority to about 97.5 %."""

    def games(factor):
        # Both seats alike; every game on a board of its own.
        outcomes = [2] * round(won * factor) + [0] * round(lost * factor) + [1] * round(drawn * factor)
        return [
            result(*seats, outcome if seats == (0, 1) else 2 - outcome, board=2 * board + seats[0])
            for board, outcome in enumerate(outcomes)
            for seats in ((0, 1), (1, 0))
        ]

    confidence = known(games(1), 2, rounds=2000)
    found = apart(confidence, 0, 1)
    assert not found.is_clear and found.more_games is not None
    total = len(games(1)) + found.more_games
    after = apart(known(games(total / len(games(1))), 2, rounds=2000), 0, 1)
    assert after.superiority == pytest.approx(0.975, abs=0.02)


def test_what_can_be_said_of_two_in_words():
    clear = apart(known(league([500, -500], games=20, seed=1), 2), 1, 0)
    assert clear.is_clear and clear.more_games == 0
    assert clear.in_words("anna", "bert") == "bert is better than anna (over 99.9%)"
    assert Apart(0.981, True, 0).in_words("anna", "bert") == "anna is better than bert (98.1%)"
    equal = apart(known([result(0, 1, 1), result(1, 0, 1)], 2), 0, 1)
    assert equal.in_words("a", "b") == "a and b cannot be told apart; no sensible number of games would"
    assert Apart(0.7, False, 18).in_words("a", "b") == "a and b cannot be told apart; about 18 more games would"
    stranger = apart(known([result(0, 1, 2), result(2, 3, 2)], 4), 0, 2)
    assert stranger.in_words("a", "b") == "a and b never met, not even through others"

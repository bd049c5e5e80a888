"""Intervals, superiority, ranks and ties: as often right as they say, by dice of known strengths."""

from __future__ import annotations

import random

import numpy as np
import pytest

from dice import league, normal_field, result
from ludus.ratings.bootstrap import bootstrap
from ludus.ratings.encounters import encounters_of


def known(results, teams, *, rounds=300, seed=0):
    return bootstrap(encounters_of(results, teams=teams), rounds=rounds, seed=seed)


def test_the_same_seed_gives_the_same_and_another_one_almost():
    results = league(normal_field(8, 200, 1), games=4, seed=1, draw=0.5)
    one, same, other = (known(results, 8, rounds=600, seed=seed) for seed in (1, 1, 2))
    assert one.low.tolist() == same.low.tolist() and one.superiority.tolist() == same.superiority.tolist()
    assert one.low.tolist() != other.low.tolist()
    assert one.low == pytest.approx(other.low, abs=60)


@pytest.mark.parametrize(
    ("teams", "games", "spread"), [(10, 2, 0), (10, 2, 300), (20, 1, 150), (24, 2, 600), (4, 10, 200)]
)
def test_an_interval_covers_the_truth_about_as_often_as_it_says(teams, games, spread):
    covered, seats, best, tries = 0.0, 0, 0, 30
    for seed in range(tries):
        truth = np.array(normal_field(teams, spread, seed))
        found = known(league(truth.tolist(), games=games, seed=seed, seat=40, draw=0.5), teams)
        is_inside = (found.low <= truth) & (truth <= found.high)
        covered += is_inside.mean() / tries
        best += is_inside[found.order[0]]
        seats += found.seat_low <= 40 <= found.seat_high
    assert 0.9 < covered < 0.995
    assert seats >= tries * 0.8
    assert best >= tries * 0.75  # the first of the table as well, though it is there by luck too


def test_a_claim_of_superiority_is_as_often_right_as_it_says():
    claimed, right, claims = 0.0, 0, 0
    for seed in range(40):
        truth = normal_field(8, 150, seed)
        superiority = known(league(truth, games=2, seed=seed, draw=0.5), 8).superiority
        for one in range(8):
            for other in range(8):
                if superiority[one, other] > 0.8:
                    claims, claimed = claims + 1, claimed + superiority[one, other]
                    right += truth[one] > truth[other]
    assert claims > 200
    assert right / claims == pytest.approx(claimed / claims, abs=0.05)


def test_superiority_of_one_is_the_doubt_of_the_other():
    found = known(league(normal_field(6, 200, 3), games=2, seed=3), 6).superiority
    assert found + found.T == pytest.approx(np.ones((6, 6)))
    assert np.diagonal(found).tolist() == [0.5] * 6


def test_of_two_without_draws_it_is_about_the_share_of_a_beta_distribution():
    rng = random.Random(5)
    for won, lost in ((7, 3), (12, 12), (20, 8), (9, 0)):
        outcomes = [2] * won + [0] * lost
        # Seats in turns, each game on a board of its own, so that seats say nothing.
        results = [
            result(0, 1, outcome, board=board) if board % 2 else result(1, 0, 2 - outcome, board=board)
            for board, outcome in enumerate(rng.sample(outcomes, len(outcomes)))
        ]
        beta = sum(rng.betavariate(won + 0.5, lost + 0.5) > 0.5 for _ in range(4000)) / 4000
        assert known(results, 2, rounds=1000).superiority[0, 1] == pytest.approx(beta, abs=0.07)


def test_who_won_everything_is_not_certain_of_much():
    found = known([result(0, 1, 2, board=board) for board in range(5)] * 2, 2)
    assert found.low[0] < found.strengths.elo[0] < found.high[0]
    assert found.high[0] - found.low[0] > 200


def test_games_on_one_board_count_as_one_opinion():
    """Ten games, each played five times over: on the same boards they are hardly more than ten, else fifty."""
    outcomes = [2, 2, 0, 2, 2, 0, 1, 2, 0, 2]  # of team 0, which begins in every second game

    def played(board, outcome):
        return result(0, 1, outcome, board=board) if board % 2 else result(1, 0, 2 - outcome, board=board)

    same, apart = (
        known([played(at + copy * step, outcome) for copy in range(5) for at, outcome in enumerate(outcomes)], 2)
        for step in (0, 10)
    )
    assert same.high[0] - same.low[0] > 1.5 * (apart.high[0] - apart.low[0])


def test_more_games_make_narrower_intervals():
    truth = normal_field(6, 200, 4)
    widths = [(known(league(truth, games=games, seed=4), 6)) for games in (2, 8, 32)]
    few, more, many = (float((found.high - found.low).mean()) for found in widths)
    assert few > 1.5 * more > 2.2 * many


def test_groups_are_those_whose_intervals_overlap_with_the_best_of_them():
    found = known(league([400, 380, 0, -10, -500], games=30, seed=2), 5)
    assert [set(group) for group in found.groups] == [{0, 1}, {2, 3}, {4}]
    for group, after in zip(found.groups, found.groups[1:], strict=False):
        assert all(found.high[team] >= found.low[group[0]] for team in group)
        assert found.high[after[0]] < found.low[group[0]]
    assert found.rank_low.tolist()[4] == found.rank_high.tolist()[4] == 5
    assert (found.rank_low[:2] == 1).all() and (found.rank_high[:2] == 2).all()


def test_equals_are_all_tied():
    results = [result(a, b, 1) for a in range(6) for b in range(6) if a != b]
    found = known(results, 6)
    assert len(found.groups) == 1
    assert np.abs(found.superiority - 0.5).max() < 0.15


def test_across_islands_nothing_is_claimed():
    won = [result(0, 1, 2, board=board) if board % 2 else result(1, 0, 0, board=board) for board in range(30)]
    found = known([*won, result(2, 3, 2)], 4)
    assert found.superiority[0, 2] == found.superiority[0, 3] == 0.5
    assert found.superiority[0, 1] > 0.95
    assert (found.rank_low[0], found.rank_high[0]) == (1, 3)
    assert (found.rank_low[1], found.rank_high[1]) == (2, 4)
    assert sorted(found.order) == [0, 1, 2, 3]


@pytest.mark.parametrize("teams", [0, 1, 2, 3])
def test_without_games_everything_is_possible(teams):
    found = known([], teams)
    assert sorted(found.order) == list(range(teams))
    assert found.rank_low.tolist() == [1] * teams and found.rank_high.tolist() == [teams] * teams
    assert (found.superiority == 0.5).all()


@pytest.mark.parametrize("outcome", [0, 1, 2])
def test_one_game_and_the_same_game_always_end_in_finite_numbers(outcome):
    for results in ([result(0, 1, outcome)], [result(a, b, outcome) for a in range(9) for b in range(a)]):
        found = known(results, 9)
        for numbers in (found.low, found.high, found.strengths.elo, found.round_elo):
            assert np.isfinite(numbers).all() and np.abs(numbers).max() < 20_000


def test_a_sample_is_one_of_the_rounds_and_they_are_counted_again():
    found = known(league([50, -50], games=6, seed=1), 2, rounds=20)
    assert found.rounds == 20
    assert found.sample(23).elo.tolist() == found.round_elo[3].tolist()
    assert found.sample(23).seat_elo == found.round_seat_elo[3]

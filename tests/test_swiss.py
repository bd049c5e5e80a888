"""Swiss: whom it pairs, checked against a search that tries everything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.tournament.matching import wished_matching
from ludus.tournament.pairing import Meeting
from ludus.tournament.swiss import SwissSettings, rounds_of, swiss
from ludus.tournament.tables import Ranking
from played_formats import Played, by_chance, by_strength, play


def can_be_matched(teams: tuple[int, ...], edges: set[frozenset[int]]) -> bool:
    """By trying everything."""
    if not teams:
        return True
    first, *rest = teams
    return any(
        frozenset((first, other)) in edges
        and can_be_matched(tuple(team for team in rest if team != other), edges)
        for other in rest
    )  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.integers(1, 5), st.data())
def test_matchings_against_trying_everything(half: int, data: st.DataObject) -> None:
    teams = tuple(range(2 * half))
    pairs = [frozenset((one, other)) for one in teams for other in range(one)]
    edges = set(data.draw(st.lists(st.sampled_from(pairs), max_size=14)))
    dice = Random(data.draw(st.integers(0, 99)))
    wished = {team: dice.sample(teams, len(teams)) for team in teams}

    def wishes(one: int, others: Iterable[int]) -> list[int]:
        return [other for other in wished[one] if other in set(others)]

    found = wished_matching(teams, lambda one, other: frozenset((one, other)) in edges, wishes)
    assert (found is not None) == can_be_matched(teams, edges)
    left = teams
    for one, other in found or []:
        assert one == left[0] and frozenset((one, other)) in edges
        for better in wished[one][: wished[one].index(other)]:
            without = tuple(team for team in left if team not in (one, better))
            is_free = better in left and frozenset((one, better)) in edges
            assert not (is_free and can_be_matched(without, edges)), "a better wish could be had"
        left = tuple(team for team in left if team not in (one, other))


def pairs_by_round(found: Played) -> list[set[frozenset[int]]]:
    return [{frozenset((p.first, p.second)) for p in current.pairings} for current in found.rounds]


@pytest.mark.parametrize("teams", range(2, 41))
def test_swiss_of_any_size(teams: int) -> None:
    found = play(swiss(teams, SwissSettings(), Meeting(2), Ranking(seed=teams)), by_chance(teams))
    rounds = pairs_by_round(found)
    assert len(rounds) == rounds_of(SwissSettings(), teams) and 2 ** len(rounds) >= teams
    assert all(count == 1 for count in Counter(pair for pairs in rounds for pair in pairs).values())
    for pairs in rounds:
        there = [team for pair in pairs for team in pair]
        assert len(there) == len(set(there)) == teams - teams % 2
    (table,) = found.outcome.tables
    assert sum(row.byes for row in table.rows) == len(rounds) * (teams % 2)
    assert max(row.byes for row in table.rows) <= 1
    seats = Counter(p.first for p in found.pairings)
    seats.subtract(p.second for p in found.pairings)
    assert not any(seats.values())


@pytest.mark.parametrize("teams", range(2, 41))
def test_single_games_leave_nobody_in_one_seat(teams: int) -> None:
    found = play(swiss(teams, SwissSettings(rounds=9), Meeting(1), Ranking()), by_chance(teams))
    seats = Counter(p.first for p in found.pairings)
    seats.subtract(p.second for p in found.pairings)
    assert max(map(abs, seats.values())) <= (2 if teams > 11 else 3)


@settings(max_examples=40, deadline=None)
@given(teams=st.integers(2, 8), seed=st.integers(0, 2**32))
def test_nobody_meets_again_before_it_must_be(teams: int, seed: int) -> None:
    found = play(swiss(teams, SwissSettings(rounds=teams + 2), Meeting(1), Ranking(seed=seed)), by_chance(seed))
    everybody = {frozenset((one, other)) for one in range(teams) for other in range(one)}
    met: set[frozenset[int]] = set()
    had_bye: Counter[int] = Counter()
    for pairs in pairs_by_round(found):
        resting = set(range(teams)) - {team for pair in pairs for team in pair}
        may_rest = [team for team in range(teams) if had_bye[team] == min(had_bye[team] for team in range(teams))]
        assert resting <= set(may_rest) and len(resting) == teams % 2
        if pairs & met:
            for bye in may_rest if teams % 2 else [None]:
                playing = tuple(team for team in range(teams) if team != bye)
                assert not can_be_matched(playing, everybody - met)
        met |= pairs
        had_bye.update(resting)


def test_like_meets_like() -> None:
    """Eight teams by hand: folded in the first round, then winners meet winners."""
    found = play(swiss(8, SwissSettings(draw="seeded"), Meeting(2), Ranking(("seed",))), by_strength(range(8)))
    rounds = [{tuple(sorted(pair)) for pair in pairs} for pairs in pairs_by_round(found)]
    assert rounds[0] == {(0, 4), (1, 5), (2, 6), (3, 7)}
    assert rounds[1] == {(0, 2), (1, 3), (4, 6), (5, 7)}
    assert (0, 1) in rounds[2] and (6, 7) in rounds[2]
    assert found.order[0] == 0 and found.order[-1] == 7


def test_a_bye_is_worth_what_is_said() -> None:
    settings = SwissSettings(rounds=1, bye_points=Fraction(3, 2), draw="seeded")
    found = play(swiss(3, settings, Meeting(2), Ranking()), by_strength(range(3)))
    (table,) = found.outcome.tables
    assert [(row.team, row.points, row.byes) for row in table.rows] == [(2, 3, 1), (0, 2, 0), (1, 0, 0)]

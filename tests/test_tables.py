"""Tables: ties by hand, and every decision over random leagues against sums made another way."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.tournament.outcome import Row, Table
from ludus.tournament.pairing import GameResult, Meeting, Pairing, Pool, derived_seed
from ludus.tournament.round_robin import round_robin
from ludus.tournament.tables import Ranking, across_pools, tables_of
from played_formats import by_chance, crashed, play, result


def game(first: int, second: int, one: float, other: float, *, difference: int = 0, kind: str | None = None):
    pairing = Pairing(f"league/{first}-{second}", "league", "", 1, first, second, 0)
    return result(pairing, one, other, difference=difference, kind=kind)


def table(games: list[GameResult], teams: int, *tie_breaks: str, seed: int = 0) -> tuple[Row, ...]:
    pool = Pool("", tuple(range(teams)))
    ranking = Ranking(tie_breaks or Ranking().tie_breaks, seed)
    (found,) = tables_of("league", [pool], games, ranking)
    return found.rows


def decisions(rows: tuple[Row, ...]) -> list[tuple[int, str]]:
    return [(row.team, row.decided_by) for row in rows]


def test_head_to_head_comes_before_wins() -> None:
    """0 and 1 have 4 points each; 1 has more wins, but 0 beat 1."""
    games = [game(0, 1, 2, 1), game(0, 2, 1, 1), game(0, 3, 1, 1), game(1, 2, 2, 1), game(1, 3, 1, 1)]
    rows = table([*games, game(2, 3, 0, 0)], 4)
    assert [(row.team, row.points, row.wins) for row in rows] == [(0, 4, 1), (1, 4, 1), (2, 2, 0), (3, 2, 0)]
    assert decisions(rows)[:2] == [(0, "head-to-head"), (1, "points")]
    assert rows[0].tie_values == (("head-to-head", 2),) and rows[1].tie_values == (("head-to-head", 1),)


def test_a_circle_of_three_goes_on_to_wins_then_difference() -> None:
    """0 beat 1, 1 beat 2, 2 beat 0, each by 2-1; 0 has one 3-0 more, the others two 2-1 each."""
    circle = [game(0, 1, 2, 1), game(1, 2, 2, 1), game(2, 0, 2, 1)]
    rest = [game(0, 3, 4, 0), game(1, 3, 2, 1, difference=1), game(1, 4, 2, 1, difference=1)]
    rest += [game(2, 3, 2, 1, difference=5), game(2, 4, 2, 1, difference=-4)]
    rows = table([*circle, *rest], 5)
    assert [(row.team, row.points, row.wins, row.difference) for row in rows[:3]] == [
        *((1, 7, 3, 2), (2, 7, 3, 1), (0, 7, 2, 0)),
    ]
    assert decisions(rows)[:3] == [(1, "difference"), (2, "wins"), (0, "points")]
    assert rows[0].tie_values == (("head-to-head", 3), ("wins", 3), ("difference", 2))
    assert rows[2].tie_values == (("head-to-head", 3), ("wins", 2))


def test_head_to_head_is_taken_anew_among_those_it_leaves_tied() -> None:
    """Of four level teams 0 has 6 among them, 1 and 2 have 4, 3 has 3; 2 beat 1, and that decides."""
    games = [game(0, 1, 2, 1), game(0, 2, 2, 1), game(0, 3, 2, 1), game(2, 1, 2, 1), game(1, 3, 2, 1)]
    games += [game(2, 3, 1, 1), game(0, 4, 0, 0), game(1, 4, 2, 2), game(2, 4, 2, 2), game(3, 4, 3, 3)]
    rows = table(games, 5, "head-to-head", "lots")
    assert [row.points for row in rows] == [7, 6, 6, 6, 6]  # 4 has 7
    level = [row for row in rows if row.points == 6]
    assert [row.team for row in level] == [0, 2, 1, 3]
    assert [row.decided_by for row in level] == ["head-to-head"] * 3 + [""]
    assert level[1].tie_values == (("head-to-head", 4), ("head-to-head", 2))
    assert level[2].tie_values == (("head-to-head", 4), ("head-to-head", 1))


def test_lots_are_drawn_by_the_seed() -> None:
    orders = {tuple(row.team for row in table([], 4, seed=seed)) for seed in range(40)}
    assert len(orders) > 10
    rows = table([], 4, seed=7)
    assert [row.team for row in rows] == sorted(range(4), key=lambda team: derived_seed(7, f"lots/league//{team}"))
    assert [row.decided_by for row in rows] == ["lots"] * 3 + [""]
    assert all(row.tie_values == (("head-to-head", 0), ("wins", 0), ("difference", 0)) for row in rows)


def test_the_order_of_tie_breaks_is_the_events() -> None:
    games = [game(0, 1, 1, 0, difference=1), game(1, 2, 1, 0, difference=9), game(2, 0, 1, 0, difference=2)]
    assert decisions(table(games, 3, "difference"))[0] == (1, "difference")
    assert [row.team for row in table(games, 3, "seed")] == [0, 1, 2]
    guilty = [game(0, 1, 1, 0, kind="timeout"), game(1, 2, 1, 0), game(2, 0, 1, 0)]
    assert decisions(table(guilty, 3, "fewer-forfeits", "seed")) == [(0, "seed"), (2, "fewer-forfeits"), (1, "")]


def test_opponents_points() -> None:
    """A point each: 0 from 2, 1 from 3, 2 from 3. Opponents of 0 have 1, of 1 none, of 2 one (its conqueror 0)."""
    games = [game(0, 2, 1, 0), game(1, 3, 1, 0), game(2, 3, 1, 0)]
    rows = table(games, 4, "opponents-points", "seed")
    assert decisions(rows) == [(0, "seed"), (2, "opponents-points"), (1, "points"), (3, "")]
    rows = table(games, 4, "beaten-points", "seed")
    assert decisions(rows) == [(0, "beaten-points"), (1, "seed"), (2, "points"), (3, "")]
    drawn = table([game(0, 1, 1, 1), game(2, 3, 1, 1), game(0, 3, 1, 0), game(2, 1, 1, 0)], 4, "beaten-points")
    assert [row.tie_values for row in drawn if row.team == 0] == [
        (("beaten-points", Fraction(3, 2)),)
    ]  # half of 1, and 1


def test_quarters_leave_no_dust() -> None:
    games = [game(0, 1, 0.1, 0.2) for _ in range(10)]
    rows = table(games, 2)
    assert [(row.team, row.points, row.against) for row in rows] == [(1, 2, 1), (0, 1, 2)]


def test_crashed_games_count_for_nothing() -> None:
    pairing = Pairing("x", "league", "", 1, 0, 1, 0)
    assert all(row.played == row.draws == 0 for row in table([crashed(pairing)], 2))


@settings(max_examples=80, deadline=None)
@given(teams=st.integers(2, 12), seed=st.integers(0, 2**32))
def test_every_decision_against_sums_made_another_way(teams: int, seed: int) -> None:
    def coarse(pairing: Pairing) -> GameResult:  # so that ties are many
        found = by_chance(seed)(pairing)
        return result(pairing, *((1, 0) if found.winner == pairing.first else (0, 1)), difference=found.difference % 2)

    found = play(round_robin(teams, Meeting(), Ranking(seed=seed)), coarse)
    (league,) = found.outcome.tables

    def points(team: int, among: set[int]) -> Fraction:
        return sum(
            (
                game.points[seat]
                for game in found.results
                for seat, (me, other) in enumerate([game.pairing[4:6], game.pairing[4:6][::-1]])
                if me == team and other in among
            ),
            Fraction(0),
        )

    everybody = set(range(teams))
    for row in league.rows:
        assert row.points == points(row.team, everybody)
        assert row.wins == sum(game.winner == row.team for game in found.results)
    for above, below in pairwise(league.rows):
        tied = {row.team for row in league.rows if row.points == above.points}
        keys = [
            (
                row.points,
                points(row.team, tied),
                row.wins,
                row.difference,
                -derived_seed(seed, f"lots/league//{row.team}"),
            )
            for row in (above, below)
        ]
        if above.decided_by == "points":
            assert keys[0][0] > keys[1][0]
        elif above.decided_by == "head-to-head":
            level = {row.team for row in league.rows if row.points == above.points}
            assert keys[0][0] == keys[1][0] and keys[0][1] >= keys[1][1] and len(level) > 1
            if len(level) == 2:
                assert keys[0][1] > keys[1][1]
        else:
            criterion = ["points", "head-to-head", "wins", "difference", "lots"].index(above.decided_by)
            assert keys[0][:criterion] == keys[1][:criterion] and keys[0][criterion] > keys[1][criterion]


def row(place: int, team: int, played: int, points: int, wins: int = 0, difference: int = 0) -> Row:
    counts = (played, wins, 0, 0, 0, 0, Fraction(points), Fraction(0), difference)
    return Row(place, team, *counts, "points", ())


def test_teams_of_different_pools_are_compared_by_what_they_made_a_game() -> None:
    tables = [
        Table("group", "pool-1", (row(1, 0, 4, 8), row(2, 1, 4, 4))),
        Table("group", "pool-2", (row(1, 2, 3, 7), row(2, 3, 3, 3, wins=1))),
    ]
    found = across_pools(tables, Ranking(), places=range(1, 3))
    assert found == ((2, "points a game"), (0, "place in the pool"), (3, "wins a game"), (1, ""))
    assert across_pools(tables, Ranking(), places=range(2, 3)) == ((3, "wins a game"), (1, ""))


@pytest.mark.parametrize("teams", [2, 9])
def test_a_table_knows_who_goes_on(teams: int) -> None:
    pool = Pool("", tuple(range(teams)))
    (found,) = tables_of("group", [pool], [], Ranking(), advance=3)
    assert found.advance == min(3, teams)

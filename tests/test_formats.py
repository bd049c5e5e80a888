"""Formats against what they promise: for every number of teams from 2 to 40, and over random results."""

from __future__ import annotations

import itertools
import tracemalloc
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ludus.tournament.elimination import EliminationSettings, double_elimination, single_elimination
from ludus.tournament.gauntlet import gauntlet
from ludus.tournament.identical import identical_games
from ludus.tournament.ladder import ladder
from ludus.tournament.outcome import Format
from ludus.tournament.pairing import GameResult, Meeting, Pairing, Pool, Round
from ludus.tournament.pools import PoolSettings, Stage, fitting, pools_to_final, snake
from ludus.tournament.round_robin import league, round_robin
from ludus.tournament.swiss import SwissSettings, swiss
from ludus.tournament.tables import Ranking
from played_formats import by_chance, by_strength, crashed, play

TEAMS = range(2, 41)


def made(kind: str, teams: int, *, games: int = 1, seed: int = 0) -> Format:
    meeting, ranking = Meeting(games, seed=seed), Ranking(seed=seed)
    return {
        "round-robin": lambda: round_robin(teams, meeting, ranking),
        "coin": lambda: round_robin(teams, meeting._replace(sides="coin"), ranking),
        "pools": lambda: pools_to_final(teams, PoolSettings(), meeting, ranking),
        "small pools": lambda: pools_to_final(
            teams, PoolSettings((Stage("group", 4, 1), Stage("final", 1, 0)), 2, "seeded"), meeting, ranking
        ),
        "single": lambda: single_elimination(teams, EliminationSettings(), seed=seed),
        "third place": lambda: single_elimination(teams, EliminationSettings(third_place=True), seed=seed),
        "double": lambda: double_elimination(teams, EliminationSettings(), seed=seed),
        "swiss": lambda: swiss(teams, SwissSettings(), meeting, ranking),
        "gauntlet": lambda: gauntlet(teams, meeting, ranking),
        "ladder": lambda: ladder(teams, meeting, seed=seed, draw="random"),
    }[kind]()


KINDS = [
    *("round-robin", "coin", "pools", "small pools", "single", "third place", "double", "swiss", "gauntlet", "ladder"),
]


def seats(pairings: list[Pairing]) -> Counter[int]:
    """How much oftener each team has seat 0 than seat 1."""
    found: Counter[int] = Counter()
    for pairing in pairings:
        found[pairing.first] += 1
        found[pairing.second] -= 1
    return found


def meetings(pairings: list[Pairing]) -> Counter[tuple[int, int]]:
    return Counter((min(p.first, p.second), max(p.first, p.second)) for p in pairings)


@pytest.mark.parametrize("games", [1, 2, 3])
def test_round_robin_everybody_meets_everybody_with_sides_balanced(games: int) -> None:
    for teams in TEAMS:
        pairings = play(round_robin(teams, Meeting(games), Ranking()), by_strength(range(teams))).pairings
        assert meetings(pairings) == dict.fromkeys(itertools.combinations(range(teams), 2), games)
        assert all(abs(balance) <= 1 for balance in seats(pairings).values())
        first: Counter[tuple[int, int]] = Counter((p.first, p.second) for p in pairings)
        assert all(abs(first[a, b] - first[b, a]) <= 1 for a, b in itertools.combinations(range(teams), 2))
        assert len({p.id for p in pairings}) == len(pairings)
        assert {p.round for p in pairings} == set(range(1, teams + teams % 2))
        for number in {p.round for p in pairings}:
            there = [team for a, b in meetings([p for p in pairings if p.round == number]) for team in (a, b)]
            assert len(there) == len(set(there)) == teams - teams % 2


def test_two_games_of_a_pair_on_one_board_differ_in_seats_alone() -> None:
    boards: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    for p in league(Pool("", tuple(range(5))), Meeting(4), stage="league"):
        boards[min(p.first, p.second), max(p.first, p.second), p.board].append(p.first)
    assert len(boards) == 10 * 2 and all(len(set(first)) == 2 for first in boards.values())


def test_a_coin_decides_who_begins() -> None:
    def flips(seed: int) -> list[int]:
        return [p.first for p in league(Pool("", tuple(range(40))), Meeting(1, "coin", seed), stage="group")]

    assert flips(1) == flips(1) != flips(2)
    heads = sum(p.first < p.second for p in league(Pool("", tuple(range(100))), Meeting(1, "coin"), stage="x"))
    assert 4950 / 2 - 5 * 35 < heads < 4950 / 2 + 5 * 35  # five standard deviations


@pytest.mark.parametrize("teams", [*TEAMS, 60, 99, 100, 101, 150])
def test_pools_shrink_with_the_number_of_teams(teams: int) -> None:
    found = play(pools_to_final(teams, PoolSettings(), Meeting(), Ranking()), by_chance(teams))
    assert sorted(found.order) == list(range(teams))
    stages = fitting(PoolSettings(), teams)
    left = teams
    for stage, current in zip(stages, found.rounds, strict=True):
        sizes = [len(pool.teams) for pool in current.pools]
        assert sum(sizes) == left and max(sizes) - min(sizes) <= 1 and len(sizes) == stage.pools
        assert stage.name == "final" or min(sizes) >= 6 > stage.advance
        left = len(sizes) * stage.advance
    pooled = {(p.stage, p.pool, *sorted((p.first, p.second))) for p in found.pairings}
    assert len(pooled) == len(found.pairings)
    assert len(pooled) == sum(len(pool.teams) * (len(pool.teams) - 1) // 2 for r in found.rounds for pool in r.pools)
    reached = {team: number for number, r in enumerate(found.rounds) for pool in r.pools for team in pool.teams}
    assert [reached[team] for team in found.order] == sorted(reached.values(), reverse=True)
    for table in found.outcome.tables:
        for row in table.rows:
            stage_number = [stage.name for stage in stages].index(table.stage)
            assert (reached[row.team] > stage_number) == (row.place <= table.advance)


def test_cse371_with_a_hundred_teams() -> None:
    found = play(pools_to_final(100, PoolSettings(), Meeting(), Ranking()), by_chance(1))
    assert [[len(pool.teams) for pool in r.pools] for r in found.rounds] == [[10] * 10, [10] * 3, [9]]
    assert len(found.pairings) == 10 * 45 + 3 * 45 + 36


def test_a_snake_makes_pools_of_like_strength() -> None:
    assert [pool.teams for pool in snake(range(7), 3)] == [(0, 5, 6), (1, 4), (2, 3)]
    found = play(pools_to_final(100, PoolSettings(draw="seeded"), Meeting(), Ranking()), by_strength(range(100)))
    assert {table.rows[0].team for table in found.outcome.tables[:10]} == set(range(10))


def test_a_draw_by_lot_depends_on_the_seed_alone() -> None:
    def pools(seed: int) -> tuple[Pool, ...]:
        return next(pools_to_final(50, PoolSettings(), Meeting(), Ranking(seed=seed))).pools

    assert pools(1) == pools(1) != pools(2)


@pytest.mark.parametrize("challengers", [1, 2, 3])
def test_a_gauntlet_is_between_challengers_and_the_others(challengers: int) -> None:
    for teams in range(challengers + 1, 41):
        found = play(gauntlet(teams, Meeting(), Ranking(), challengers=challengers), by_chance(teams))
        assert meetings(found.pairings) == {
            (one, other): 1 for one in range(challengers) for other in range(challengers, teams)
        }
        assert all(abs(balance) <= 1 for balance in seats(found.pairings).values())
        assert sorted(found.order) == list(range(teams))


@pytest.mark.parametrize("teams", TEAMS)
def test_whoever_always_wins_climbs_a_ladder_to_the_top(teams: int) -> None:
    found = play(ladder(teams, Meeting(), seed=0), by_strength(reversed(range(teams))))
    assert found.order[0] == teams - 1
    assert found.order == list(reversed(range(teams)))  # as many rounds as teams sort them all
    for one, other in itertools.pairwise(found.rounds):
        before, after = one.pools[0].teams, other.pools[0].teams
        assert all(abs(before.index(team) - after.index(team)) <= 1 for team in range(teams))


def test_a_ladder_without_an_end_goes_on_and_nobody_moves_for_a_crash() -> None:
    format = ladder(5, Meeting(2), seed=0, rounds=0)
    current = next(format)
    for _ in range(1000):
        assert current.pools[0].teams == (0, 1, 2, 3, 4)
        games = [by_strength([4, 3, 2, 1, 0])(pairing) for pairing in current.pairings]
        current = format.send([crashed(g.pairing) if g.pairing.id.endswith("g1") else g for g in games])
    format.close()


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=40, deadline=None)
@given(teams=st.integers(2, 20), games=st.integers(1, 3), seed=st.integers(0, 2**32))
def test_any_results_end_in_a_place_for_everybody(kind: str, teams: int, games: int, seed: int) -> None:
    judge = by_chance(seed, crashes=True)
    found = play(made(kind, teams, games=games, seed=seed), judge)
    assert sorted(found.order) == list(range(teams))
    assert [place.place for place in found.outcome.placing] == list(range(1, teams + 1))
    decided = [place.decided_by for place in found.outcome.placing]
    assert all(decided[:-1]) and decided[-1] == ""
    assert len({p.id for p in found.pairings}) == len(found.pairings)
    assert all(p.first != p.second for p in found.pairings)
    again = play(made(kind, teams, games=games, seed=seed), judge, shuffle=Random(seed))
    assert again.outcome == found.outcome and again.pairings == found.pairings


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=25, deadline=None)
@given(teams=st.integers(2, 20), seed=st.integers(0, 2**32))
def test_totals_are_exact(kind: str, teams: int, seed: int) -> None:
    found = play(made(kind, teams, seed=seed), by_chance(seed, crashes=True))
    played = [game for game in found.results if game.status == "played"]
    rows = [row for table in found.outcome.tables for row in table.rows]
    byes = sum(row.byes for row in rows)
    assert sum(row.points for row in rows) == sum((sum(game.points) for game in played), Fraction(byes))
    assert sum(row.points - row.against for row in rows) == byes
    assert sum(row.played for row in rows) == 2 * len(played)
    assert sum(row.wins for row in rows) == sum(row.losses for row in rows) == sum(g.winner is not None for g in played)
    assert sum(row.forfeits for row in rows) == sum(game.kind == "timeout" for game in played)
    assert sum(row.difference for row in rows) == 0


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "gauntlet"])
@settings(max_examples=25, deadline=None)
@given(teams=st.integers(2, 40), seed=st.integers(0, 2**32))
@example(teams=25, seed=26090).via("two were unbeaten, as both had begun too often to meet")
@example(teams=16, seed=46686).via("likewise, and lots took the better one's place")
@example(teams=5, seed=33554433).via("two were unbeaten, as somebody else's bye kept them from meeting")
def test_whoever_wins_every_game_wins(kind: str, teams: int, seed: int) -> None:
    dice = Random(seed)
    order = dice.sample(range(teams), teams)
    found = play(made(kind, teams, seed=seed), by_strength(order))
    assert found.order[0] == order[0]
    assert found.outcome.placing[0].decided_by in ("points", "round", "rung")


@pytest.mark.parametrize("kind", KINDS)
def test_a_tournament_of_crashes_ends_too(kind: str) -> None:
    for teams in (2, 3, 17):
        found = play(made(kind, teams), crashed)
        assert sorted(found.order) == list(range(teams))
        assert all(row.played == row.losses == 0 for table in found.outcome.tables for row in table.rows)


class Streamed:
    """Results as a store gives them: made anew on every iteration."""

    def __init__(self, current: Round) -> None:
        self.current = current

    def __iter__(self) -> Iterator[GameResult]:
        points = (Fraction(1), Fraction(0))
        return (GameResult(pairing, points, pairing.first, 1, "win") for pairing in self.current.pairings)


def peak_of(action: Callable[[], object]) -> int:
    """Bytes held at most."""
    tracemalloc.start()
    try:
        action()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_million_pairings_are_never_held() -> None:
    current = next(round_robin(1001, Meeting(2), Ranking()))
    assert current.count == 1_001_000
    assert peak_of(lambda: deque(itertools.islice(current.pairings, 200_000), maxlen=0)) < 100_000
    assert sum(1 for _ in current.pairings) == 1_001_000


def test_a_table_holds_no_results() -> None:
    def table() -> None:
        format = round_robin(30, Meeting(40), Ranking())
        with pytest.raises(StopIteration):
            format.send(Streamed(next(format)))  # 17,400 games

    assert peak_of(table) < 500_000


def test_identical_games_of_a_pair_are_found() -> None:
    pairings = list(league(Pool("", (0, 1, 2)), Meeting(4), stage="league"))
    digests = {
        "league/r1/1-2/g1": "a",
        "league/r1/1-2/g3": "a",
        "league/r1/1-2/g2": "b",
        "league/r2/0-2/g1": "a",  # another pair may play the same game
    }
    games = [(p, digests.get(p.id, p.id)) for p in pairings]
    assert set(digests) <= {p.id for p in pairings}
    found = identical_games(games)
    assert [(repeated.teams, repeated.ids) for repeated in found] == [
        ((1, 2), ("league/r1/1-2/g1", "league/r1/1-2/g3"))
    ]
    assert identical_games(reversed(games)) == found

"""Elimination: right numbers of matches, byes, resets, replays, and a place for everybody."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from ludus.tournament.elimination import EliminationSettings, bracket_order, double_elimination, single_elimination
from ludus.tournament.outcome import Match
from ludus.tournament.pairing import GameResult, Pairing
from played_formats import Played, by_chance, by_strength, crashed, play, result

TEAMS = range(2, 41)
SEEDED = EliminationSettings(draw="seeded")


def losses(found: Played) -> Counter[int]:
    return Counter(match.loser for match in found.outcome.matches if match.loser is not None)


def real(found: Played) -> list[Match]:
    return [match for match in found.outcome.matches if match.decided_by != "bye"]


def decisive(seed: int):
    """Random winners, and no match that stays equal: one of a pair is the better one in this match."""

    def judge(pairing: Pairing) -> GameResult:
        one, other = sorted((pairing.first, pairing.second))
        better = one if Random(f"{seed} {pairing.id.rpartition('/')[0]}").random() < 0.5 else other
        return result(pairing, int(pairing.first == better), int(pairing.second == better))

    return judge


def test_the_best_two_can_meet_in_the_final_only() -> None:
    assert bracket_order(8) == [0, 7, 3, 4, 1, 6, 2, 5]
    for size in (2, 4, 8, 16, 32, 64):
        order = bracket_order(size)
        assert sorted(order) == list(range(size))
        assert all(one + other == size - 1 for one, other in zip(order[::2], order[1::2], strict=True))


@pytest.mark.parametrize("teams", TEAMS)
def test_single_elimination(teams: int) -> None:
    for seed in range(5):
        found = play(single_elimination(teams, EliminationSettings(), seed=seed), decisive(seed))
        assert len(real(found)) == teams - 1 and len(found.pairings) == 2 * (teams - 1)
        size = 1 << (teams - 1).bit_length()
        assert len(found.outcome.matches) - len(real(found)) == size - teams
        assert all(match.round == 1 for match in found.outcome.matches if match.decided_by == "bye")
        assert losses(found) == dict.fromkeys(found.order[1:], 1)
        out_in = {match.loser: match.round for match in real(found)}
        assert [out_in[team] for team in found.order[1:]] == sorted(out_in.values(), reverse=True)
        beaten_by = {match.loser: found.order.index(match.winner) for match in real(found)}
        for one, other in zip(found.order[1:], found.order[2:], strict=False):
            assert out_in[one] > out_in[other] or beaten_by[one] < beaten_by[other]


@pytest.mark.parametrize("teams", TEAMS)
def test_double_elimination(teams: int) -> None:
    resets = 0
    for seed in range(12):
        found = play(double_elimination(teams, EliminationSettings(), seed=seed), decisive(seed))
        champion = found.order[0]
        is_reset = losses(found)[champion] == 1
        resets += is_reset
        assert len(real(found)) == 2 * (teams - 1) + is_reset
        assert losses(found) == dict.fromkeys(found.order[1:], 2) | ({champion: 1} if is_reset else {})
        assert sum(match.stage == "grand-final" for match in found.outcome.matches) == 1 + is_reset
        assert found.outcome.matches[-1].winner == champion and found.outcome.matches[-1].loser == found.order[1]
        last = {match.loser: (match.stage == "grand-final", match.round) for match in real(found)}
        assert [last[team] for team in found.order[1:]] == sorted(
            (last[team] for team in found.order[1:]), reverse=True
        )
        in_winners = Counter(match.loser for match in real(found) if match.stage == "winners")
        assert all(count == 1 for count in in_winners.values())
        games = Counter((p.stage, p.round, p.pool) for p in found.pairings)
        assert set(games.values()) == {2}
    assert 0 < resets < 12


@pytest.mark.parametrize(("teams", "earliest"), [(8, 3), (16, 4), (32, 5), (64, 7)])
def test_second_meetings_are_put_off(teams: int, earliest: int) -> None:
    for seed in range(40):
        found = play(double_elimination(teams, EliminationSettings(), seed=seed), decisive(seed))
        met: set[frozenset[int]] = set()
        for match in real(found):
            pair = frozenset(match.teams)
            assert pair not in met or match.stage == "grand-final" or match.round >= earliest
            met.add(pair)


def test_favourites_meet_in_the_final() -> None:
    for teams in TEAMS:
        for format in (single_elimination, double_elimination):
            found = play(format(teams, SEEDED, seed=0), by_strength(range(teams)))
            assert found.order[:2] == [0, 1]
            assert found.outcome.matches[-1].teams == (0, 1)


@pytest.mark.parametrize("teams", [4, 5, 8, 13])
def test_a_match_for_the_third_place(teams: int) -> None:
    settings = EliminationSettings(draw="seeded", third_place=True)
    found = play(single_elimination(teams, settings, seed=0), by_strength([0, 1, 3, 2, *range(4, teams)]))
    assert found.order[:4] == [0, 1, 3, 2] and len(real(found)) == teams
    assert play(single_elimination(3, settings, seed=0), by_strength(range(3))).order == [0, 1, 2]


def match_of_two(judge) -> Match:
    return play(single_elimination(2, SEEDED, seed=0), judge).outcome.matches[0]


def test_a_match_is_decided_by_both_games_together() -> None:
    """By hand: 0 begins and is 5 better; 1 begins and is 3 better; together 0 is 2 better."""

    def judge(pairing: Pairing) -> GameResult:
        return result(pairing, 5, -5) if pairing.first == 0 else result(pairing, 3, -3)

    match = match_of_two(judge)
    assert (match.winner, match.score, match.boards, match.decided_by) == (0, (2, -2), 1, "points")


def test_a_match_that_stays_equal_gets_fresh_boards_then_the_better_seed_wins() -> None:
    found = play(single_elimination(2, SEEDED, seed=0), lambda pairing: result(pairing, 4, -4))
    (match,) = found.outcome.matches
    assert (match.winner, match.boards, match.decided_by) == (0, 3, "seed")
    assert [p.board for p in found.pairings] == [0, 0, 1, 1, 2, 2]
    assert [p.first for p in found.pairings] == [0, 1] * 3
    assert len({p.id for p in found.pairings}) == 6 and len(found.rounds) == 3

    def second_board(pairing: Pairing) -> GameResult:
        return result(pairing, 4, -4) if pairing.board == 0 else result(pairing, *((-1, 1), (2, -2))[pairing.first])

    match = match_of_two(second_board)
    assert (match.winner, match.boards, match.score) == (1, 2, (Fraction(-3), Fraction(3)))


def test_a_crashed_game_is_nobodys_loss() -> None:
    """The game that was played favours 1, but half a board decides nothing."""

    def judge(pairing: Pairing) -> GameResult:
        return crashed(pairing) if pairing.first == 0 else result(pairing, 9, -9)

    match = match_of_two(judge)
    assert (match.winner, match.boards, match.decided_by) == (0, 3, "seed")
    assert match_of_two(crashed).winner == 0

    def at_first(pairing: Pairing) -> GameResult:
        return crashed(pairing) if pairing.board == 0 else by_strength([1, 0])(pairing)

    assert match_of_two(at_first)[4:] == (1, (0, 2), 2, "points")


def test_boards_are_fresh_in_every_match() -> None:
    found = play(double_elimination(13, EliminationSettings(), seed=3), by_chance(3))
    on_board = Counter(p.board for p in found.pairings)
    assert set(on_board.values()) == {2}
    for board in on_board:
        one, other = (p for p in found.pairings if p.board == board)
        assert (one.first, one.second) == (other.second, other.first)

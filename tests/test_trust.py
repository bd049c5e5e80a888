"""What answers say about the opponent: as assumed, as anybody would, or as somebody else."""

from __future__ import annotations

import pytest

from ludus.agents.agent import Budget
from ludus.agents.purse import Purse
from ludus.agents.trust import ODDS, Trust
from ludus.rules import load_game
from ludus.search.deepening import AlphaBeta
from ludus.search.pace import Pace
from ludus.search.shallow import ShallowPlayer
from ludus.search.smaller import SmallerAlphaBeta

SLANT = load_game("slant")
MANY = Budget(nodes=10**9)
START = SLANT.start(m=4, seed=3)
MOVE = SLANT.legal(START)[0]
BEFORE = SLANT.play(START, MOVE)


@pytest.fixture(scope="module")
def parts():
    pace, thinker = Pace(SLANT), SmallerAlphaBeta(AlphaBeta(SLANT, megabytes=1), megabytes=1)
    return SLANT, ShallowPlayer(SLANT, 4, pace), pace, thinker.alike


@pytest.fixture
def trust(parts):
    return Trust(*parts)


def answers(trust, depth):
    """Where the answers of that depth lead, as positions that are alike."""
    return [trust.alike(SLANT.play(BEFORE, move)) for move in trust.opponent.answers(BEFORE, depth=depth)]


def moves_of(trust, *, among=(), not_among=()):
    """Moves that lead where those of all the first depths lead, and none of the others."""
    wanted = [answers(trust, depth) for depth in among]
    unwanted = [place for depth in not_among for place in answers(trust, depth)]
    places = {move: trust.alike(SLANT.play(BEFORE, move)) for move in SLANT.legal(BEFORE)}
    return [
        move
        for move, place in places.items()
        if place not in unwanted and all(place in foreseen for foreseen in wanted)
    ]


def watched(trust, move, *, line=(MOVE,), budget=MANY):
    trust.forget()
    trust.pace.limit(seconds=budget.seconds, nodes=None)
    trust.remember(START, line)
    trust.watch(SLANT.play(BEFORE, move), Purse(budget))
    return trust.telling, trust.is_stranger


def test_an_answer_that_only_the_assumed_opponent_was_to_give_makes_it_likelier(trust):
    foreseen, others = moves_of(trust, among=[4]), moves_of(trust, not_among=[4])
    assert trust.degree == pytest.approx(ODDS / (1 + ODDS))
    before = trust.degree
    assert watched(trust, foreseen[0], line=(MOVE, others[0])) == (1, False)
    assert before < trust.degree < 1


def test_an_answer_that_anybody_was_to_give_tells_nothing(trust):
    foreseen = moves_of(trust, among=[4])
    assert watched(trust, foreseen[0], line=(MOVE, foreseen[0])) == (0, False)


def test_where_we_do_not_know_our_own_answer_nothing_is_told(trust):
    assert watched(trust, moves_of(trust, among=[4])[0], line=(MOVE,)) == (0, False)


def test_who_moves_second_learns_from_the_first_move(trust):
    foreseen = moves_of(trust, among=[4])[0]
    trust.forget()
    trust.pace.limit(seconds=None, nodes=None)
    trust.see_start(BEFORE)
    trust.expect(moves_of(trust, not_among=[4])[:1], 1 - SLANT.turn(BEFORE))
    trust.watch(SLANT.play(BEFORE, foreseen), Purse(MANY))
    assert (trust.telling, trust.is_stranger) == (1, False)


def test_who_moves_first_has_seen_no_answer_yet(trust):
    trust.forget()
    trust.see_start(START)
    trust.watch(START, Purse(MANY))
    assert (trust.telling, trust.is_stranger) == (0, False)


def test_a_game_that_is_joined_later_tells_nothing(trust):
    trust.forget()
    trust.see_start(START)
    trust.expect([], SLANT.turn(START))
    trust.watch(SLANT.play(SLANT.play(START, 1), 2), Purse(MANY))
    assert (trust.telling, trust.is_stranger) == (0, False)


def test_another_answer_shows_a_stranger(trust):
    other = moves_of(trust, not_among=[2, 3, 4])[0]
    assert watched(trust, other) == (0, True)
    assert trust.degree == 0.0
    trust.watch(SLANT.start(m=4, seed=10), Purse(MANY))
    assert (trust.telling, trust.is_stranger) == (0, False)  # another game


def test_an_answer_of_fewer_plies_is_no_strangers(trust):
    hasty = moves_of(trust, among=[3], not_among=[4])[0]
    assert watched(trust, hasty, budget=Budget(seconds=30.0)) == (0, False)


def test_without_time_nothing_is_learnt(trust):
    for move in (moves_of(trust, among=[4])[0], moves_of(trust, not_among=[2, 3, 4])[0]):
        assert watched(trust, move, budget=Budget(seconds=0.0)) == (0, False)


def test_a_forgotten_game_leaves_nothing(trust):
    foreseen, others = moves_of(trust, among=[4]), moves_of(trust, not_among=[4])
    watched(trust, foreseen[0], line=(MOVE, others[0]))
    trust.forget()
    assert (trust.telling, trust.is_stranger, trust.after_ours, trust.expected) == (0, False, None, None)

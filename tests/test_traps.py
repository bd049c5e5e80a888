"""Traps: the assumed opponent answers as plain minimax does, and what a tree of traps secures is got from it."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from ludus.agents import tricky
from ludus.agents.agent import Budget
from ludus.agents.naming import make_agent
from ludus.errors import PositionError
from ludus.rules import load_game, random_line
from ludus.search.minimax import best_moves
from ludus.search.shallow import ShallowPlayer
from ludus.search.traps import Traps, chance_of, value_of

SLANT = load_game("slant")
MANY = Budget(nodes=tricky.FEWEST_NODES)


def middle_of(game, rng, free, **options):
    """A position of a random game with at most so many legal moves."""
    states = random_line(game, game.start(**options), rng).states[:-1]
    return next(state for state in states if len(game.legal(state)) <= free)


@pytest.fixture(scope="module")
def agent():
    return make_agent(SLANT, "tricky:mb=16")


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_the_assumed_opponent_answers_as_plain_minimax(depth):
    player, rng = ShallowPlayer(SLANT, depth), random.Random(depth)
    for seed in range(12):
        state = middle_of(SLANT, rng, rng.randint(1, 9), m=4, seed=seed)
        assert sorted(player.answers(state)) == best_moves(SLANT, state, depth)[1]


def test_the_assumed_opponent_plays_on_while_it_is_its_turn():
    game, rng = load_game("extreme"), random.Random(4)
    player = ShallowPlayer(game, 1)
    states = random_line(game, game.start(), rng).states[:-1]
    before, after = next(
        pair for pair in pairwise(states[20:]) if game.turn(pair[0]) == game.turn(pair[1]) and game.turn(pair[1]) == 1
    )
    for state in (before, after):
        for end in player.after_answers(state, 0):
            assert game.result(end) is not None or game.turn(end) == 0
    assert player.after_answers(states[0], game.turn(states[0])) == [states[0]]


def test_out_of_time_the_opponent_has_no_answer():
    assert ShallowPlayer(SLANT, 4).answers(SLANT.start(seed=1), deadline=0) == []


def test_what_is_secured_is_got_from_that_opponent(agent):
    """Follow the tree against the agent `minimax`, with its ties broken at random."""
    opponent, seen = make_agent(SLANT, "minimax:depth=3"), set()
    for seed in range(8):
        traps = Traps(SLANT, agent.thinker, ShallowPlayer(SLANT, 3))
        state = SLANT.start(m=4, seed=seed)
        opponent.reseed(seed)
        opponent.forget()
        agent.thinker.forget()
        secured = 0.0
        while SLANT.result(state) is None:
            if SLANT.turn(state) == 1:
                state = SLANT.play(state, opponent.choose(state).move)
                continue
            root = traps.search(state, nodes=60_000)
            if secured in (0.5, 1.0):  # others are means of several answers
                assert root.secured >= secured
            secured = root.secured
            best = max(root.ways, key=lambda move: root.ways[move].secured) if root.ways else SLANT.legal(state)[0]
            if secured in (0.5, 1.0) and root.ways and root.ways[best].secured < secured:  # proven by a search alone
                best = agent.thinker.search(state, nodes=200_000).move
            state = SLANT.play(state, best)
        if secured in (0.5, 1.0):
            assert value_of(SLANT.result(state)) >= secured
            seen.add(secured)
    assert 1.0 in seen


def test_a_tree_is_kept_where_the_game_goes(agent):
    traps = Traps(SLANT, agent.thinker, ShallowPlayer(SLANT, 2))
    state = SLANT.start(m=4, seed=2)
    root = traps.search(state, nodes=30_000)
    way = max(root.ways.values(), key=lambda way: way.visits)
    place = way.places[0]
    visits = place.visits
    assert visits > 1
    assert traps.search(place.state, nodes=1) is place
    assert place.visits >= visits
    elsewhere = SLANT.start(m=4, seed=3)
    assert traps.search(elsewhere, nodes=1).state == elsewhere
    assert all(known.turn == 0 or known.visits <= 1 for known in traps.places.values())


def test_positions_that_are_alike_share_a_place_and_its_moves_are_legal(agent):
    """Cells without effect are one pass: whichever of them was filled, the place is the same."""
    traps = Traps(SLANT, agent.thinker, ShallowPlayer(SLANT, 2))
    rows = ["30000", "00000", "00000", "00000", "00003"]
    start = SLANT.start(circles=rows)
    root = traps.search(start, nodes=20_000)
    assert len(traps.places) < 200
    for move in SLANT.legal(start):
        after = SLANT.play(start, move)
        for answer in traps.opponent.answers(after):
            state = SLANT.play(after, answer)
            twin = Traps(SLANT, agent.thinker, ShallowPlayer(SLANT, 2))
            twin.root, twin.places = root, dict(traps.places)
            place = twin.search(state, nodes=1)
            assert set(place.ways) <= set(SLANT.legal(state))


def test_a_stopped_or_late_search_comes_back(agent):
    traps = Traps(SLANT, agent.thinker, ShallowPlayer(SLANT, 4))
    assert traps.search(SLANT.start(seed=5), seconds=0.0).visits == 0


def test_chances_grow_with_the_score():
    chances = [chance_of(score) for score in (-(10**9), -2000, 0, 2000, 10**9)]
    assert chances == sorted(chances)
    assert chances[2] == 0.5
    assert [value_of(score) for score in (-1, 0, 1)] == [0.0, 0.5, 1.0]


def test_answers_are_watched(agent):
    """Every answer as assumed raises trust; another one ends it; a new game begins anew."""
    agent.forget()
    state = SLANT.start(m=4, seed=9)
    agent.left = SLANT.play(state, SLANT.legal(state)[0])
    answers = agent.opponent.answers(agent.left)
    others = [move for move in SLANT.legal(agent.left) if move not in answers]
    before = agent.left
    agent.choose(SLANT.play(before, answers[0]), Budget(nodes=50))
    assert (agent.agreed, agent.is_other) == (1, False)
    agent.choose(SLANT.start(m=4, seed=10), Budget(nodes=50))
    assert (agent.agreed, agent.is_other) == (0, False)
    agent.left = before
    agent.choose(SLANT.play(before, others[0]), Budget(nodes=50))
    assert agent.is_other
    agent.forget()
    assert (agent.agreed, agent.is_other, agent.left) == (0, False, None)


def test_an_opponent_who_answers_otherwise_meets_plain_alphabeta(agent):
    plain = make_agent(SLANT, "alphabeta:mb=16")
    for seed in range(3):
        state = middle_of(SLANT, random.Random(seed), 12, m=4, seed=seed)
        agent.forget()
        plain.forget()
        agent.is_other = True
        found, expected = agent.choose(state, MANY), plain.choose(state, MANY)
        assert (found.move, found.score, found.line) == (expected.move, expected.score, expected.line)


def test_a_trap_is_worth_less_to_those_who_doubt(agent):
    """What is certain decides before the first answer, what is secured after many."""
    state = SLANT.start(m=4, seed=0)
    agent.forget()
    root = agent.traps.search(state, nodes=50_000)
    way = next(iter(root.ways.values()))
    sure, risky = (agent.thinker.search(state, nodes=100) for _ in range(2))
    way.secured = 1.0
    before = agent._worth(state, risky, way)
    agent.agreed = 10
    assert agent._worth(state, risky, way) > before
    way.secured = way.hopes = 0.0
    assert agent._worth(state, sure, way) == pytest.approx(agent._certainty(state, sure))
    agent.forget()


def test_it_plays_whole_games_by_the_rules(agent):
    opponent = make_agent(SLANT, "minimax:depth=2")
    for seed in range(2):
        agent.forget()
        state = SLANT.start(m=4, seed=seed)
        while SLANT.result(state) is None:
            mover = agent if SLANT.turn(state) == seed % 2 else opponent
            found = mover.choose(state, MANY)
            assert found.move in SLANT.legal(state)
            assert found.line[0] == found.move
            state = SLANT.play(state, found.move)
    with pytest.raises(PositionError, match="over"):
        agent.choose(state)


def test_boards_without_a_smaller_game_are_played_too(agent):
    agent.forget()
    state = middle_of(SLANT, random.Random(1), 20, m=8, seed=1)
    assert agent.choose(state, MANY).move in SLANT.legal(state)

"""Traps: the assumed opponent answers as plain minimax does, and what a tree of traps secures is got from it."""

from __future__ import annotations

import random
import time
from itertools import pairwise
from threading import Timer

import pytest

from ludus.agents import tricky
from ludus.agents.agent import Budget, begin_game
from ludus.agents.naming import make_agent
from ludus.agents.purse import Purse
from ludus.errors import OptionsError, PositionError
from ludus.rules import load_game, random_line
from ludus.search.deepening import Judgement
from ludus.search.finding import Finding
from ludus.search.minimax import MoveValues, best_moves
from ludus.search.pace import Pace, costs, width_of
from ludus.search.shallow import ShallowPlayer
from ludus.search.smaller import ANSWERING, smaller_game
from ludus.search.traps import Place, Traps, Way, chance_of, value_of

SLANT = load_game("slant")
MANY = Budget(nodes=tricky.FEWEST_NODES)


def middle_of(game, rng, free, **options):
    """A position of a random game with at most so many legal moves."""
    states = random_line(game, game.start(**options), rng).states[:-1]
    return next(state for state in states if len(game.legal(state)) <= free)


def is_idle(state, move):
    """Whether a cell stands beside no open circle, so that it is all the same to everybody who fills it, and when."""
    r, c = divmod(move, 12)
    return not any(SLANT.module.wanted_at(state, *point) for point in ((r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)))


def with_twins(state, moves):
    """These moves, and all that are the same: of moves in idle cells, one may stand for all."""
    idle = {move for move in SLANT.legal(state) if is_idle(state, move)}
    assert len(idle & set(moves)) <= 1
    return sorted({*moves, *(idle if idle & set(moves) else ())})


def kinds_of(state, moves):
    """These moves, all idle cells as one."""
    return {"idle" if is_idle(state, move) else move for move in moves}


@pytest.fixture(scope="module")
def only_agent():
    return make_agent(SLANT, "tricky:mb=16")


@pytest.fixture
def agent(only_agent):
    only_agent.forget()
    return only_agent


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_the_assumed_opponent_answers_as_plain_minimax(depth):
    player, rng = ShallowPlayer(SLANT, depth), random.Random(depth)
    for seed in range(12):
        state = middle_of(SLANT, rng, rng.randint(1, 9), m=4, seed=seed)
        assert with_twins(state, player.answers(state)) == best_moves(SLANT, state, depth)[1]


def test_on_larger_boards_the_assumed_opponent_looks_by_the_rules():
    """Small boards are told in fewer words; what larger ones need is compiled before a move."""
    player, rng = ShallowPlayer(SLANT, 2), random.Random(6)
    player.warm()
    known = len(player.own.searcher.search_once.signatures), len(player.own.values.entry.signatures)
    assert min(known) > 0
    for m in (6, 8):
        for seed in range(4):
            state = middle_of(SLANT, rng, 40, m=m, seed=seed)
            answers, best = player.answers(state), best_moves(SLANT, state, 2)[1]
            assert (with_twins(state, answers) if m == 6 else sorted(answers)) == best
            promises, values = player.promises(state, 2), MoveValues(SLANT).of(state, 2)
            assert promises.items() <= values.items()
            assert m == 6 or promises == values
    assert (len(player.own.searcher.search_once.signatures), len(player.own.values.entry.signatures)) == known


@pytest.mark.parametrize("m", [2, 4, 6])
def test_in_fewer_words_slant_is_the_same_game(m):
    """Every position has the same moves but for twins, ends and guesses."""
    told = smaller_game(SLANT, ANSWERING)
    for seed in range(6):
        for state in random_line(SLANT, SLANT.start(m=m, seed=seed), random.Random(seed)).states:
            same = told.module.reduced(state)
            assert (told.result(same), told.module.banked(same)) == (SLANT.result(state), SLANT.module.banked(state))
            assert (told.turn(same), told.evaluate(same)) == (SLANT.turn(state), SLANT.evaluate(state))
            if told.result(same) is None:
                moves = [told.module.original(same, move) for move in told.legal(same)]
                assert with_twins(state, moves) == SLANT.legal(state)
                assert width_of(told, same) == len(SLANT.legal(state))
                for move in told.legal(same):
                    child = SLANT.play(state, told.module.original(same, move))
                    assert told.play(same, move) == told.module.reduced(child)
    assert told.module.reduced(SLANT.start(m=8)) is None
    with pytest.raises(OptionsError, match="at most 6"):
        told.start(m=8)


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
            best = max(root.ways, key=lambda move: root.ways[move].secured, default=None)
            if best is None or root.ways[best].secured < secured:  # it was proven by a search alone
                best = agent.thinker.search(state, nodes=200_000).move
            state = SLANT.play(state, best)
        if secured in (0.5, 1.0):
            assert value_of(SLANT.result(state)) >= secured
            seen.add(secured)
    assert 1.0 in seen


class Blind:
    """A searcher that sees nothing: whoever asks it has to walk to the end."""

    def judge(self, state, **_limits):
        return Judgement(0, False, 1, SLANT.legal(state)[0])

    def proves_win(self, _state, **_limits):
        return False, 1

    def alike(self, state):
        return state


def test_the_ways_that_win_are_found_as_by_trying_everything():
    """Differential: all our moves, and all answers of the opponent, in the last plies of small boards."""
    player, more = ShallowPlayer(SLANT, 2), 0

    def worst(state):
        """The least that our best moves get, whichever answers are chosen."""
        if SLANT.result(state) is not None:
            return value_of(SLANT.result(state))
        return max(worst_after(state, move) for move in SLANT.legal(state))

    def worst_after(state, move):
        return min(worst(place) for place in player.after_answers(SLANT.play(state, move), 0))

    for seed in range(12):
        states = random_line(SLANT, SLANT.start(m=4, seed=seed), random.Random(seed)).states[:-1]
        state = next(one for one in states if len(SLANT.legal(one)) <= 7 and SLANT.turn(one) == 0)
        expected = {move for move in SLANT.legal(state) if worst_after(state, move) == 1.0}
        kinds = kinds_of(state, expected)
        for wins in (1, 2, 16):
            root = Traps(SLANT, Blind(), player).search(state, wins=wins)
            won = {move for move, way in root.ways.items() if way.secured == 1.0}
            assert won <= expected
            assert len(won) >= min(wins, len(kinds))
            assert wins < 16 or kinds_of(state, won) == kinds
        more += len(expected) > 1
    assert more > 2


def test_of_several_won_ways_it_takes_the_one_that_gives_up_least(agent, monkeypatch):
    state, appraised = SLANT.start(m=4, seed=3), []
    kinds = {agent.thinker.alike(SLANT.play(state, move)): move for move in SLANT.legal(state)}
    plain, costly, cheap, dear = list(kinds.values())[:4]
    scores = {costly: -3000, cheap: -200, dear: -900}
    root = Place(state)
    root.visits, root.secured, root.is_settled = 10, 1.0, True
    for move in scores:
        root.ways[move] = Way()
        root.ways[move].visits, root.ways[move].secured = 1, 1.0

    def appraise(_state, move, _purse, _part):
        appraised.append(move)
        return Finding(move, scores[move], False, (move,), 1, 1, 0.0)

    monkeypatch.setattr(agent, "_think", lambda *_: Finding(plain, 0, False, (plain,), 1, 1, 0.0))
    monkeypatch.setattr(agent, "_traps", lambda *_: (list(root.ways), root.ways))
    monkeypatch.setattr(agent, "_appraise", appraise)
    assert agent.choose(state, MANY).move == cheap
    assert appraised == [costly, cheap, dear]
    for move in scores:  # before anything is known of the opponent, too much for a trap
        scores[move] -= 5000
    assert agent.choose(state, MANY).move == plain
    agent.trust.forget()
    agent.trust.telling = 3
    assert agent.choose(state, MANY).move == cheap


@pytest.mark.parametrize(
    ("budget", "wins"),
    [(Budget(nodes=1), 1), (Budget(nodes=500_000), 4), (Budget(nodes=10**9), 12), (Budget(seconds=60.0), 12)],
)
def test_more_ways_are_compared_where_there_is_more_to_spend(budget, wins):
    assert tricky._wins_for(Purse(budget)) == wins
    assert tricky._wins_for(Purse(Budget(seconds=0.0, nodes=10**9))) == 1


def test_a_tree_is_kept_where_the_game_goes(agent):
    traps = Traps(SLANT, agent.thinker, ShallowPlayer(SLANT, 2))
    state = SLANT.play(SLANT.start(seed=2), 0)
    root = traps.search(state, nodes=400_000)
    place = max((place for way in root.ways.values() for place in way.places), key=lambda place: place.visits)
    visits, places = place.visits, len(traps.places)
    assert visits > 1
    assert traps.search(root.state, nodes=1) is root
    assert traps.search(place.state, nodes=1) is place
    assert place.visits >= visits
    assert 1 < len(traps.places) < places
    elsewhere = SLANT.start(m=4, seed=3)
    assert traps.search(elsewhere, nodes=1).state == elsewhere
    assert len(traps.places) < places
    traps.forget()
    assert (traps.root, traps.places) == (None, {})


def test_positions_that_are_alike_share_a_place_and_its_moves_are_legal(agent):
    """Cells without effect are one pass: whichever of them are filled, and however many searches were left out."""
    traps = Traps(SLANT, agent.thinker, ShallowPlayer(SLANT, 2))
    start = SLANT.start(circles="00000\n02000\n00000\n00020\n00000")
    rng = random.Random(5)
    for _ in range(40):
        traps.search(start, nodes=5_000)
        assert len(traps.places) < 300
        line = random_line(SLANT, start, rng).states
        for state in line[2:-1:2]:
            if rng.random() < 0.6:
                root = traps.search(state, nodes=3_000)
                assert root.state == state
                assert set(root.ways) <= set(SLANT.legal(state))


def test_a_search_without_time_comes_back(agent):
    traps = Traps(SLANT, agent.thinker, ShallowPlayer(SLANT, 4))
    assert traps.search(SLANT.start(seed=5), seconds=0.0).visits == 0


def test_who_is_stopped_says_what_was_found_till_then():
    agent = make_agent(SLANT, "tricky:mb=16")
    state = SLANT.start(seed=2)
    Timer(0.4, agent.stop).start()
    begin = time.perf_counter()
    found = agent.choose(state, Budget(seconds=60))
    assert time.perf_counter() - begin < 30
    assert found.depth > 3
    assert found.move in SLANT.legal(state)


def test_who_moves_second_sees_the_first_move_from_the_start(agent, monkeypatch):
    """Where it is told what the start was, it asks what it would have played there itself."""
    start, asked = SLANT.start(m=4, seed=3), []
    state = SLANT.play(start, SLANT.legal(start)[0])
    think = agent._think
    monkeypatch.setattr(agent, "_think", lambda where, *others: asked.append(where) or think(where, *others))
    begin_game(agent, start)
    agent.choose(state, MANY)
    assert asked[0] == start
    asked.clear()
    begin_game(agent, start)
    agent.choose(start, MANY)
    after = agent.trust.after_ours
    asked.clear()
    agent.choose(SLANT.play(after, SLANT.legal(after)[0]), MANY)
    assert start not in asked


def test_a_forgotten_game_leaves_nothing():
    agent = make_agent(SLANT, "tricky:mb=4")
    state = SLANT.start(m=4, seed=3)
    first = agent.choose(state, MANY)
    agent.forget()
    again = agent.choose(state, MANY)
    assert (first.move, first.nodes, first.score) == (again.move, again.nodes, again.score)


def test_chances_grow_with_the_score():
    chances = [chance_of(score) for score in (-(10**9), -2000, 0, 2000, 10**9)]
    assert chances == sorted(chances)
    assert chances[2] == 0.5
    assert [value_of(score) for score in (-1, 0, 1)] == [0.0, 0.5, 1.0]


def test_the_pace_of_an_opponent_says_how_deep_it_comes():
    state, pace = SLANT.start(m=6, seed=1), Pace(SLANT)
    pace.measured = 1_000_000.0
    pace.forget()
    counts = [count_of(state, depth) for depth in (1, 2, 3)]
    assert costs(SLANT, state, 3) == [sum(counts[:depth]) for depth in (1, 2, 3)]
    assert pace.depths(SLANT, state, 3) == (3,)  # nobody said how long it may think
    least, most = costs(SLANT, state, 4)[2:]
    for positions, depths in ((least - 1, (2,)), (least, (3,)), (most - 1, (3,)), (most, (4,)), (5, (1,))):
        pace.limit(seconds=None, nodes=positions)
        assert pace.depths(SLANT, state, 4) == depths
    pace.limit(seconds=most / pace.measured, nodes=None)
    assert pace.depths(SLANT, state, 4) == (4, 3)  # it may be a little slower or faster than this machine was
    pace.saw(state, 4, is_finished=True)
    assert pace.depths(SLANT, state, 4) == (4,)
    pace.forget()
    pace.limit(seconds=most / pace.measured, nodes=None)
    pace.saw(state, 4, is_finished=False)
    assert pace.depths(SLANT, state, 4) == (4, 3)  # at that very pace it would be just finished
    pace.limit(seconds=0.95 * most / pace.measured, nodes=None)
    assert pace.depths(SLANT, state, 4) == (3,)


def count_of(state, depth):
    """Positions below one, so many plies ahead; by plain counting."""
    if depth == 0 or SLANT.result(state) is not None:
        return 0
    return sum(1 + count_of(SLANT.play(state, move), depth - 1) for move in SLANT.legal(state))


def test_an_opponent_who_answers_otherwise_meets_plain_alphabeta(agent):
    plain = make_agent(SLANT, "alphabeta:mb=16")
    for seed in range(3):
        state = middle_of(SLANT, random.Random(seed), 12, m=4, seed=seed)
        agent.forget()
        plain.forget()
        agent.trust.is_stranger = True
        found, expected = agent.choose(state, MANY), plain.choose(state, MANY)
        assert (found.move, found.score, found.line) == (expected.move, expected.score, expected.line)


def test_a_trap_is_worth_more_after_telling_answers(agent):
    state, way = SLANT.start(m=4, seed=0), Way(0.1)
    even = Finding(0, 0, False, (0,), 1, 1, 0.0)
    way.visits, way.secured = 1, 1.0
    before = agent._worth(state, even, way)
    agent.trust.telling = 10
    assert 0.5 < before < agent._worth(state, even, way) < 1.0
    way.secured = 0.0
    assert agent._worth(state, even, way) == 0.5


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
    state = middle_of(SLANT, random.Random(1), 20, m=8, seed=1)
    assert agent.choose(state, MANY).move in SLANT.legal(state)


def test_where_a_twin_stood_the_rest_of_the_tree_goes(agent):
    traps, state = agent.traps[SLANT], SLANT.start(m=4, seed=3)
    root = traps.search(state, nodes=300_000)
    place = next(place for way in root.ways.values() for place in way.places if place.visits > 0)
    now, place.state = place.state, SLANT.start(m=4, seed=5)  # as if one that is alike stood there
    fresh = traps._plant(now)
    assert fresh is not place and fresh.state == now
    assert root not in traps.places.values() and place not in traps.places.values()

"""Self-play: whole games, seen and scored as the rules say, and the same for the same seed."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from learning_games import MARGINS, PHASED, SEATS
from ludus.learn.checkpoint import load_positions, save_positions
from ludus.learn.examples import Examples
from ludus.learn.fitting import Lesson, Pupil, fit, mean_loss
from ludus.learn.loops import Loops
from ludus.learn.self_play import BANKED, FAR, GUESS, IS_CLEAN, MOVER, NUMBER, PAYOFF, SCORE, Play, Player, Positions
from ludus.learn.tensors import Tensors
from ludus.learn.training import blank, spread_of, without_ignorance
from ludus.networks.inputs import find_shape, noted, words_of
from ludus.networks.symmetries import no_turn, turns_of
from ludus.rules import load_game
from rules_files import TIC_TAC_TOE
from test_networks import drawn_network, from_bits

WANTED = 3000
TO_THE_END = Play(nodes=10**9)


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    folder = tmp_path_factory.mktemp("self_play")
    found = {}
    for name, source in (("seats", SEATS), ("phased", PHASED), ("margins", MARGINS), ("mine", TIC_TAC_TOE)):
        (folder / f"{name}.py").write_text(source)
        found[name] = load_game(folder / f"{name}.py")
    return found


@cache
def value(game, state):
    """Seat 0's payoff under perfect play."""
    payoff = game.result(state)
    if payoff is not None:
        return payoff
    values = [value(game, game.play(state, move)) for move in game.legal(state)]
    return max(values) if game.turn(state) == 0 else min(values)


@cache
def all_states(game):
    """Every position that is not over."""
    seen, todo = set(), [game.start()]
    while todo:
        state = todo.pop()
        if state not in seen and game.result(state) is None:
            seen.add(state)
            todo += [game.play(state, move) for move in game.legal(state)]
    return seen


def known_to(game, network=None, *, threads=1, seed=1, manner=TO_THE_END, compiled=False, wanted=WANTED):
    """Positions of self-play; plain, as compiling a game takes longer than playing games so small."""
    player = Player(game, network, threads=threads, manner=manner, seed=seed, compiled=compiled)
    return player.positions(wanted)


@cache
def usual(game):
    """Positions that many tests look at and none changes."""
    return known_to(game)


@pytest.mark.parametrize("aside", [0, 400])
def test_scores_and_payoffs_are_those_of_perfect_play_where_the_search_sees_the_end(games, aside):
    game = games["seats"]
    by_words = {words_of(game, state): state for state in all_states(game)}
    positions = known_to(game, manner=TO_THE_END._replace(aside_per_mille=aside))
    assert WANTED <= len(positions) <= WANTED + 600
    for words, facts in zip(positions.words.tolist(), positions.facts.tolist(), strict=True):
        state = by_words[tuple(words)]
        assert facts[MOVER] == game.turn(state)
        assert facts[SCORE] == 1000 * value(game, state)
        assert facts[GUESS] == game.evaluate(state)
        if facts[IS_CLEAN]:
            assert facts[PAYOFF] == facts[SCORE]


def test_margins_know_what_is_settled_and_score_the_whole(games):
    game = games["margins"]
    # A network sees the heap alone; what is to come depends on it and on the mover.
    to_come = {(s.heap, s.mover): 1000 * (value(game, s) - game.module.banked(s)) for s in all_states(game)}
    positions = usual(game)
    assert len(set(positions.facts[:, BANKED].tolist())) > 3
    for (heap, *rest), facts in zip(positions.words.tolist(), positions.facts.tolist(), strict=True):
        assert rest[:2] == [0, 0]
        assert facts[SCORE] - facts[BANKED] == to_come[heap, facts[MOVER]]
        if facts[IS_CLEAN]:
            assert facts[PAYOFF] == facts[SCORE]


def test_the_same_seed_gives_the_same_positions_and_another_gives_others(games):
    game = games["seats"]
    one, again, other = (known_to(game, threads=2, seed=seed, wanted=600) for seed in (5, 5, 6))
    assert np.array_equal(one.words, again.words) and np.array_equal(one.facts, again.facts)
    assert not np.array_equal(one.words[:500], other.words[:500])


def test_compiled_and_plain_play_the_same_games(games):
    game = games["mine"]
    network = drawn_network(game, 4)
    plain, compiled = (
        known_to(game, network, manner=Play(nodes=60, aside_per_mille=300), compiled=compiled, wanted=150)
        for compiled in (False, True)
    )
    assert np.array_equal(plain.words, compiled.words) and np.array_equal(plain.facts, compiled.facts)


def test_positions_aside_are_off_the_games_and_their_end_is_not_known(games):
    game = games["seats"]
    positions = known_to(game, manner=TO_THE_END._replace(aside_per_mille=500, random_per_mille=0), wanted=2000)
    is_aside = positions.facts[:, IS_CLEAN] == 0  # no move was random, so games are clean
    assert 0.28 < is_aside.mean() < 0.38  # one for every second position of a game
    stones = np.array([int(one).bit_count() + int(other).bit_count() for one, other, _ in positions.words])
    before = np.maximum.accumulate(np.where(is_aside, 0, np.arange(len(stones))))  # in the game
    further = (stones - stones[before])[is_aside]
    assert further.min() >= 0 and further.max() > 2 and further.max() <= FAR


def test_games_of_all_threads_are_whole_and_numbered_apart(games):
    positions = known_to(games["seats"], threads=2, wanted=600)
    numbers = positions.facts[:, NUMBER]
    ends = np.flatnonzero(np.diff(numbers)) + 1
    parts = np.split(np.arange(len(numbers)), ends)
    assert len(parts) == len(set(numbers.tolist()))
    for rows in parts:
        assert len(set(positions.facts[rows, PAYOFF].tolist())) == 1
        stones = [int(one).bit_count() + int(other).bit_count() for one, other, _ in positions.words[rows]]
        assert stones == list(range(stones[0], stones[0] + len(stones)))


def test_openings_differ_in_length(games):
    positions = known_to(games["seats"], manner=Play(nodes=50, opening=6, random_per_mille=0))
    firsts = np.flatnonzero(np.diff(positions.facts[:, NUMBER], prepend=-1))
    begins = {sum(int(word).bit_count() for word in positions.words[row][:2]) for row in firsts}
    assert begins == set(range(7))


def test_of_a_search_that_knew_nothing_wins_that_it_saw_and_results_are_left(games):
    game = games["seats"]
    manner = Play(nodes=20, random_per_mille=300)
    positions = known_to(game, blank(game, find_shape(game, hidden=16)), manner=manner)
    left = without_ignorance(positions, 1).facts
    assert 0 < len(left) < len(positions)
    assert np.all((left[:, IS_CLEAN] == 1) | (np.abs(left[:, SCORE]) == 1000))
    assert np.all((left[:, SCORE] == left[:, PAYOFF]) | (np.abs(left[:, SCORE]) == 1000))


def examples_of(game, shape, *, spread, result_share=0.5):
    return Examples(shape, usual(game), spread=spread, result_share=result_share, turns=turns_of(game, shape))


@pytest.mark.parametrize("name", ["seats", "margins", "phased"])
def test_learning_brings_the_loss_down_and_the_whole_numbers_say_the_same(games, name):
    game = games[name]
    shape = find_shape(game, hidden=16)
    pupil = Pupil(shape, spread=spread_of(usual(game)), seed=1)
    examples = examples_of(game, shape, spread=pupil.spread)
    before = mean_loss(pupil, examples)
    fit(pupil, examples, Lesson(steps=400, batch=256, rate=0.01))
    after = mean_loss(pupil, examples)
    assert after < 0.95 * before
    rounded = Pupil(shape, spread=pupil.spread, seed=2)
    rounded.begin_with(pupil.network(game, {}))
    assert abs(mean_loss(rounded, examples) - after) < 0.01 * before


def test_what_margins_learn_is_what_is_still_to_come(games):
    game = games["margins"]
    shape, spread = find_shape(game, hidden=32), spread_of(usual(game))
    pupil = Pupil(shape, spread=spread, seed=1)
    examples = examples_of(game, shape, spread=spread, result_share=0.0)
    fit(pupil, examples, Lesson(steps=1500, batch=256, rate=0.01))
    network = pupil.network(game, {})
    states = sorted(all_states(game))
    off = [abs(said - 1000 * value(game, s)) for said, s in zip(from_bits(game, network, states), states, strict=True)]
    assert sum(off) / len(off) < 0.1 * pupil.spread


@pytest.mark.parametrize("name", ["seats", "margins"])
def test_slopes_are_those_of_the_loss(games, name):
    game = games[name]
    shape = find_shape(game, hidden=16)
    pupil = Pupil(shape, spread=spread_of(usual(game)), seed=3)
    examples, picks = examples_of(game, shape, spread=pupil.spread), np.arange(300)
    way = Tensors("cpu")
    _, slopes = way.slopes(pupil.weights, examples, picks, no_turn(shape))
    for part, slope, index in zip(pupil.weights, slopes, ((2, 7), 5, (0, 3), (0, 0)), strict=True):
        kept, step = part[index], np.float32(1e-2)
        part[index] = kept + step
        above = way.loss(pupil.weights, examples, picks)
        part[index] = kept - step
        measured = (above - way.loss(pupil.weights, examples, picks)) / (2 * step)
        part[index] = kept
        assert float(slope[index]) == pytest.approx(measured, rel=0.05, abs=1e-4)


@pytest.mark.parametrize("name", ["seats", "margins", "phased"])
@pytest.mark.parametrize("threads", [1, 3])
def test_loops_find_the_slopes_that_matrices_find(games, name, threads):
    game = games[name]
    shape = find_shape(game, hidden=16)
    pupil = Pupil(shape, spread=spread_of(usual(game)), seed=3)
    examples, random = examples_of(game, shape, spread=pupil.spread), np.random.default_rng(4)
    loops, tensors = Loops(pupil.weights, threads), Tensors("cpu")
    for turn in examples.turns:
        picks = random.integers(0, len(examples), 1000)
        (loss, found), (expected_loss, expected) = (
            way.slopes(pupil.weights, examples, picks, turn) for way in (loops, tensors)
        )
        assert loss == pytest.approx(expected_loss, rel=1e-5)
        for own, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(own, other, atol=1e-6, rtol=1e-4)
    assert loops.loss(pupil.weights, examples, picks) == pytest.approx(tensors.loss(pupil.weights, examples, picks))


@pytest.mark.parametrize("name", ["seats", "phased"])
def test_positions_come_back_from_the_disk(games, name, tmp_path):
    """With the phase of each, where the game has phases: as many words as a training that is gone on with expects."""
    game, positions = games[name], usual(games[name])
    save_positions(tmp_path, 0, positions)
    again = load_positions(tmp_path, 0, width=len(noted(game, game.start())))
    assert np.array_equal(again.words, positions.words) and np.array_equal(again.facts, positions.facts)


def test_phases_that_there_are_not_are_the_nearest_one(games):
    """A game may name a phase that it had not when it was looked at; loops would write beside their arrays."""
    game = games["phased"]
    shape, positions = find_shape(game, hidden=16), usual(game)
    stray = positions.words.copy()
    stray[:, -1] = [(-7, 3, 1 << 40)[k % 3] for k in range(len(stray))]
    examples = Examples(shape, Positions(stray, positions.facts), spread=1000, result_share=0.5, turns=[])
    assert set(examples.phases.tolist()) == {0, 3, 9}


def test_bits_that_are_no_inputs_are_not_looked_at(games):
    """A position may have bits that none had when the inputs were found."""
    game = games["seats"]
    shape, positions = find_shape(game, hidden=16), usual(game)
    pupil = Pupil(shape, spread=1000, seed=3)
    stray = positions.words | (1 << 62)
    clean, strange = (
        Examples(shape, Positions(words, positions.facts), spread=1000, result_share=0.5, turns=[])
        for words in (positions.words, stray)
    )
    assert mean_loss(pupil, clean) == mean_loss(pupil, strange)
    assert (clean.words == strange.words).all()

"""Monte Carlo tree search: proofs agree with exhaustive search; seeds, limits and threads hold."""

from __future__ import annotations

import random
import threading
import time

import numpy as np
import pytest

from ludus.errors import PositionError
from ludus.rules import load_game, random_line
from ludus.search import mcts_grow as grow
from ludus.search import mcts_tree as tree
from ludus.search.finding import SCALE
from ludus.search.mcts import Mcts, warm
from rules_files import TIC_TAC_TOE, heap

pytest.importorskip("numba")

RANGES = {"ultimate": (-1, 1), "ultimate-adjacent": (-3, 3), "extreme": (-68, 68)}


def mcts(game, state, *, iterations, seed=0, compiled=None):
    """One search with a tree of its own."""
    return Mcts(game, seed=seed, compiled=compiled).search(state, iterations=iterations)


def value(game, state, known):
    """Seat 0's payoff under perfect play, by looking at everything."""
    if state not in known:
        payoff = game.result(state)
        if payoff is None:
            values = [value(game, game.play(state, move), known) for move in game.legal(state)]
            payoff = max(values) if game.turn(state) == 0 else min(values)
        known[state] = payoff
    return known[state]


def room_left(game, state, room):
    """What is left of room for so many positions after all that follow this one; below 0 if they are more."""
    if game.result(state) is not None:
        return room - 1
    for move in game.legal(state):
        if room < 0:
            break
        room = room_left(game, game.play(state, move), room - 1)
    return room


def endgames(game, start, games, seed, most=3_000):
    """The earliest positions of random games from which everything can be looked at, and some later ones."""
    rng = random.Random(seed)
    for _ in range(games):
        states = [start]
        while game.result(states[-1]) is None:
            states.append(game.play(states[-1], rng.choice(game.legal(states[-1]))))
        small = [s for s in states[-10:-1] if room_left(game, s, most) >= 0]
        yield from small[:1] + small[2::3]


def check_proof(game, state, found, known):
    """A proven finding is exact, and its move and its line keep the value."""
    exact = value(game, state, known)
    assert found.is_exact
    assert found.score == SCALE * exact
    assert found.line[0] == found.move
    for move in found.line:
        assert move in game.legal(state)
        state = game.play(state, move)
        assert value(game, state, known) == exact


def check_proofs(game, states, **options):
    known = {}
    searcher = Mcts(game, megabytes=4, **options)
    for state in states:
        check_proof(game, state, searcher.search(state, iterations=400_000), known)


@pytest.mark.parametrize("name", ["ultimate", "ultimate-adjacent", "extreme"])
def test_endgames_are_proven_as_exhaustive_search_says(name):
    game = load_game(name)
    states = list(endgames(game, game.start(), 15, seed=3))
    check_proofs(game, states)
    check_proofs(game, states, payoffs=RANGES[name])


def test_small_boards_of_slant_and_subtraction_are_proven_as_exhaustive_search_says():
    game = load_game("slant")
    check_proofs(game, [game.start(m=2, seed=seed) for seed in range(40)])
    circles = [[1, 0, 1], [0, 2, 0], [0, 0, 1]]
    assert mcts(game, game.start(circles=circles), iterations=10_000).score == 0
    game = load_game("subtraction")
    check_proofs(game, [game.start(low=1, high=high, seed=seed) for high in (2, 3) for seed in range(10)])
    for board, score in (([[4, 2, 3], [2, 3, 4], [3, 4, 2]], 5), ([[2, 4, 3], [4, 2, 4], [3, 4, 2]], 13)):
        found = Mcts(game, megabytes=256).search(game.start(board=board), iterations=2_000_000)
        assert (found.score, found.is_exact) == (SCALE * score, True)


def test_rules_files_are_proven_as_exhaustive_search_says(write):
    game = load_game(write("heap.py", heap(heap=14)))
    check_proofs(game, [game.start(heap=n) for n in range(1, 15)], compiled=False)
    check_proofs(game, [game.start(heap=n) for n in range(1, 15)], compiled=False, payoffs=(-1, 1))
    game = load_game(write("tictactoe.py", TIC_TAC_TOE))
    states = [game.start(), *endgames(game, game.start(), 20, seed=1)]
    check_proofs(game, states)
    check_proofs(game, states, urgency=0.6)
    check_proofs(game, states, cut_off=2)


def told(found):
    """All that a finding says but the time it took."""
    return found.move, found.score, found.is_exact, found.line, found.depth, found.nodes, found.counts


STARTS = {
    "extreme": {},
    "slant": {"m": 4, "seed": 1},
    "subtraction": {"low": 5, "high": 9, "seed": 1},
    "ultimate": {},
    "ultimate-adjacent": {},
}


@pytest.mark.parametrize("name", STARTS)
def test_a_seed_means_the_same_compiled_and_plain_along_a_game(name):
    """Three searches with reuse of the tree in between, so that proofs, compaction and playouts all take part."""
    game = load_game(name)
    options = {"seed": 5, "cut_off": 40, "exploration": 0.7, "payoffs": RANGES.get(name)}
    searchers = [Mcts(game, megabytes=1, compiled=compiled, **options) for compiled in (True, False)]
    state = game.start(**STARTS[name])
    for _ in range(3):
        compiled, plain = (told(searcher.search(state, iterations=150)) for searcher in searchers)
        assert compiled == plain
        state = game.play(state, compiled[0])


def test_same_seed_and_iterations_same_finding_and_another_seed_another():
    game = load_game("ultimate")
    first, again, other = (told(mcts(game, game.start(), iterations=3_000, seed=seed)) for seed in (1, 1, 2))
    assert first == again
    assert first[-1] != other[-1]


def test_progress_is_told_and_changes_nothing():
    game = load_game("ultimate")
    heard = []
    found = Mcts(game).search(game.start(), iterations=5_000, on_progress=heard.append)
    assert heard[-1] == found
    assert told(found) == told(mcts(game, game.start(), iterations=5_000))


def test_a_finding_counts_iterations_playouts_and_visits():
    game = load_game("ultimate")
    searcher = Mcts(game)
    found = searcher.search(game.start(), iterations=2_000)
    assert found.nodes == found.counts["playouts"] == 2_000
    visits = {int(key.removeprefix("visits_")): n for key, n in found.counts.items() if key.startswith("visits_")}
    assert sorted(visits) == game.legal(game.start())
    assert sum(visits.values()) == 2_000
    assert -SCALE <= found.score <= SCALE
    assert found.depth >= len(found.line) > 1
    choices = searcher.choices()
    assert (choices[0].move, choices[0].score, choices[0].line) == (found.move, found.score, found.line)
    assert {choice.move: choice.visits for choice in choices} == visits


def test_a_search_ends_at_its_deadline():
    game = load_game("ultimate")
    searcher = Mcts(game, megabytes=8)
    searcher.search(game.start(), iterations=1)  # compiles
    begin = time.monotonic()
    found = searcher.search(game.start(), seconds=0.05)
    assert found.nodes > 0
    assert 0.04 < time.monotonic() - begin < 5
    assert found.move in game.legal(game.start())
    assert searcher.search(game.start(), seconds=0.0).move in game.legal(game.start())


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_without_limits_ends_when_it_is_told_to(threads):
    game = load_game("ultimate")
    searcher = Mcts(game, megabytes=8, threads=threads)
    searcher.search(game.start(), iterations=1)
    found = []
    thread = threading.Thread(target=lambda: found.append(searcher.search(game.start())))
    thread.start()
    while searcher.nodes[1] < 10 * tree.VISIT:  # it runs, and without the interpreter lock
        time.sleep(0.001)
    searcher.stop()
    thread.join(timeout=60)
    assert found[0].nodes > 0


def test_threads_give_legal_moves_and_true_proofs(write):
    game = load_game("ultimate")
    searcher = Mcts(game, megabytes=8, threads=3)
    state = game.start()
    rng = random.Random(2)
    while game.result(state) is None:
        found = searcher.search(state, iterations=2_000)
        assert found.move in game.legal(state)
        state = game.play(state, rng.choice([found.move, *game.legal(state)]))
    for name, payoffs in RANGES.items():
        game = load_game(name)
        check_proofs(game, endgames(game, game.start(), 8, seed=8), threads=3, payoffs=payoffs)
    game = load_game(write("tictactoe.py", TIC_TAC_TOE))
    check_proofs(game, [game.start()] * 3, threads=3)
    game = load_game("subtraction")
    check_proofs(game, [game.start(low=1, high=3, seed=seed) for seed in range(6)], threads=3)


@pytest.mark.parametrize("compiled", [True, False])
def test_a_position_that_is_over_is_refused_and_one_move_is_found(compiled):
    game = load_game("subtraction")
    over = game.start(board=[[0, 0, 0], [1, 1, 1], [1, 1, 1]])
    with pytest.raises(PositionError, match="the game is over"):
        mcts(game, over, iterations=10, compiled=compiled)
    state = game.start(board=[[1, 1, 1], [0, 1, 1], [1, 0, 1]])
    assert len(game.legal(state)) > 1
    assert mcts(game, state, iterations=0, compiled=compiled).move in game.legal(state)
    last = game.start(board=[[1, 1, 1], [0, 1, 1], [1, 0, 0]])
    assert len(game.legal(last)) == 1
    found = mcts(game, last, iterations=10, compiled=compiled)
    check_proof(game, last, found, {})
    assert found.line == (found.move,)


def test_rules_that_leave_no_move_are_refused_at_the_root_and_survived_below(write):
    game = load_game(write("stuck.py", heap().replace("return (1 <<", "return 0 if s.heap == 5 else (1 <<")))
    with pytest.raises(PositionError, match="no move"):
        mcts(game, game.start(heap=5), iterations=10, compiled=False)
    assert mcts(game, game.start(heap=10), iterations=200, compiled=False).move in (0, 1, 2)


@pytest.mark.parametrize("spread", [0, 1_500, 20_000])
def test_worth_keeps_the_order_of_payoffs_and_scores_come_back(spread):
    scores = range(-1000, 1001, 100) if spread == 0 else range(-60_000, 60_001, 1_000)
    gains = [grow.worth(score, 0, spread) for score in scores]
    assert gains == sorted(set(gains))
    assert all(0 <= gain <= tree.UNIT for gain in gains)
    assert gains[len(gains) // 2] == tree.UNIT / 2
    if spread == 0:
        assert (gains[0], gains[-1]) == (0, tree.UNIT)


def test_the_table_of_bonuses_follows_the_logarithm():
    table = grow.uct_table(1.0, np.inf)
    for visits in [*range(2, 300), 1_000, 12_345, tree.MOST_VISITS]:
        exact = tree.UNIT * np.sqrt(np.log(visits))
        assert 0.99 * exact < grow.bonus(visits, table) <= exact


def test_more_iterations_win_and_everything_beats_random_moves():
    game = load_game("ultimate")
    assert points(game, 600, 40, games=16) >= 11
    assert points(game, 200, 0, games=10) >= 9


def points(game, strong, weak, games):
    """What `strong` iterations a move score against `weak`, 0 being random moves, on both sides."""
    total = 0.0
    for k in range(games):
        rng = random.Random(k)
        iterations = (strong, weak) if k % 2 == 0 else (weak, strong)
        players = [Mcts(game, megabytes=4, seed=k) for _ in range(2)]
        state = game.start()
        while game.result(state) is None:
            seat = game.turn(state)
            if iterations[seat] == 0:
                move = rng.choice(game.legal(state))
            else:
                move = players[seat].search(state, iterations=iterations[seat]).move
            state = game.play(state, move)
        payoff = game.result(state)
        total += 0.5 if payoff == 0 else (payoff > 0) == (k % 2 == 0)
    return total


def test_warm_compiles_every_part():
    warm(load_game("ultimate"))


def test_a_short_search_after_a_long_one_keeps_its_time():
    """What is left of a large tree may be too much to keep: then it is dropped."""
    game = load_game("ultimate")
    searcher = Mcts(game, megabytes=256)
    state = game.start()
    taken = []
    for _ in range(3):
        found = searcher.search(state, iterations=400_000)
        state = game.play(state, found.move)
        begin = time.perf_counter()
        found = searcher.search(state, seconds=0.005)
        taken.append(time.perf_counter() - begin)
        state = game.play(state, found.move)
    assert min(taken) < 0.05


def test_an_open_move_is_preferred_to_a_proven_loss():
    game, rng = load_game("ultimate"), random.Random(4)
    for _ in range(60):
        states = random_line(game, game.start(), rng).states
        searcher = Mcts(game, megabytes=1, seed=rng.randrange(100))
        state = states[-rng.randrange(3, 12)]
        found = searcher.search(state, iterations=rng.randrange(5, 60))
        best, *others = searcher.choices()
        lost = -SCALE if game.turn(state) == 0 else SCALE
        if best.is_exact and best.score == lost:
            assert all(choice.is_exact for choice in others), found


def test_a_proven_win_goes_before_playouts_that_were_all_won(write):
    source = TIC_TAC_TOE[: TIC_TAC_TOE.index("def payoffs")]
    game = load_game(write("noughts.py", source))
    state = game.module.State(0b11, 0b11000, 0)  # two crosses in the first row
    for seed in range(30):
        found = mcts(game, state, iterations=6, seed=seed, compiled=False)
        assert found.move == 2, seed

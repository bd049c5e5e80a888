"""The tree of MCTS: it never takes more than its memory, threads share it, and it is kept from move to move."""

from __future__ import annotations

import random

import pytest

from ludus.rules import load_game
from ludus.search import mcts as mcts_search
from ludus.search import mcts_grow as grow
from ludus.search import mcts_tree as tree
from ludus.search.mcts import Mcts
from test_mcts import RANGES, STARTS

pytest.importorskip("numba")


@pytest.mark.parametrize("threads", [1, 3])
def test_memory_is_never_exceeded_and_a_full_tree_goes_on_with_playouts(threads):
    game = load_game("extreme")
    searcher = Mcts(game, megabytes=1, threads=threads, cut_off=10)
    arrays = (searcher.nodes, searcher.proofs, searcher.marks, searcher.ranks)
    assert sum(array.nbytes for array in arrays) <= 1 << 20
    state = game.start()
    for _ in range(3):
        found = searcher.search(state, iterations=30_000)
        assert 0.9 * searcher.capacity < found.counts["tree"] <= searcher.capacity
        assert found.nodes == found.counts["playouts"] == 30_000
        assert searcher.nodes is arrays[0]
        check_tree(game, searcher)
        state = game.play(state, found.move)
    with pytest.raises(ValueError, match="needs more than 0 megabytes"):
        Mcts(game, megabytes=0)


def test_threads_take_regions_by_turns_and_fill_the_whole_tree(monkeypatch):
    monkeypatch.setattr(mcts_search, "REGION", 2_500)
    game = load_game("ultimate")
    searcher = Mcts(game, megabytes=1, threads=3)
    assert searcher.capacity > 4 * 3 * mcts_search.REGION
    state = game.start()
    for _ in range(3):
        found = searcher.search(state, iterations=60_000)
        ends = [int(room.report[grow.NEXT]) for room in searcher.rooms]
        assert max(ends) <= searcher.capacity and 0.5 * searcher.capacity < found.counts["tree"] <= searcher.capacity
        check_tree(game, searcher)
        state = game.play(state, found.move)


def test_a_small_tree_of_several_threads_lies_together():
    """Else keeping it for the next move would take as long as keeping a full one."""
    game = load_game("ultimate")
    searcher = Mcts(game, megabytes=256, threads=2)
    found = searcher.search(game.start(), iterations=2_000)
    assert searcher._used() <= found.counts["tree"] + 2 * mcts_search.REGION < searcher.capacity / 20


def test_a_full_tree_below_a_forced_move_gives_threads_nothing_to_write_to(write):
    """Fewer nodes are free than threads are there: their regions ended beyond the tree."""
    path = write(
        "chain.py",
        """
        from typing import NamedTuple
        MOVES = 2
        class State(NamedTuple):
            ply: int
            bits: int
        def start(): return State(0, 1)
        def turn(s): return s.ply & 1
        def moves(s): return 3 if s.ply % 4 == 3 else 1
        def play(s, m): return State(s.ply + 1, (s.bits * 636413 + m + 1) % 1000000007)
        def result(s): return None if s.ply < 200 else s.bits % 3 - 1
        """,
    )
    game = load_game(path)
    searcher = Mcts(game, megabytes=1, threads=3)
    state = game.start()
    for _ in range(4):
        found = searcher.search(state, iterations=100_000)
        assert found.counts["tree"] <= searcher.capacity
        assert all(room.report[grow.END] <= searcher.capacity for room in searcher.rooms)
        state = game.play(state, found.move)


def check_tree(game, searcher):
    """The nodes near the root hold the legal moves, visits add up, and memory beyond the tree is empty."""
    stack = [(0, searcher.root)]
    seen = {0}
    while stack:
        node, state = stack.pop()
        link = int(searcher.nodes[2 * node])
        first, width = tree.first_child(link), tree.width_of(link)
        if width == 0:
            continue
        children = range(first, first + width)
        assert seen.isdisjoint(children)
        seen.update(children)
        moves = [tree.move_of(int(searcher.nodes[2 * child])) for child in children]
        assert sorted(moves) == game.legal(state)
        if searcher.threads == 1:
            visits = [tree.visits_of(int(searcher.nodes[2 * child + 1])) for child in children]
            assert tree.visits_of(int(searcher.nodes[2 * node + 1])) >= sum(visits) > 0 or node == 0
        if len(seen) < 3_000:
            stack += [(child, game.play(state, move)) for child, move in zip(children, moves, strict=True)]
    used = max(int(room.report[grow.NEXT]) for room in searcher.rooms)
    assert not searcher.nodes[2 * used :].any()
    assert not searcher.proofs[used:].any()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", STARTS)
def test_the_tree_is_kept_from_move_to_move(name, threads):
    game = load_game(name)
    searcher = Mcts(game, megabytes=4, threads=threads, payoffs=RANGES.get(name), cut_off=200)
    rng = random.Random(4)
    state = game.start(**STARTS[name])
    for _ in range(6):
        if game.result(state) is not None:
            break
        found = searcher.search(state, iterations=1_500)
        check_tree(game, searcher)
        place = state
        for move in found.line:
            assert move in game.legal(place)
            place = game.play(place, move)
        state = game.play(state, found.move)
        if game.result(state) is None:
            state = game.play(state, rng.choice(game.legal(state)))


def test_what_was_known_of_the_position_reached_stays_known():
    game = load_game("ultimate")
    searcher = Mcts(game)
    found = searcher.search(game.start(), iterations=20_000)
    reached = game.play(game.play(game.start(), found.line[0]), found.line[1])
    searcher.search(game.start(), iterations=0)
    before = {choice.move: choice for choice in searcher.choices()}[found.move]
    after = searcher.search(reached, iterations=1)
    kept = sum(n for key, n in after.counts.items() if key.startswith("visits_"))
    assert 10 < kept < before.visits
    elsewhere = searcher.search(game.play(game.start(), 0), iterations=10)  # not below the root: from scratch
    assert sum(n for key, n in elsewhere.counts.items() if key.startswith("visits_")) == 10


def test_visits_that_threads_count_beforehand_are_those_they_make():
    game = load_game("ultimate")
    searcher = Mcts(game, megabytes=8, threads=2, seed=3)
    state = game.play(game.start(), 40)  # nine moves, so that many nodes have many visits
    iterations = 100 * grow.MANY
    found = searcher.search(state, iterations=iterations)
    assert found.nodes == iterations
    assert not any(room.path[grow.LATE :].any() for room in searcher.rooms)
    root, visits = searcher.nodes[1], [choice.visits for choice in searcher.choices()]
    assert max(visits) > 2 * grow.MANY
    for counted in (tree.visits_of(int(root)), sum(visits)):  # two threads that write at once may lose a few
        assert 0.95 * iterations < counted <= 1.02 * iterations


def test_threads_that_stay_below_a_node_guess_what_one_thread_does():
    """Gains noted late, and visits counted beforehand, leave the means as they are."""
    game = load_game("ultimate")
    state = game.play(game.start(), 40)
    alone, shared = (Mcts(game, megabytes=64, threads=threads, seed=3) for threads in (1, 2))
    first, second = (searcher.search(state, iterations=60_000) for searcher in (alone, shared))
    assert abs(first.score - second.score) < 40  # thousandths

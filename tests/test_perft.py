"""Counts of move sequences: published ones, those of slow rules, and the ways of counting against each other."""

from __future__ import annotations

import pytest

from ludus.rules import follow, game_names, load_game, random_line
from ludus.search import perft as counting
from ludus.search.perft import perft
from rules_files import heap, sequences

PUBLISHED = {
    "ultimate": (81, 720, 6336, 55080, 473256, 4020960, 33782544, 281067408),
    "ultimate-adjacent": (81, 1360, 22560),
    "extreme": (256, 4080, 64800, 1025280),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_counts(name):
    game = load_game(name)
    start = game.start()
    counts = tuple(perft(game, start, depth) for depth in range(1, len(PUBLISHED[name]) + 1))
    assert counts == PUBLISHED[name]


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_counts_without_compiling(name):
    game = load_game(name)
    for depth in (0, 1, 2):
        expected = (1, *PUBLISHED[name])[depth]
        assert perft(game, game.start(), depth, compiled=False) == expected


def slow_count(game, state, depth):
    if depth == 0:
        return 1
    return sum(slow_count(game, game.play(state, move), depth - 1) for move in game.legal(state))


NEAR_THE_END = {
    "extreme": {},
    "slant": {"circles": "10100 / 02030 / 00102 / 20010 / 01001"},
    "subtraction": {"board": [[2, 1, 3], [1, 2, 2], [3, 2, 1]]},
    "ultimate": {},
    "ultimate-adjacent": {},
}


@pytest.mark.parametrize("name", game_names())
def test_all_ways_of_counting_agree_up_to_the_end_of_games(name):
    """Where games end inside the tree, finished ones must not be counted further."""
    import random

    import numpy as np

    from ludus.compile.link import link

    game = load_game(name)
    start = game.start(**NEAR_THE_END[name])
    for seed in range(3):
        states, _ = random_line(game, start, random.Random(seed), longest=10_000)
        for back in (1, 4, 6):
            state = states[max(0, len(states) - 1 - back)]
            for depth in (1, 2, 3, 4):
                expected = slow_count(game, state, depth)
                assert perft(game, state, depth) == expected
                assert perft(game, state, depth, compiled=False) == expected
                played = link(game, counting.count_leaves)(np.array(state, np.int64), depth)
                assert played == expected


def test_a_finished_game_has_no_moves_to_count():
    game = load_game("subtraction")
    over = game.start(board=[[0, 0, 0], [1, 1, 1], [1, 1, 1]])
    assert [perft(game, over, depth) for depth in (0, 1, 2)] == [1, 0, 0]


def test_progress_rises_to_the_whole_and_the_count_with_it():
    heard: list[tuple[float, int]] = []
    game = load_game("ultimate")
    total = perft(game, game.start(), 7, on_progress=lambda share, count: heard.append((share, count)))
    shares, counts = zip(*heard, strict=True)
    assert len(heard) > 5
    assert list(shares) == sorted(shares)
    assert list(counts) == sorted(counts)
    assert (shares[-1], counts[-1]) == (1.0, total)


def test_a_game_of_one_word_from_a_path(write):
    game = load_game(write("mygame.py", heap(heap=30)))
    for depth in range(9):
        assert perft(game, game.start(), depth) == sequences(30, depth, 3)


def test_symmetric_first_moves_have_equal_counts():
    game = load_game("ultimate")
    counts = {
        name: perft(game, follow(game, game.start(), [name]).states[-1], 4) for name in ("0,0", "0,8", "8,0", "8,8")
    }
    assert len(set(counts.values())) == 1

"""Compiled rules say what plain rules say; the clock and the stop flag work inside compiled code."""

from __future__ import annotations

import random
import threading
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.compile.agreement import compare
from ludus.compile.bits import lowest, now_ns, nth, plain
from ludus.compile.link import link
from ludus.compile.warm import compile_in_child
from ludus.rules import game_names, load_game, random_line
from ludus.search.perft import count_in_bulk, perft
from ludus.search.playouts import DEADLINE, STOP, sample_games, survey
from rules_files import heap, sequences

pytest.importorskip("numba")

OPTIONS = {
    "extreme": st.fixed_dictionaries({"bonus": st.booleans()}),
    "slant": st.fixed_dictionaries({"m": st.sampled_from([2, 4, 6, 8, 10, 12]), "seed": st.integers(0, 2**32)}),
    "subtraction": st.fixed_dictionaries(
        {
            "low": st.integers(0, 3),
            "high": st.sampled_from([4, 20, 99, 1_000]),
            "seed": st.integers(0, 2**32),
            "reward": st.integers(0, 1_000_000),
            "penalty": st.integers(0, 1_000_000),
        }
    ),
}


@pytest.mark.parametrize("name", game_names())
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_compiled_equals_plain_along_random_games(name, data):
    game = load_game(name)
    options = data.draw(OPTIONS.get(name, st.just({})))
    rng = random.Random(data.draw(st.integers(0, 2**32)))
    compare(game, random_line(game, game.start(**options), rng, longest=3_000))


def test_compiled_equals_plain_at_the_largest_numbers():
    """A million on every cell: far from the end, so only the first thousand moves are compared."""
    game = load_game("subtraction")
    start = game.start(board=[[10**6] * 3] * 3, reward=10**6, penalty=10**6)
    compare(game, random_line(game, start, random.Random(1), longest=1_000))


@pytest.mark.parametrize("name", game_names())
def test_a_seed_means_the_same_games_compiled_and_plain_and_on_any_number_of_threads(name):
    game = load_game(name)
    plain_sample = sample_games(game, game.start(), 40, seed=7, compiled=False)
    for threads in (1, 2):
        sample = sample_games(game, game.start(), 40, seed=7, threads=threads)
        assert (sample.payoffs, sample.lengths) == (plain_sample.payoffs, plain_sample.lengths)
        assert (sample.widths == plain_sample.widths).all()


def test_rules_from_a_path_with_closures_defaults_and_helper_modules(write):
    source = heap(
        most="helper.limit(s.heap) + LIMIT(s.heap, 0)",
        imports="import helper\nfrom helper import LIMIT",
    )
    write(
        "helper.py",
        """
        def limiter(most):
            def limit(heap, extra=0):
                return most + extra if heap else 0
            return limit

        limit = limiter(1)
        LIMIT = limiter(2)
        """,
    )
    game = load_game(write("mygame.py", source))
    assert perft(game, game.start(), 4) == sequences(10, 4, 3)
    assert perft(game, game.start(), 4, compiled=False) == sequences(10, 4, 3)


@given(st.integers(1, 2**63 - 1), st.data())
@settings(max_examples=200, deadline=None)
def test_bit_tricks(x, data):
    ones = [bit for bit in range(63) if x >> bit & 1]
    k = data.draw(st.integers(0, len(ones) - 1))
    assert (lowest(x), nth(x, k)) == (ones[0], ones[k])
    assert compiled_bits(x, k) == (ones[0], ones[k], x.bit_count(), x.bit_length())


def compiled_bits(x, k):
    from ludus.compile.jit import compile_entry

    out = np.zeros(4, np.int64)
    compile_entry(_bits, lambda value: value, fingerprint="bits of the test")(x, k, out)
    return tuple(out.tolist())


def _bits(x, k, out):
    out[0], out[1], out[2], out[3] = lowest(x), nth(x, k), x.bit_count(), x.bit_length()


def test_the_clock_inside_compiled_code_is_the_monotonic_clock():
    from ludus.compile.jit import compile_entry

    read = compile_entry(_read_clock, lambda value: value, fingerprint="clock of the test")
    read(1)
    before = time.monotonic_ns()
    inside = read(1)
    assert before <= inside <= time.monotonic_ns()


def _read_clock(x):
    return now_ns() + plain(x) - 1


def endless_survey(control):
    """A survey of more games than anybody can wait for; how many it has played when it ends."""
    game = load_game("ultimate")
    room = np.zeros(50_000_000, np.int64)
    widths = np.zeros(game.move_limit + 1, np.int64)
    root = np.array(game.start(), np.int64)
    return link(game, survey)(root, 1000, control, np.array([1], np.uint64), room, room, widths)


def test_compiled_code_stops_at_its_deadline():
    control = np.array([0, 0], np.int64)
    assert endless_survey(control) == 0  # compiles; the deadline is long past
    control[DEADLINE] = time.monotonic_ns() + 20_000_000
    assert 0 < endless_survey(control) < 50_000_000


def test_compiled_code_stops_when_the_flag_is_raised_and_runs_without_the_interpreter_lock():
    control = np.array([0, np.iinfo(np.int64).max], np.int64)
    played = []
    thread = threading.Thread(target=lambda: played.append(endless_survey(control)))
    thread.start()
    time.sleep(0.05)  # we go on: the lock is free
    control[STOP] = 1
    thread.join(timeout=60)
    assert 0 <= played[0] < 50_000_000


def test_a_child_compiles_while_we_play_on_uncompiled(write, empty_cache):
    game = load_game(write("mygame.py", heap()))
    child = compile_in_child(game, "ludus.search.perft")
    assert perft(game, game.start(), 5, compiled=False) == sequences(10, 5, 3)
    assert child.wait(timeout=120) == 0
    entry = link(game, count_in_bulk)
    assert int(entry(np.array(game.start(), np.int64), 5)) == sequences(10, 5, 3)
    assert sum(entry.stats.cache_hits.values()) == 1


def test_helpers_that_import_each_other(write):
    write("one.py", "import two\n\n\ndef most():\n    return two.TWO + 1\n")
    write("two.py", "import one\n\nTWO = 2\n\n\ndef again():\n    return one.most()\n")
    game = load_game(write("mygame.py", heap(most="one.most() + two.again() - 3", imports="import one, two")))
    for compiled in (True, False):
        assert perft(game, game.start(), 4, compiled=compiled) == sequences(10, 4, 3)


def test_bits_of_a_constant(write):
    game = load_game(write("mygame.py", heap(most="SEVEN.bit_count() + SEVEN.bit_length() - 3", imports="SEVEN = 7")))
    assert perft(game, game.start(), 4) == sequences(10, 4, 3)


def test_a_game_that_lists_more_moves_than_it_says_does_no_harm(write):
    game = load_game(write("mygame.py", heap().replace("MOVES = 3", "MOVES = 1")))
    assert sample_games(game, game.start(), 5000).games == 5000


def test_an_endless_game_is_stopped_in_the_middle(write):
    source = heap().replace("State(s.heap - m - 1, 1 - s.mover)", "State(s.heap, 1 - s.mover)")
    game = load_game(write("mygame.py", source))
    room, widths = np.zeros(1, np.int64), np.zeros(65, np.int64)
    entry = link(game, survey)
    control = np.array([0, time.monotonic_ns() + 50_000_000], np.int64)
    root = np.array(game.start(), np.int64)
    assert entry(root, 1 << 62, control, np.array([1], np.uint64), room, room, widths) == 0

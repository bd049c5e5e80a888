"""Alpha-beta gives what plain minimax gives: compiled and plain, in every game, with one thread and with two."""

from __future__ import annotations

import random
import textwrap
import threading
import time

import numpy as np
import pytest

from ludus.cli import main
from ludus.compile.digest import digest
from ludus.errors import PositionError
from ludus.rules import game_names, load_game, random_line
from ludus.search import alphabeta as ab
from ludus.search.deepening import AlphaBeta
from ludus.search.finding import SCALE
from ludus.search.minimax import best_moves, minimax
from ludus.search.perft import perft
from ludus.search.solver import Solver
from ludus.search.table import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    TO_THE_END,
    bound_in,
    depth_in,
    move_in,
    new_table,
    probe,
    put,
    score_in,
)
from rules_files import TIC_TAC_TOE, heap

CASES = {
    "ultimate": {},
    "ultimate-adjacent": {},
    "extreme": {},
    "slant": {"m": 4},
    "subtraction": {"low": 1, "high": 4},
}


def random_position(game, options, rng, *, at_most=60):
    """A random position that is not over."""
    state = game.start(**options)
    for _ in range(rng.randrange(at_most)):
        after = game.play(state, rng.choice(game.legal(state)))
        if game.result(after) is not None:
            break
        state = after
    return state


def small_endgame(game, options, rng, *, largest=3_000):
    """The earliest position of a random game whose whole tree is small enough for plain minimax, or None."""
    states, _ = random_line(game, game.start(**options), rng)
    chosen = None
    for state in reversed(states[:-1]):
        total, depth = 0, 1
        while total <= largest and (count := perft(game, state, depth)):
            total, depth = total + count, depth + 1
        if total > largest:
            return chosen
        chosen = state
    return chosen


def seeded(name, seed):
    return CASES[name] | ({"seed": seed} if "seed" in load_game(name).options else {})


@pytest.mark.parametrize("name", CASES)
def test_a_fixed_depth_gives_the_value_and_a_move_of_minimax(name):
    game = load_game(name)
    searcher = AlphaBeta(game, megabytes=1, is_selective=False)
    rng = random.Random(name)
    for seed in range(60):
        state = random_position(game, seeded(name, seed), rng, at_most=230 if name == "extreme" else 70)
        width = len(game.legal(state))
        depth = 3 if width < 10 else 2 if width < 40 else 1
        found = searcher.search(state, depth=depth)
        value, best = best_moves(game, state, depth)
        # A searcher that has looked deeper before may know better than the depth asked for.
        if found.score != value:
            found = AlphaBeta(game, megabytes=1, is_selective=False).search(state, depth=depth)
        assert found.score == value
        assert found.move in best


@pytest.mark.parametrize("name", CASES)
def test_proven_scores_are_those_of_the_whole_tree(name):
    game = load_game(name)
    rng = random.Random(name)
    endgames = [small_endgame(game, seeded(name, seed), rng) for seed in range(20)]
    assert sum(state is not None for state in endgames) >= 8
    for state in filter(None, endgames):
        for threads in (1, 2):
            found = AlphaBeta(game, megabytes=1, threads=threads).search(state)
            assert found.is_exact
            assert found.score == minimax(game, state, 99)
            assert minimax(game, game.play(state, found.move), 99) == found.score


def test_compiled_and_plain_search_the_same_tree():
    game = load_game("slant")
    state = game.start(m=2, seed=3)
    findings = [AlphaBeta(game, megabytes=1, compiled=compiled).search(state, depth=4) for compiled in (True, False)]
    assert findings[0].line == findings[1].line
    assert (findings[0].score, findings[0].nodes) == (findings[1].score, findings[1].nodes)


@pytest.mark.parametrize("name", game_names())
def test_limits_of_nodes_decide_the_move(name):
    game = load_game(name)
    first, second = (AlphaBeta(game, megabytes=1).search(game.start(), nodes=20_000) for _ in range(2))
    assert (first.move, first.score, first.nodes, first.line) == (second.move, second.score, second.nodes, second.line)


def test_out_of_nodes_the_answer_is_never_a_move_that_only_the_table_holds():
    """The table may hold any move of the root, as after all of them failed low; that it comes first says nothing."""
    game = load_game("ultimate")
    rng = random.Random(11)
    for _ in range(6):
        state = random_position(game, {}, rng, at_most=20)
        with np.errstate(over="ignore"):
            key = digest(state)

        searcher = AlphaBeta(game, megabytes=1)

        def lie(found, state=state, key=key, searcher=searcher):
            if found.depth >= 4:
                move = next(move for move in game.legal(state) if move != found.move)
                put(searcher.table, key, 0, move, TO_THE_END - 1, AT_MOST, searcher.age)

        finished = []
        searcher.search(state, depth=6, on_progress=finished.append)
        if len({found.move for found in finished[3:]}) > 1 or len(game.legal(state)) == 1:
            continue
        for nodes in range(finished[3].nodes, finished[4].nodes, 97):
            searcher.forget()
            assert searcher.search(state, nodes=nodes, on_progress=lie).move == finished[3].move


def test_threads_share_the_nodes():
    game = load_game("ultimate")
    for threads in (1, 2, 3):
        searcher = AlphaBeta(game, megabytes=1, threads=threads)
        found = searcher.search(game.start(), nodes=60_000)
        assert 20_000 <= found.nodes <= 60_000 + 100 * threads
        assert searcher.search(game.start(), nodes=1).nodes <= 100 * threads  # hardly more than the first ply


def test_the_line_is_legal_and_begins_with_the_move():
    game = load_game("ultimate")
    found = AlphaBeta(game, megabytes=4).search(game.start(), depth=7)
    assert found.line[0] == found.move
    state = game.start()
    for move in found.line:
        assert move in game.legal(state)
        state = game.play(state, move)


def test_deadline_and_stop_flag():
    game = load_game("extreme")
    searcher = AlphaBeta(game, megabytes=4, threads=2)
    searcher.search(game.start(), depth=2)
    assert searcher.search(game.start(), seconds=0.05).move in game.legal(game.start())
    results = []
    thread = threading.Thread(target=lambda: results.append(searcher.search(game.start())))
    thread.start()
    time.sleep(0.1)
    searcher.stop()
    thread.join(timeout=60)
    assert results[0].move in game.legal(game.start())


def test_positions_with_one_move_and_positions_that_are_over(write):
    game = load_game(write("mygame.py", heap(heap=1)))
    found = AlphaBeta(game, megabytes=1).search(game.start())
    assert (found.move, found.score, found.is_exact) == (0, SCALE, True)
    with pytest.raises(PositionError, match="the game is over"):
        AlphaBeta(game, megabytes=1).search(game.play(game.start(), 0))


@pytest.mark.parametrize("stones", range(1, 30))
def test_the_heap_game_is_solved(write, stones):
    game = load_game(write("mygame.py", heap(heap=stones)))
    found = AlphaBeta(game, megabytes=1).search(game.start())
    assert found.is_exact
    assert found.score == (-SCALE if stones % 4 == 0 else SCALE)
    if stones % 4:
        assert found.move == stones % 4 - 1


def test_entries_of_the_table():
    import numpy as np

    table = new_table(1)  # its functions run uncompiled here, where nothing wraps around
    keys = [np.uint64(key) for key in (5, 5 + (table.size // 4), 5 + 2 * (table.size // 4))]
    assert bound_in(probe(table, keys[0])) == 0
    put(table, keys[0], -123_456_789_000, 7, 9, AT_LEAST, 1)
    data = probe(table, keys[0])
    assert (score_in(data), move_in(data), depth_in(data), bound_in(data)) == (-123_456_789_000, 7, 9, AT_LEAST)
    put(table, keys[1], 1, 1022, 3, EXACT, 1)  # less deep: the second place of the bucket
    put(table, keys[2], 2, 3, TO_THE_END, EXACT, 1)  # deeper: the first place, and the old one moves on
    assert [bound_in(probe(table, key)) for key in keys] == [AT_LEAST, 0, EXACT]
    put(table, keys[1], 3, 4, 1, EXACT, 2)  # of a later search
    assert score_in(probe(table, keys[1])) == 3


def test_without_an_evaluation_a_guess_is_never_called_exact(write):
    """The payoffs narrow as lines are blocked; that nobody has won by then is still a guess."""
    narrowing = """
    def payoffs(s):
        first, second = (s.mine, s.theirs) if s.mover == 0 else (s.theirs, s.mine)
        return -1 if has_room(first) else 0, 1 if has_room(second) else 0


    def has_room(others):
        for line in LINES:
            if line & others == 0:
                return True
        return False
    """
    source = TIC_TAC_TOE[: TIC_TAC_TOE.index("def payoffs")] + textwrap.dedent(narrowing)
    game = load_game(write("narrow.py", source))
    search = AlphaBeta(game, megabytes=1, compiled=False)
    waiting, seen, wrong_guesses = [game.start()], set(), 0
    while waiting:
        state = waiting.pop()
        if state in seen or game.result(state) is not None:
            continue
        seen.add(state)
        waiting += [game.play(state, move) for move in game.legal(state)]
        if game.module.payoffs(state) in ((0, 1), (-1, 0)):
            value = minimax(game, state, 9)
            wrong_guesses += value != 0
            search.forget()
            found = search.search(state, depth=1)
            assert not found.is_exact or found.score == value
    assert wrong_guesses > 10


def test_payoffs_beyond_all_windows_end_a_search_and_are_refused_by_the_check(write, capsys):
    source = heap().replace("return 1 if s.mover else -1", "return 10**9 if s.mover else -(10**9)")
    path = write("rich.py", source)
    game = load_game(path)
    assert AlphaBeta(game, megabytes=1, compiled=False).search(game.start(heap=2), depth=5).move in (0, 1)
    assert main(["check-game", str(path)]) != 0
    assert "an int from -2**25 to 2**25 was expected" in capsys.readouterr().err


def test_a_guess_that_a_position_of_the_same_core_left_is_never_called_exact(write):
    """It lands on a limit of payoffs where those are wider than they need be."""
    path = write(
        "banked.py",
        """
        from typing import NamedTuple
        MOVES = 2
        class State(NamedTuple):
            node: int
            gain: int
        def start(): return State(0, 0)
        def turn(s): return 0
        def moves(s): return 3
        def play(s, m): return State(s.node + 1, s.gain + (2 * m if s.node == 0 else 0))
        def result(s): return None if s.node < 9 else s.gain
        def payoffs(s): return -9, 9
        def banked(s): return s.gain
        def core(s): return State(s.node, 0)
        def evaluate(s): return min(1000 * s.gain + 7000, 8999)
        """,
    )
    game = load_game(path)
    searcher = AlphaBeta(game, megabytes=1, compiled=False)
    searcher.search(game.play(game.start(), 0), depth=3)
    assert not searcher.search(game.start(), depth=4).is_exact
    found = searcher.search(game.start(), depth=12)
    assert (found.score, found.is_exact) == (2 * SCALE, True)


@pytest.mark.parametrize("name", ["ultimate", "ultimate-adjacent"])
def test_what_deep_searches_prove_is_what_the_solver_proves(name):
    """Where moves are tried without the table's, believed or looked at less deep, none of that may count as proof."""
    game, rng, proven = load_game(name), random.Random(6), 0
    searcher, solver = AlphaBeta(game, megabytes=1), Solver(game, megabytes=16)
    for _ in range(40):
        states = random_line(game, game.start(), rng).states
        state = states[max(0, len(states) - rng.randrange(12, 20))]
        found, solution = searcher.search(state, nodes=100_000), solver.solve(state, nodes=300_000)
        if found.is_exact and solution.value is not None:
            assert found.score == SCALE * solution.value
            proven += found.depth > ab.SINGULAR_DEPTH
    assert proven > 5

"""The exact solver gives what plain minimax gives, value and all best moves; or it says that it cannot."""

from __future__ import annotations

import json
import random
import re
import threading
import time

import numpy as np
import pytest

from ludus.agents.agent import Budget
from ludus.agents.naming import make_agent
from ludus.cli import main
from ludus.compile.link import link
from ludus.errors import PositionError, RulesError
from ludus.rules import follow, load_game, random_line
from ludus.search import proof
from ludus.search import solver as solver_module
from ludus.search.deepening import AlphaBeta
from ludus.search.finding import SCALE
from ludus.search.minimax import best_moves
from ludus.search.smaller import GUESSING, PROVING, SmallerAlphaBeta, smaller_game
from ludus.search.solver import Solver, _entry
from rules_files import TIC_TAC_TOE, heap

CASES = {
    "ultimate": {},
    "ultimate-adjacent": {},
    "extreme": {},
    "slant": {"m": 4},
    "subtraction": {"low": 1, "high": 4},
}


def seeded(name, seed):
    return CASES[name] | ({"seed": seed} if "seed" in load_game(name).options else {})


def tree_size(game, state, largest):
    """How many positions follow, as far as `largest`."""
    size, waiting = 0, [state]
    while waiting and size <= largest:
        now = waiting.pop()
        waiting += [game.play(now, move) for move in game.legal(now)]
        size += 1
    return size


def endgames(name, rng, *, positions, largest=300):
    """Positions of random games whose whole trees are small enough for plain minimax, several of each game."""
    game, found, seed = load_game(name), [], 0
    while len(found) < positions:
        seed += 1
        states, _ = random_line(game, game.start(**seeded(name, seed)), rng)
        for state in reversed(states[-10:-1]):
            if tree_size(game, state, largest) > largest:
                break
            found.append(state)
    return found


@pytest.mark.parametrize("name", CASES)
def test_value_and_all_best_moves_are_those_of_minimax(name):
    game = load_game(name)
    compiled = None if name in ("ultimate", "slant") else False  # the rest would take seconds to compile
    solvers = [Solver(game, megabytes=1, threads=threads, compiled=compiled) for threads in (1, 2)]
    for number, state in enumerate(endgames(name, random.Random(name), positions=60)):
        value, best = best_moves(game, state, 99)
        found = solvers[number % 2].solve(state)
        assert found.is_exact and found.limit == ""
        assert (found.value * SCALE, list(found.best)) == (value, best), state
        assert found.line[0] in best
        last = follow(game, state, [game.move_name(move) for move in found.line]).states[-1]
        assert game.result(last) == found.value


def test_threads_that_share_a_question_find_the_same():
    game, rng = load_game("ultimate"), random.Random(4)
    solvers = [Solver(game, megabytes=64, threads=threads) for threads in (1, 2, 3)]
    nodes = 0
    for _ in range(5):
        state = random_line(game, game.start(), rng).states[-13]
        found = [solver.solve(state) for solver in solvers]
        assert len({(one.value, one.best, one.is_exact, one.limit) for one in found}) == 1
        assert found[0].is_exact
        nodes += found[0].nodes
    assert nodes > 2_000  # so much that the threads do meet


@pytest.mark.parametrize("name", ["slant", "ultimate"])
def test_the_smaller_game_is_worth_as_much(name):
    game = load_game(name)
    small = smaller_game(game)
    for state in endgames(name, random.Random(name), positions=60, largest=200):
        value, _ = best_moves(game, state, 99)
        other = small.module.reduced(state)
        payoff = small.result(other)
        assert value == (best_moves(small, other, 99)[0] if payoff is None else payoff * SCALE)
        if payoff is None:
            least, most = small.module.payoffs(other)
            assert least * SCALE <= value <= most * SCALE


@pytest.mark.parametrize("file", [PROVING, GUESSING])
def test_moves_of_the_smaller_slant_are_moves_of_the_rules(file):
    """Reduced before or after a move, it is the same position; a pass stands for a cell without effect."""
    game, rng, passes = load_game("slant"), random.Random(7), 0
    small = smaller_game(game, file).module
    for seed in range(12):
        for state in random_line(game, game.start(m=rng.choice((2, 4, 6)), seed=seed), rng).states[:-1]:
            other = small.reduced(state)
            if small.result(other) is not None:
                continue
            for move in smaller_game(game, file).legal(other):
                own = small.original(state, move)
                assert own in game.legal(state)
                assert small.reduced(game.play(state, own)) == small.play(other, move)
                passes += move == small.PASS
    assert passes > 50


def test_alphabeta_on_the_smaller_game_finds_best_moves_of_the_rules():
    game = load_game("slant")
    search = SmallerAlphaBeta(AlphaBeta(game, megabytes=1, compiled=False), megabytes=1, compiled=False)
    for state in endgames("slant", random.Random(3), positions=60):
        value, best = best_moves(game, state, 99)
        found = search.search(state, nodes=100_000)
        assert found.is_exact and found.score == value and found.move in best
        follow(game, state, [game.move_name(move) for move in found.line])
        wins = value > 0 if game.turn(state) == 0 else value < 0
        assert search.proves_win(state, nodes=100_000)[0] == wins
    large = game.start(m=8)  # has no smaller game
    assert search.search(large, nodes=100).move in game.legal(large)


def test_slant_boards_of_four_by_four():
    game = load_game("slant")
    solver = Solver(game, megabytes=16)
    values = []
    for seed in range(100):
        solver.forget()
        found = solver.solve(game.start(m=4, seed=seed), needs_all_moves=False)
        assert found.is_exact and len(found.best) == 1
        values.append(found.value)
    # By docs/games/solve_small.py, which goes through all fillings.
    assert [sum(v > 0 for v in values), values.count(0), sum(v < 0 for v in values)] == [52, 35, 13]
    assert (min(values), max(values)) == (-2, 2)


def test_the_board_of_the_hand_out_is_a_draw():
    game = load_game("slant")
    found = Solver(game, megabytes=1).solve(game.start(circles="101/020/001"))
    assert (found.value, [game.move_name(move) for move in found.best]) == (0, ["0,0", "1,1"])


@pytest.mark.parametrize("threads", [1, 2])
def test_slant_six_by_six(threads):
    game = load_game("slant")
    found = Solver(game, megabytes=64, threads=threads).solve(game.start())
    assert (found.value, [game.move_name(move) for move in found.best]) == (1, ["2,4"])


def test_a_turned_board_has_the_same_value_and_turned_best_moves():
    game = load_game("slant")
    for seed in range(5):
        start = game.start(m=4, seed=seed)
        rows = game.instance(start, {})["circles"]
        other = game.start(circles=[list(column) for column in zip(*rows, strict=True)])
        one, two = (Solver(game, megabytes=4).solve(state) for state in (start, other))
        assert one.value == two.value
        assert {(m % 12, m // 12) for m in one.best} == {(m // 12, m % 12) for m in two.best}


def test_tic_tac_toe_from_a_file(write, capsys):
    path = write("tictactoe.py", TIC_TAC_TOE)
    assert main(["solve", str(path), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["value"], len(report["best"]), report["is_exact"]) == (0, 9, True)
    assert main(["solve", str(path), "--moves", "0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["best"] == ["4"]  # only the centre holds against a corner
    assert main(["solve", str(path)]) == 0
    assert capsys.readouterr().out.startswith("value  0 for the first seat: Draw\nbest   0 1 2 3 4 5 6 7 8\nline ")


def test_compiled_and_plain_search_the_same_tree(write):
    for game, options in ((load_game("slant"), {"m": 2, "seed": 3}), (load_game(write("t.py", TIC_TAC_TOE)), {})):
        state = game.start(**options)
        one, other = (Solver(game, megabytes=1, compiled=compiled).solve(state) for compiled in (True, False))
        assert (one.value, one.best, one.line, one.nodes) == (other.value, other.best, other.line, other.nodes)


def test_a_limit_of_nodes_is_kept_and_said():
    game = load_game("ultimate")
    state = game.start()
    found = Solver(game, megabytes=1).solve(state, nodes=5_000)
    assert not found.is_exact and found.value is None and found.limit == "nodes"
    assert found.nodes <= 7_000 and found.best == () and list(found.undecided) == game.legal(state)


def test_giving_up_on_the_command_line(capsys):
    solver_module.warm(load_game("ultimate"))  # so that nothing is said of compiling
    assert main(["solve", "ultimate", "--nodes", "2000", "--threads", "1"]) == 1
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("ludus: gave up after ") and "value between -1 and +1" in err
    assert main(["solve", "ultimate", "--time", "0.05"]) == 1
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("ludus: gave up after ") and "; --time allows more: value between" in err
    assert main(["solve", "subtraction", "--time", "0.001"]) == 1  # by how long its table would take
    assert re.search("it takes a table of [0-9]+ MB, in about [0-9]+ s; --time allows more", capsys.readouterr().err)
    assert main(["solve", "ultimate", "--threads", "1000"]) == 1
    assert "a number from 1 to 256 was expected" in capsys.readouterr().err
    assert main(["solve", "ultimate", "--nodes", "2000", "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["value"], report["least"], report["most"], report["is_exact"]) == (None, -1, 1, False)


def test_one_move_no_move_and_a_line_too_long(write):
    game = load_game(write("mygame.py", heap(heap=1)))
    found = Solver(game, megabytes=1).solve(game.start())
    assert (found.value, found.best, found.line) == (1, (0,), (0,))
    over = Solver(game, megabytes=1).solve(game.play(game.start(), 0))
    assert (over.value, over.best, over.line, over.is_exact) == (1, (), (), True)
    endless = load_game(write("long.py", heap(heap=5_000, most=1)))
    found = Solver(endless, megabytes=1).solve(endless.start())
    assert (found.value, found.limit) == (None, "depth")


@pytest.mark.parametrize("stones", range(1, 30, 3))
def test_the_heap_game_is_solved(write, stones):
    game = load_game(write("mygame.py", heap(heap=stones)))
    found = Solver(game, megabytes=1).solve(game.start())
    assert found.value == (-1 if stones % 4 == 0 else 1)
    assert found.best == ((0, 1, 2) if stones % 4 == 0 else (stones % 4 - 1,))


def test_a_table_that_grows_keeps_every_proof():
    rng = random.Random(8)
    table, kept = proof.new_proofs(1), {}
    for _ in range(40_000):
        key = np.uint64(rng.getrandbits(63))
        place = proof.place_for(table, key)
        proof.enter(table, place, key, rng.randrange(1 << 24), rng.randrange(1 << 24), 7, rng.randrange(1, 1 << 20))
        kept[int(key)] = place
    kept = {key: proof.known(table, np.uint64(key)) for key in kept}
    for megabytes in (2, 8):
        larger = proof.regrown(table, megabytes)
        assert larger.nbytes == megabytes << 20
        assert all(proof.known(larger, np.uint64(key)) == data for key, data in kept.items())


@pytest.mark.parametrize(("name", "threads"), [("ultimate", 1), ("ultimate", 2), ("slant", 1), ("slant", 2)])
def test_a_solver_that_grows_finds_the_same(name, threads, monkeypatch):
    monkeypatch.setattr(solver_module, "FIRST_MEGABYTES", 1)
    monkeypatch.setattr(solver_module, "WORDS_AN_ENTRY", 256)  # so that a table seems full soon
    monkeypatch.setattr(solver_module, "GROWTH", 2)
    game, grown = load_game(name), 0
    for seed in range(6):
        options = {"m": 4, "seed": seed} if name == "slant" else {}
        states = random_line(game, game.start(**options), random.Random(seed)).states
        state = states[0 if name == "slant" else max(0, len(states) - 22)]
        solver = Solver(game, megabytes=16, threads=threads, is_growing=True)
        found, other = solver.solve(state, nodes=400_000), Solver(game, megabytes=16).solve(state, nodes=400_000)
        grown += solver.megabytes_now > 1
        if found.is_exact and other.is_exact:
            assert (found.value, found.best) == (other.value, other.best)
    assert grown


def test_stop_ends_a_solve():
    game = load_game("ultimate")
    solver, found = Solver(game, megabytes=4, threads=2), []
    thread = threading.Thread(target=lambda: found.append(solver.solve(game.start())))
    thread.start()
    while not solver.rooms:
        time.sleep(0.01)
    time.sleep(0.1)
    solver.stop()
    thread.join(timeout=60)
    assert found[0].limit == "stop" and found[0].value is None


def test_the_agent_is_perfect_where_it_can_and_says_where_it_cannot():
    game = load_game("ultimate")
    agent = make_agent(game, "solver")
    opening = agent.choose(game.start(), Budget(seconds=0.05))
    assert opening.move in game.legal(game.start()) and not opening.is_exact
    for state in endgames("ultimate", random.Random(5), positions=30):
        value, best = best_moves(game, state, 99)
        found = agent.choose(state, Budget(seconds=5.0))
        assert found.is_exact and found.score == value and found.move in best
    one, other = (make_agent(game, "solver:nodes=3000").choose(game.start()) for _ in range(2))
    assert (one.move, one.nodes) == (other.move, other.nodes)


def test_a_game_that_can_be_won_at_once_is():
    game, won = load_game("ultimate"), 0
    agent, solver = make_agent(game, "solver:mb=4"), Solver(game, megabytes=4)
    for seed in range(40):
        states, _ = random_line(game, game.start(), random.Random(seed))
        state = states[-2]
        if game.result(states[-1]) == (1 if game.turn(state) == 0 else -1):
            won += 1
            for move in (agent.choose(state, Budget(nodes=100_000)).move, solver.solve(state).line[0]):
                assert game.result(game.play(state, move)) == game.result(states[-1])
    assert won > 10


def test_rules_with_a_dead_end_are_refused(write):
    game = load_game(write("stuck.py", heap().replace("return (1 <<", "return 0 if s.heap == 5 else (1 <<")))
    with pytest.raises(PositionError, match="no move"):
        Solver(game, megabytes=1, compiled=False).solve(game.start(heap=5))
    with pytest.raises(RulesError, match="leaves no move"):
        Solver(game, megabytes=1, compiled=False).solve(game.start(heap=6), seconds=60)


@pytest.mark.parametrize("few", [2, 20])
def test_the_agent_compiles_nothing_in_a_move_whatever_the_options(write, few):
    """Payoffs become few on the way, and with other options are few from the start or are not."""
    rules = heap(heap=few) + "\n\ndef payoffs(s):\n    return (-s.heap, s.heap)\n"
    game = load_game(write("narrowing.py", rules))
    agent = make_agent(game, "solver")
    ways = [link(game, _entry(has_few)) for has_few in (False, True)]
    known = [len(entry.signatures) for entry in ways]
    assert min(known) > 0
    for stones in (2, 20):
        assert agent.choose(game.start(heap=stones), Budget(seconds=60)).is_exact
    assert [len(entry.signatures) for entry in ways] == known


def test_options_that_the_rules_do_not_name_count_as_options(write):
    rules = (
        heap(heap=2).replace("heap: int = 2", "**options").replace("State(heap, 0)", 'State(options.get("heap", 2), 0)')
    )
    game = load_game(write("unnamed.py", rules + "\n\ndef payoffs(s):\n    return (-s.heap, s.heap)\n"))
    make_agent(game, "solver")
    assert all(link(game, _entry(has_few)).signatures for has_few in (False, True))


def test_boards_too_large_for_the_smaller_game_compile_nothing_in_a_move():
    game = load_game("slant")
    agent = make_agent(game, "solver:mb=4")
    entry = link(game, _entry(False))
    known = len(entry.signatures)
    agent.choose(game.start(m=8), Budget(nodes=100))
    assert known > 0 and len(entry.signatures) == known


def test_uncompiled_it_looks_at_the_clock_often_enough():
    for name in ("ultimate", "slant"):
        game = load_game(name)
        solution = Solver(game, megabytes=1, compiled=False).solve(game.start(), seconds=0.0)
        assert solution.limit == "seconds" and solution.nodes <= 32


def test_more_memory_than_there_is_is_said(capsys):
    assert main(["analyse", "slant", "--agent", "solver:mb=100000000", "--time", "1"]) == 1
    assert "memory" in capsys.readouterr().err


def test_an_agent_that_is_stopped_answers_soon():
    game = load_game("ultimate")
    agent, found = make_agent(game, "solver:mb=4"), []
    thread = threading.Thread(target=lambda: found.append(agent.choose(game.start(), Budget(seconds=600))))
    thread.start()
    while not agent.solver.rooms:
        time.sleep(0.01)
    time.sleep(0.1)
    agent.stop()
    thread.join(timeout=120)
    assert found[0].move in game.legal(game.start())

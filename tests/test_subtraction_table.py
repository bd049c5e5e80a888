"""The table of all subtraction positions says what a search finds, from any board, to the end of the game."""

from __future__ import annotations

import random
import time

import pytest

from ludus.agents.agent import Budget
from ludus.agents.naming import make_agent
from ludus.rules import load_game, random_line
from ludus.search import tabled as tables
from ludus.search.finding import SCALE
from ludus.search.minimax import best_moves
from ludus.search.solver import Solver
from ludus.search.tabled import Tabled

GAME = load_game("subtraction")


@pytest.fixture(scope="module")
def tabled():
    return Tabled(GAME)


@pytest.mark.parametrize(
    ("board", "lead"), [([[4, 2, 3], [2, 3, 4], [3, 4, 2]], 5), ([[2, 4, 3], [4, 2, 4], [3, 4, 2]], 13)]
)
def test_the_published_boards(tabled, board, lead):
    start = GAME.start(board=board)
    assert tabled.build(tabled.plan(start))
    assert tabled.value(start) == lead  # the opponent's cost less the mover's


def slow_values(state, known):
    """The mover's lead from a position on and all best moves, by the rules alone; `known` keeps what was found."""
    if state[:9] not in known:
        leads = {}
        for move in GAME.legal(state):
            after = GAME.play(state, move)
            paid = -(move % 3 + 1)
            if GAME.result(after) is None:
                leads[move] = paid - slow_values(after, known)[0]
            else:
                leads[move] = paid + (state.reward if after.ended == 1 else -state.penalty)
        best = max(leads.values())
        known[state[:9]] = best, [move for move, lead in leads.items() if lead == best]
    return known[state[:9]]


@pytest.mark.parametrize("seed", range(25))
def test_any_board_reward_and_penalty(tabled, seed):
    rng = random.Random(seed)
    most = rng.choice([2, 3, 4, 5])
    board = [[rng.randint(0, most) for _ in range(3)] for _ in range(3)]
    reward, penalty = rng.choice([(15, 7), (0, 0), (3, 40), (60, 7), (20_000, 5)])
    start = GAME.start(board=board, reward=reward, penalty=penalty)
    if GAME.result(start) is not None:
        return
    assert tabled.build(tabled.plan(start))
    known = {}
    for _ in range(5):
        for state in random_line(GAME, start, rng).states[:-1]:
            lead, best = slow_values(state, known)
            assert tabled.value(state) == GAME.module.banked(state) + (lead if GAME.turn(state) == 0 else -lead)
            assert tabled.best(state) == best


def test_the_table_agrees_with_minimax_and_with_itself_uncompiled(tabled):
    start = GAME.start(board=[[2, 3, 2], [1, 3, 2], [2, 2, 3]])
    assert tabled.build(tabled.plan(start))
    value, best = best_moves(GAME, start, 99)
    plain = Tabled(GAME, compiled=False)
    assert plain.build(plain.plan(start))
    for one in (tabled, plain):
        assert (one.value(start) * SCALE, one.best(start)) == (value, best)
    assert (plain.table == tabled.table).all()


def test_long_and_narrow_boards(tabled):
    """Rows longer than the groups that entries are looked at in, and numbers that are never reached."""
    for board in ([[3, 2, 300], [2, 3, 300], [1, 2, 280]], [[900_000, 2, 1], [3, 2, 2], [2, 900_000, 3]]):
        start = GAME.start(board=board)
        assert tabled.build(tabled.plan(start))
        lead, best = slow_values(start, {})
        assert (tabled.value(start), tabled.best(start)) == (lead, best)


def test_a_table_serves_all_later_positions_and_no_others(tabled):
    start = GAME.start(low=8, high=14, seed=4)
    assert tabled.build(tabled.plan(start))
    other = Solver(GAME, megabytes=64)
    for state in random_line(GAME, start, random.Random(1)).states[1:-1:3]:
        assert tabled.holds(state)
        found = other.solve(state)
        assert (tabled.value(state), tuple(tabled.best(state))) == (found.value, found.best)
        other.forget()
    assert not tabled.holds(GAME.start(low=8, high=14, seed=5))
    assert not tabled.holds(start._replace(a=start.a + 1))
    assert not tabled.holds(start._replace(a=start.a - 1))
    assert not tabled.holds(start._replace(reward=3))


def part_by_part(tabled, state, entries):
    return tabled.solve(
        state,
        megabytes=64,
        nodes=entries,
        seconds=None,
        needs_all_moves=True,
        in_parts=True,
        on_progress=lambda progress: None,
    )


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("seed", range(10))
def test_a_table_built_while_the_game_goes_on_says_what_a_whole_one_says(tabled, seed, compiled, monkeypatch):
    monkeypatch.setattr(tables, "SMALL", 1.0)  # on a board so small, much is filled at once
    rng = random.Random(seed)
    most = 7 if compiled else 4
    start = GAME.start(board=[[rng.randint(most // 2, most) for _ in range(3)] for _ in range(3)])
    plan, slowly = tabled.plan(start), Tabled(GAME, compiled=compiled)
    assert tabled.build(plan)
    held = []
    for state in random_line(GAME, start, rng).states[:-1]:
        found = part_by_part(slowly, state, plan.entries // 20)
        held.append(found.is_exact)
        assert slowly.holds(state) == found.is_exact == (found.limit == "")
        if found.is_exact:
            assert (found.value, list(found.best)) == (tabled.value(state), tabled.best(state))
    assert held == sorted(held) and not held[0], "once exact, always exact"
    assert held[-1] or len(held) < 10
    assert not slowly.holds(start), "what cannot come again was not filled"
    again = [part_by_part(slowly, start, plan.entries // 3).is_exact for _ in range(4)]
    assert not again[0] and again[-1] and slowly.value(start) == tabled.value(start), "another game begins anew"


def test_parts_are_exact_before_a_whole_table_would_be():
    start = GAME.start(low=15, high=20, seed=2)
    states = random_line(GAME, start, random.Random(5)).states[:-1]
    slowly = Tabled(GAME)
    entries = slowly.plan(start).entries // 12
    first = next(k for k, state in enumerate(states) if part_by_part(slowly, state, entries).is_exact)
    assert slowly.plan(states[first]).entries > 2 * entries


def test_a_table_that_would_take_too_many_parts_is_not_begun(tabled, monkeypatch):
    monkeypatch.setattr(tables, "SMALL", 1.0)
    tabled.forget()
    start = GAME.start(low=8, high=14, seed=4)
    assert part_by_part(tabled, start, 10).limit == "nodes" and not tabled.table.size
    assert part_by_part(tabled, start, tabled.plan(start).entries // 40).limit == "nodes" and tabled.table.size
    assert part_by_part(tabled, GAME.start(), None).limit == "memory" and not tabled.table.size


def test_what_is_filled_at_once_is_known_and_small_in_a_part(tabled):
    """Few numbers in the first column make few slices, and one of them took longer than a move."""
    start = GAME.start(board=[[1, 60, 60], [1, 60, 60], [60, 60, 60]])
    plan = tabled.plan(start)
    largest = 0

    def fill(*given):
        nonlocal largest
        largest = max(largest, compiled(*given))
        return 0

    compiled, tabled.fill = tabled.fill, fill
    try:
        assert tabled.build(plan)
    finally:
        tabled.fill = compiled
    assert plan.entries / 20 < largest <= plan.largest < 2 * largest
    assert plan.is_too_coarse_for(plan.entries // 10, None) == "nodes"
    assert plan.is_too_coarse_for(None, plan.seconds / 10) == "seconds"
    assert plan.is_too_coarse_for(plan.entries, plan.seconds) == ""
    agent = make_agent(GAME, "solver:mb=64")
    found = agent.choose(start, Budget(nodes=plan.entries // 8))
    assert (found.is_exact, found.depth > 1) == (False, True), "all of it is left for alpha-beta"
    later = next(
        state
        for state in random_line(GAME, start, random.Random(1)).states
        if tabled.plan(state).entries < 0.7 * plan.entries / 8
    )
    assert agent.choose(later, Budget(nodes=plan.entries // 8)).is_exact, "a smaller one is built at once"


def test_a_build_is_given_up_only_where_it_would_not_end_in_time(tabled, monkeypatch):
    """By a clock that a slice moves on by one: layers are few here, and the one under way counts for nothing."""
    plan, gone = tabled.plan(GAME.start(board=[[3, 9, 9], [9, 9, 9], [9, 9, 9]])), [0]

    def fill(*given):
        gone[0] += 1
        return 0

    class Clock:
        perf_counter = staticmethod(lambda: gone[0])

    monkeypatch.setattr(tabled, "fill", fill)
    monkeypatch.setattr(tables, "time", Clock)
    assert tabled.build(plan)
    needed, gone[0] = gone[0], 0
    assert tabled.build(plan, seconds=1.2 * needed)
    gone[0] = 0
    assert not tabled.build(plan, seconds=needed / 2) and gone[0] < needed / 2
    tabled.forget()


def test_without_the_memory_nothing_is_held(tabled, monkeypatch):
    start = GAME.start(low=8, high=14, seed=4)

    def refuse(*given):
        raise MemoryError

    monkeypatch.setattr(tables.np, "empty", refuse)
    assert part_by_part(tabled, start, None).limit == "memory"
    assert not tabled.holds(start)


def test_what_does_not_fit_is_known_before_it_is_tried(tabled):
    huge = GAME.start(low=1_000_000, high=1_000_000)
    assert tabled.plan(huge).megabytes > 1e9
    long = GAME.start(board=[[2000, 460_000, 460_000]] * 3)  # few boxes, but more entries than 63 bits count
    assert tabled.plan(long).megabytes > 1e6
    for board in (huge, long):
        found = Solver(GAME, megabytes=100).solve(board)
        assert (found.value, found.limit) == (None, "memory")
    found = Solver(GAME, megabytes=2_000).solve(GAME.start(), nodes=1_000)
    assert (found.value, found.limit, found.is_exact) == (None, "nodes", False)
    begin = time.perf_counter()
    assert not tabled.build(tabled.plan(GAME.start()), seconds=0.01)
    assert time.perf_counter() - begin < 5


def test_what_is_far_too_large_is_not_even_planned():
    """The agent asks at every move, and its time is short."""
    solver = Solver(GAME, megabytes=2_000)
    planned = []
    solver.tabled.place_boxes = lambda *given: planned.append(given)
    for options in ({"low": 1500, "high": 2000}, {"board": [[4000, 4000, 1]] * 3}):
        assert solver.solve(GAME.start(**options), seconds=0.05).limit in ("memory", "seconds")
    assert not planned


@pytest.mark.parametrize("seed", range(20))
def test_a_glance_never_says_more_than_there_is(tabled, seed):
    rng = random.Random(seed)
    start = GAME.start(board=[[rng.randint(1, 40) for _ in range(3)] for _ in range(3)])
    rough, plan = tabled.rough_plan(start), tabled.plan(start)
    assert (rough.shape, rough.kind) == (plan.shape, plan.kind)
    assert rough.entries <= plan.entries and rough.megabytes <= plan.megabytes and rough.seconds <= plan.seconds


def test_uncompiled_it_knows_how_slow_it_is():
    start = GAME.start(low=8, high=14, seed=4)
    plain = Solver(GAME, megabytes=2_000, compiled=False)
    assert plain.solve(start, seconds=0.1).limit == "seconds"
    plain.tabled.place_boxes = None  # a million boxes are not planned within a tenth of a second
    for in_parts in (False, True):
        wide = GAME.start(board=[[1] * 3, [1000] * 3, [1000] * 3])
        assert plain.solve(wide, seconds=0.1, in_parts=in_parts).limit == "seconds"


def test_the_tempting_move_is_a_best_one_however_little_time_there_is(tabled):
    start = GAME.start(low=8, high=14, seed=4)
    tabled.build(tabled.plan(start))
    for state in random_line(GAME, start, random.Random(3)).states[:-1]:
        assert tabled.trickiest(state, deadline=0) == tabled.best(state)[0]
        assert tabled.trickiest(state, games=3) in tabled.best(state)


def test_the_agent_compiles_nothing_in_a_move():
    agent = make_agent(GAME, "solver:mb=64")
    parts = [agent.solver.tabled.fill, agent.solver.tabled.tempt, agent.solver.tabled.place_boxes]
    known = [len(part.signatures) for part in parts]
    for reward in (15, 100, 40_000):
        assert agent.choose(GAME.start(low=5, high=9, seed=1, reward=reward), Budget(seconds=60)).is_exact
    assert [len(part.signatures) for part in parts] == known


def test_a_stop_while_the_table_is_planned_counts():
    solver = Solver(GAME, megabytes=64)
    plan = solver.tabled.plan

    def plan_and_stop(state):
        planned = plan(state)
        solver.stop()
        return planned

    solver.tabled.plan = plan_and_stop
    assert solver.solve(GAME.start(low=5, high=9, seed=1)).limit == "stop"


def test_the_agent_is_exact_once_the_table_fits_and_stays_so():
    agent = make_agent(GAME, "best")
    state = GAME.start(low=9, high=14, seed=1)
    assert not make_agent(GAME, "solver:nodes=500").choose(state).is_exact
    rng, value = random.Random(2), None
    while GAME.result(state) is None:
        found = agent.choose(state, Budget(seconds=20.0))
        assert found.is_exact
        assert value is None or GAME.turn(state) == 1 or found.score >= value
        value = found.score if GAME.turn(state) == 0 else value
        move = found.move if GAME.turn(state) == 0 else rng.choice(GAME.legal(state))
        state = GAME.play(state, move)
    assert GAME.result(state) * SCALE >= value

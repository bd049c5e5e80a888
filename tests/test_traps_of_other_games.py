"""Traps in games of one's own: forced moves, turns of several moves, names that mean something else there."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from ludus.agents import tricky
from ludus.agents.agent import Budget
from ludus.agents.naming import make_agent
from ludus.agents.trust import Trust
from ludus.games import slant
from ludus.rules import load_game
from ludus.search.deepening import AlphaBeta
from ludus.search.finding import Finding
from ludus.search.pace import Pace, width_of
from ludus.search.shallow import MOST_ANSWERS, ShallowPlayer
from ludus.search.smaller import ANSWERING, GUESSING, PROVING, SmallerAlphaBeta, smaller_game
from ludus.search.traps import Traps

# The third move is forced; then the second seat takes a draw, or opens a game without an end in sight.
FORCED = """
from typing import NamedTuple
MOVES = 2
class State(NamedTuple):
    kind: int
    n: int
    mover: int
def start(): return State(0, 1, 0)
def turn(s): return s.mover
def moves(s): return 1 if s.kind in (1, 2) else 3
def play(s, m):
    kind = s.kind + 1 if s.kind < 3 else 4 + m if s.kind == 3 else 5
    return State(kind, 2 * s.n + m, 1 - s.mover)
def result(s): return 0 if s.kind == 4 else 9 if s.n >= 1 << 50 else None
def evaluate(s): return 5000 if s.kind == 5 else 0
"""
# The second seat makes four moves for each of the first.
FOUR_IN_A_TURN = """
from typing import NamedTuple
MOVES = 15
width = 3  # of the board: no function of Ludus
class State(NamedTuple):
    free: int
    ply: int
def start(): return State((1 << 15) - 1, 0)
def turn(s): return 0 if s.ply % 5 == 0 else 1
def moves(s): return s.free
def play(s, m): return State(s.free & ~(1 << m), s.ply + 1)
def result(s): return None if s.free else 0
"""
# The first seat wins by 0 at once (from 0 to 1), if the second seat looks only a ply ahead; by 1 it comes back to 0.
CIRCULAR = """
from typing import NamedTuple
MOVES = 2
class State(NamedTuple):
    place: int
def start(): return State(0)
def turn(s): return 1 if s.place in (1, 2, 6) else 0
def moves(s): return 3
def play(s, m):
    if s.place == 0: return State(1 + m)
    if s.place == 1: return State(3 + m)
    return State(0 if s.place == 2 else 5 if s.place == 3 else 6 if s.place == 4 else 4)
def result(s): return 9 if s.place == 5 else None
def evaluate(s): return -5000 if s.place == 3 else -100 if s.place in (1, 4, 6) else 0
"""


@pytest.fixture(autouse=True)
def uncompiled(monkeypatch):
    """Compiling each rules file would take longer than all searches here."""
    monkeypatch.setattr("ludus.compile.link.has_numba", lambda: False)


@pytest.fixture
def four(write):
    return load_game(write("four.py", FOUR_IN_A_TURN))


def test_a_tree_of_forced_moves_is_settled(write):
    game = load_game(write("forced.py", FORCED))
    searcher = SmallerAlphaBeta(AlphaBeta(game, megabytes=1), megabytes=1)
    traps = Traps(game, searcher, ShallowPlayer(game, 4))
    root = traps.search(game.start(), nodes=50_000, seconds=60)
    assert root.is_settled
    assert root.secured == 0.5


@pytest.fixture
def circular(write):
    return load_game(write("circular.py", CIRCULAR))


def test_where_positions_come_again_the_trap_is_set_in_the_end(circular):
    """The move that leads back wins too, as the trap can still be set then: but not for ever."""
    agent, state = make_agent(circular, "tricky:depth=1,mb=1"), circular.start()
    for _ in range(4):
        move = agent.choose(state, Budget(nodes=tricky.FEWEST_NODES)).move
        if move == 0:
            break
        state = circular.play(circular.play(state, move), 0)
    assert move == 0


def test_known_places_count_as_nodes(circular):
    searcher = SmallerAlphaBeta(AlphaBeta(circular, megabytes=1), megabytes=1)
    traps = Traps(circular, searcher, ShallowPlayer(circular, 1))
    begin = time.process_time()
    root = traps.search(circular.start(), wins=3, nodes=20_000)
    assert root.won_by == 0
    assert root.visits < 1_000
    assert time.process_time() - begin < 30


def test_a_stop_while_traps_are_appraised_leaves_them(four, monkeypatch):
    agent, deep = make_agent(four, "tricky:depth=2,mb=1"), Finding(0, -1, False, (0,), 9, 1, 0.0)

    def stop_in_it(_state, move, *_):
        agent.stop()
        return Finding(move, 5000, False, (move,), 2, 1, 0.0)

    monkeypatch.setattr(agent, "_think", lambda *_: deep)
    monkeypatch.setattr(agent, "_appraise", stop_in_it)
    monkeypatch.setattr(tricky, "_best_traps", lambda *_: [3])
    assert agent.choose(four.start(), Budget(nodes=tricky.FEWEST_NODES)).move == 0


def test_answers_of_a_long_turn_keep_to_the_limits(four):
    player, state = ShallowPlayer(four, 2), four.play(four.start(), 0)
    ends = player.after_answers(state, 0)
    assert len(ends) == MOST_ANSWERS
    assert all(four.turn(end) == 0 for end in ends)
    before = player.nodes
    assert player.after_answers(state, 0, nodes=200) == []
    assert player.nodes - before < 300
    assert ShallowPlayer(four, 1).after_answers(state, 0, deadline=time.monotonic_ns()) == []


def test_a_name_of_somebody_else_is_not_taken_for_ours(four):
    assert width_of(four, four.start()) == 15
    assert Pace(four).measured > 0


def test_a_turn_of_several_moves_is_no_other_game(four):
    agent = make_agent(four, "tricky:depth=2,mb=1")
    before = after = four.play(four.start(), 0)
    for move in (1, 2, 3, 4):
        after = four.play(after, move)
    trust = agent.trust
    trust.after_ours, trust.telling, trust.is_stranger = before, 7, True
    agent.choose(after, Budget(nodes=10))
    assert (trust.telling, trust.is_stranger) == (7, True)
    for move in range(5, 12):
        after = four.play(after, move)
    assert four.turn(after) == 1
    trust.after_ours = after
    agent.choose(four.start(), Budget(nodes=10))  # no way leads back to the start
    assert (trust.telling, trust.is_stranger) == (0, False)


def test_our_own_answer_is_where_the_whole_turn_of_the_opponent_leads(four):
    player = ShallowPlayer(four, 1)
    trust, line, here = Trust(four, player, Pace(four), tuple), range(5), four.start()
    for move in line:
        here = four.play(here, move)
    trust.remember(four.start(), line)
    assert (four.turn(here), trust.expected) == (0, here)
    trust.remember(four.start(), line[:-1])
    assert trust.expected is None


def test_what_is_known_of_a_trap_is_not_called_proven_of_the_position(four, monkeypatch):
    agent = make_agent(four, "tricky:depth=2,mb=1")
    guess = Finding(0, -1, False, (0,), 1, 1, 0.0)
    monkeypatch.setattr(agent, "_think", lambda *_: guess)
    monkeypatch.setattr(agent, "_appraise", lambda _state, move, *_: Finding(move, 0, True, (move,), 1, 1, 0.0))
    monkeypatch.setattr(tricky, "_best_traps", lambda *_: [3])
    found = agent.choose(four.start(), Budget(nodes=tricky.FEWEST_NODES))
    assert (found.move, found.is_exact) == (3, False)


def test_no_time_at_all_says_nothing_of_the_pace(four):
    pace = Pace(four)
    pace.limit(seconds=0.0, nodes=None)
    pace.saw(four.start(), 1, is_finished=False)
    assert pace.slowest > 0


@pytest.mark.parametrize("file", [PROVING, GUESSING, ANSWERING])
def test_slant_from_a_path_is_told_in_fewer_words_with_its_own_moves(file):
    game = load_game(Path(slant.__file__).parent)
    small, state = smaller_game(game, file), game.start(m=4, seed=3)
    told = small.module.reduced(state)
    assert {small.module.original(state, move) for move in small.legal(told)} <= set(game.legal(state))

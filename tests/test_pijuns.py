"""Filthy Pijuns: its scores worked out by hand, its board against our rules, its search against plain minimax."""

from __future__ import annotations

from functools import cache
from random import Random

import numpy as np
import pytest

from ludus.agents import pijuns_search as search
from ludus.agents.agent import Budget
from ludus.agents.naming import make_agent
from ludus.agents.pijuns import PijunsAgent
from ludus.compile.bits import plain
from ludus.compile.link import link
from ludus.errors import AgentError
from ludus.rules import load_game, random_line
from ludus.search.stopping import set_limits

GAME = load_game("extreme")
LINES = [
    *([(row, column) for column in range(4)] for row in range(4)),
    *([(row, column) for row in range(4)] for column in range(4)),
    *([(r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)] for r in (1, 2) for c in (1, 2)),
]
WEIGHTS = [[2, 3, 3, 2], [3, 4, 4, 3], [3, 4, 4, 3], [2, 3, 3, 2]]


def follow(board, chosen, zobrist, blocks, undo, boards_seen):
    """Entry point: make the chosen moves, writing down the board before each and after the last; then unmake all."""
    for block in range(16):
        search.score_block(board, block, blocks)
    for ply in range(chosen.size + 1):
        for k in range(board.size):
            boards_seen[ply, k] = board[k]
        if ply < chosen.size:
            search.make(board, plain(chosen[ply]), zobrist, blocks, undo, ply)
    for ply in range(chosen.size - 1, -1, -1):
        search.unmake(board, plain(chosen[ply]), zobrist, undo, ply)


def cells(*places):
    return sum(1 << 4 * row + column for row, column in places)


@pytest.mark.parametrize(
    ("own", "other", "tenths"),
    [
        ([], [], 0),
        ([(0, 0)], [], 2),  # a corner lies on two patterns
        ([(1, 1)], [(0, 0)], 4),
        ([(0, 0), (0, 1)], [], 35),  # half a row: 3 + 0.5
        ([(0, 0), (0, 1)], [(0, 3)], 5),
        ([(0, 0), (0, 1), (0, 2)], [], 118),  # three quarters of a row: 11 + 0.8
        ([(0, 1), (1, 0), (1, 2)], [], 150),  # three quarters of a diamond, half of row 1: 11 + 3 + 1.0
        ([(0, 1), (1, 0), (1, 2)], [(1, 1)], 120),  # the middle of a diamond does not matter to it
        ([(1, 1), (1, 2), (2, 1), (2, 2)], [], 256),  # two rows, two columns, four diamonds: 24 + 1.6
    ],
)
def test_block_scores_by_hand(own, other, tenths):
    assert search.block_score(cells(*own), cells(*other)) == tenths


@pytest.mark.parametrize(
    ("won", "lost", "thousandths"),
    [
        ([], [], 0),
        ([(0, 0)], [], 61_200),  # row and column: 60; 0.02 * 30 * 2
        ([(0, 0), (0, 1)], [], 159_000),  # 1.1 * 60 + 30 + 30 + 30; 0.02 * 30 * 5
        ([(0, 0), (0, 1), (0, 2)], [], 361_800),  # 2.3 * 90 + 90 + two diamonds; 0.02 * 30 * 8
        ([(0, 0), (0, 1), (0, 2)], [(0, 3)], 154_800),  # the row is dead
    ],
)
def test_board_scores_by_hand(won, lost, thousandths):
    board = np.zeros(search.BOARD_SIZE, np.int64)
    for row, column in won:
        board[search.OUR_SCORES + 4 * row + column] = search.OURS
    for row, column in lost:
        board[search.OUR_SCORES + 4 * row + column] = search.DEAD
    assert search.board_score(board, search.OUR_SCORES, cells(*won)) == thousandths


def test_a_board_with_open_blocks_by_hand():
    board = np.zeros(search.BOARD_SIZE, np.int64)
    board[search.OUR_SCORES + 5] = 35  # 3.5 in a centre block: row, column and two diamonds
    board[search.OUR_SCORES + 0] = search.OURS
    # 4 * 3.5 + 0.02 * 3.5 * 4 = 14.28; row 0 and column 0 with 30 each + 1.2
    assert search.board_score(board, search.OUR_SCORES, 1) == 14_280 + 61_200


@cache
def slow_block_score(own, other):
    """In tenths, cell by cell."""
    total = sum(WEIGHTS[cell // 4][cell % 4] for cell in own)
    for line in LINES:
        spots = {4 * row + column for row, column in line}
        if not spots & other:
            total += {2: 30, 3: 110}.get(len(spots & own), 0)
    return total


def slow_score(state, seat):
    """The documented board score of one seat in thousandths, from our State."""
    marks = [{m for m in range(256) if state[m // 48 + 6 * side] >> m % 48 & 1} for side in (0, 1)]
    won = [state.x_won, state.o_won][seat]
    scores = []
    for block in range(16):
        own, other = (frozenset(m % 16 for m in marks[s] if m // 16 == block) for s in (seat, 1 - seat))
        is_ours, is_open = won >> block & 1, state.open >> block & 1
        scores.append(300 if is_ours else slow_block_score(own, other) if is_open else None)
    total = sum(2 * WEIGHTS[b // 4][b % 4] * score for b, score in enumerate(scores) if score is not None)
    for line in LINES:
        blocks = [4 * row + column for row, column in line]
        if None not in (four := [scores[b] for b in blocks]):
            total += {2: 110, 3: 230}.get(sum(won >> b & 1 for b in blocks), 100) * sum(four)
    return total


def slow_minimax(state, depth, seat, *, counts_both):
    payoff = GAME.result(state)
    if payoff is not None and abs(payoff) == 68:
        return search.WIN if (payoff > 0) == (seat == 0) else -search.WIN
    if depth == 0 or payoff is not None:
        return slow_score(state, seat) - (slow_score(state, 1 - seat) if counts_both else 0)
    values = [
        slow_minimax(GAME.play(state, move), depth - 1, seat, counts_both=counts_both) for move in GAME.legal(state)
    ]
    return max(values) if GAME.turn(state) == seat else min(values)


def narrow_positions(count, *, widest):
    """Positions of random games from which three plies are few."""
    rng = Random(5)
    found = []
    while len(found) < count:
        states = random_line(GAME, GAME.start(), rng).states[:-1]
        narrow = [s for s in states if len(GAME.legal(s)) <= widest and s.open.bit_count() > 4]
        found += rng.sample(narrow, min(len(narrow), 3))
    return found[:count]


@pytest.mark.parametrize("marks", ["own", "both"])
def test_depth_three_is_plain_minimax_of_depth_three(marks):
    agent = make_agent(GAME, f"pijuns:marks={marks}")
    for state in narrow_positions(5, widest=4):
        set_limits(agent.room, agent.search_to)
        board = search.new_board(state, agent.zobrist, counts_both=agent.counts_both)
        score = int(agent._search_to(board, 3))
        values = {
            move: slow_minimax(GAME.play(state, move), 2, state.mover, counts_both=marks == "both")
            for move in GAME.legal(state)
        }
        best = max(values.values())
        assert score == best
        assert int(agent.room[search.BEST]) == min(move for move, value in values.items() if value == best)


@pytest.mark.parametrize("bonus", [True, False])
def test_its_board_follows_our_rules_and_comes_back(bonus):
    agent = make_agent(GAME, "pijuns")
    play_through = link(GAME, follow)
    for seed in range(10):
        line = random_line(GAME, GAME.start(bonus=bonus), Random(seed))
        board = search.new_board(line.start, agent.zobrist)
        seen = np.zeros((len(line.states), search.BOARD_SIZE), np.int64)
        before = board.copy()
        is_score = np.zeros(search.BOARD_SIZE, bool)
        is_score[search.OUR_SCORES : search.KEY] = True
        play_through(board, np.array(line.moves, np.int64), agent.zobrist, agent.blocks, agent.undo, seen)
        for state, row in zip(line.states, seen, strict=True):
            expected = search.new_board(state, agent.zobrist)
            expected[search.SEAT] = 0
            assert (row[~is_score] == expected[~is_score]).all()
            legal = [
                16 * block + cell
                for block in range(16)
                if row[search.TARGETS] >> block & 1
                for cell in range(16)
                if not (row[block] | row[16 + block]) >> cell & 1
            ]
            assert legal == GAME.legal(state)
            assert int(search.board_score(row, search.OUR_SCORES, int(row[search.X_WON]))) == slow_score(state, 0)
        assert (board[~is_score] == before[~is_score]).all()


def test_compiled_is_plain():
    slow, fast = (PijunsAgent(game=GAME, name="pijuns") for _ in range(2))
    slow.search_to = link(GAME, search.search_to, compiled=False)
    for state in narrow_positions(6, widest=6):
        found = [agent.choose(state, Budget(nodes=600)) for agent in (slow, fast)]
        assert [(f.move, f.nodes, f.depth, f.counts) for f in found[:1]] == [
            (f.move, f.nodes, f.depth, f.counts) for f in found[1:]
        ]


def test_uncompiled_it_looks_at_the_clock_often_enough():
    agent = PijunsAgent(game=GAME, name="pijuns")
    agent.search_to = link(GAME, search.search_to, compiled=False)
    assert agent.choose(GAME.start(), Budget(seconds=0.0)).nodes < 400


def test_a_whole_game_is_legal_and_the_same_nodes_give_the_same_moves():
    moves = []
    for _ in range(2):
        agent = make_agent(GAME, "pijuns:nodes=400")
        state, played = GAME.start(), []
        while GAME.result(state) is None:
            move = agent.choose(state).move
            assert move in GAME.legal(state)
            played.append(move)
            state = GAME.play(state, move)
        moves.append(played)
    assert moves[0] == moves[1]


def test_it_finds_a_win_and_says_so():
    agent = make_agent(GAME, "pijuns:nodes=200000")
    rng = Random(11)
    wins = 0
    while wins < 5:
        states = random_line(GAME, GAME.start(), rng).states
        if abs(GAME.result(states[-1])) == 68:
            before = states[-2]
            found = agent.choose(before)
            assert found.is_exact
            assert found.score == GAME.result(states[-1]) * 1000
            wins += 1


def test_it_plays_nothing_else():
    with pytest.raises(AgentError, match="extreme only"):
        make_agent(load_game("ultimate"), "pijuns")
    with pytest.raises(AgentError, match="own or both"):
        make_agent(GAME, "pijuns:marks=none")

"""The evaluations of the 9x9 games: the same for what is the same, between the payoffs, aware of each game's rules."""

from __future__ import annotations

import random

import pytest

from ludus.games.nested.nine import empty_board
from ludus.games.nested.nine_evaluation import CENTRE, GRADES, KINDS, MINE, THEIRS, TURN_OF, TURNS, grade_of
from ludus.games.ultimate_adjacent.evaluation import LEAD
from ludus.rules import load_game, random_line

NAMES = ("ultimate", "ultimate-adjacent")
MOST = {"ultimate": 1000, "ultimate-adjacent": 3000}


def random_states(name, seed, games=30):
    game = load_game(name)
    rng = random.Random(seed)
    return game, [s for _ in range(games) for s in random_line(game, game.start(), rng).states[:-1]]


def turned_line(game, line, turn):
    """The same game on a turned board."""
    state = game.start()
    for move in line.moves[:-1]:
        block, cell = divmod(move, 9)
        state = game.play(state, 9 * turn[block] + turn[cell])
    return state


@pytest.mark.parametrize("name", NAMES)
def test_a_turned_board_is_worth_the_same(name):
    game, rng = load_game(name), random.Random(5)
    for _ in range(40):
        line = random_line(game, game.start(), rng, longest=rng.randrange(2, 50))
        values = {game.evaluate(turned_line(game, line, turn)) for turn in TURNS}
        assert len(values) == 1


@pytest.mark.parametrize("name", NAMES)
def test_the_other_seat_sees_the_opposite(name):
    game, states = random_states(name, 6)
    for state in states:
        assert game.evaluate(state._replace(mover=1 - state.mover)) == -game.evaluate(state)


@pytest.mark.parametrize("name", NAMES)
def test_a_guess_lies_strictly_between_the_payoffs(name):
    game, states = random_states(name, 7)
    assert all(-MOST[name] < game.evaluate(state) < MOST[name] for state in states)


@pytest.mark.parametrize("name", NAMES)
def test_a_guess_agrees_with_how_random_games_end(name):
    """Not a measure of strength: late in a game, the side that is ahead by the tables wins more often than not."""
    game, rng = load_game(name), random.Random(8)
    right = seen = 0
    for _ in range(150):
        line = random_line(game, game.start(), rng)
        payoff = game.result(line.states[-1])
        guess = game.evaluate(line.states[-6])
        if payoff and abs(guess) > 200:
            seen += 1
            right += (payoff > 0) == (guess > 0)
    assert seen > 40
    assert right > 0.65 * seen


def test_grades_by_hand():
    assert grade_of(0o007, 0) == MINE
    assert grade_of(0, 0o111) == THEIRS
    assert grade_of(0, 0) == 5 * 3 + 3  # three empty lines and more, but two stones short of each
    assert grade_of(0o003, 0) // 5 == 1  # one way to win at once
    assert grade_of(0o013, 0) // 5 == 0  # two ways
    assert grade_of(0o003, 0o004) // 5 == 2  # the line is stopped, but four more need two stones each
    assert grade_of(0o525, 0o252) in range(GRADES)  # full of crossings
    assert grade_of(0o143, 0o234) == 24  # one cell is free, and nobody can win any more


def test_each_block_is_turned_to_the_first_of_its_kind():
    assert KINDS.count(CENTRE) == 1
    for block, turn in enumerate(TURN_OF):
        assert turn[block] in (0, 1, 4)
        assert sorted(turn) == list(range(9))


def test_the_adjacent_game_knows_where_it_is_sent():
    game = load_game("ultimate-adjacent")
    board = empty_board()._replace(mine_lo=0o003 << 36)  # two in a row in the centre block
    there = board._replace(targets=1 << 4)
    elsewhere = board._replace(targets=0b000001010)
    assert game.evaluate(there) > game.evaluate(elsewhere)


def test_the_adjacent_game_counts_blocks_then_centres():
    for open_blocks in range(1, 7):
        level = 361 * open_blocks + 19 * 9 + 9  # as many blocks and centre cells as the other side
        assert LEAD[level - 3] < LEAD[level] < LEAD[level + 3]
        assert LEAD[level - 19] < LEAD[level + 19]

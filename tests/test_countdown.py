"""Won in how many moves: held against plain minimax over whole trees, and compiled against plain."""

from __future__ import annotations

import time
from functools import cache
from pathlib import Path
from random import Random
from threading import Timer

import pytest

from ludus.rules import Game, State, follow, load_game, random_line
from ludus.search.countdown import Countdown
from rules_files import HEAP

FOREVER = float("inf")


def soonest(game: Game, state: State, winner: int, payoff: int, longest: int) -> int | None:
    """By the definition: the winner takes the least, the other one the most; None beyond `longest`."""

    @cache
    def within(state: State, plies: int) -> bool:
        ended = game.result(state)
        if ended is not None or plies == 0:
            return ended is not None and (ended if winner == 0 else -ended) >= payoff
        forced = (within(game.play(state, move), plies - 1) for move in game.legal(state))
        return any(forced) if game.turn(state) == winner else all(forced)

    return next((plies for plies in range(1, longest + 1) if within(state, plies)), None)


def late_positions(game: Game, dice: Random, *, left: int) -> State:
    line = random_line(game, game.start(), dice)
    return line.states[max(0, len(line.moves) - left)]


@pytest.mark.parametrize(("name", "payoff"), [("ultimate", 1), ("ultimate-adjacent", 3), ("extreme", 1)])
@pytest.mark.parametrize("compiled", [True, False])
def test_the_count_is_the_least_that_can_be_forced(name: str, payoff: int, compiled: bool) -> None:
    game, dice = load_game(name), Random(5)
    counter = Countdown(game, compiled=compiled)
    counted = 0
    for left in [1, 2, 3, 4, 5, 6, 7, 8] * (3 if compiled else 1):
        state = late_positions(game, dice, left=left)
        for winner in (0, 1):
            expected = soonest(game, state, winner, payoff, 5)
            found = counter.find(state, winner, payoff, seconds=0.5 if expected is None else FOREVER)
            if expected is None:
                assert found is None or found.plies > 5
                continue
            assert found is not None and found.plies == expected == len(found.line)
            played = follow(game, state, [game.move_name(move) for move in found.line])
            assert (game.result(played.states[-1]) or 0) * (1 if winner == 0 else -1) >= payoff
            counted += 1
    assert counted >= 3


@pytest.mark.parametrize("heap", range(1, 12))
def test_a_heap_is_counted_down(heap: int, tmp_path: Path) -> None:
    """Whoever takes the last loses or wins: the definition decides, over the whole tree."""
    file = tmp_path / "heap.py"
    file.write_text(HEAP.format(imports="", heap=heap, most=3))
    game = load_game(str(file))
    counter = Countdown(game, compiled=False)
    for winner in (0, 1):
        expected = soonest(game, game.start(), winner, 1, heap)
        found = counter.find(game.start(), winner, 1, seconds=2.0 if expected is None else FOREVER)
        assert (None if found is None else found.plies) == expected


def test_a_count_can_be_stopped() -> None:
    game = load_game("ultimate")
    counter = Countdown(game)
    Timer(0.2, counter.stop).start()
    begin = time.monotonic()
    assert counter.find(game.start(), 0, 1, seconds=60.0) is None
    assert time.monotonic() - begin < 30.0

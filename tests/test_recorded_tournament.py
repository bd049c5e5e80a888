"""Real games of the extreme event of 2018 replay with their points and their final blocks."""

from __future__ import annotations

import json

from ludus.events.event import points_by_event
from ludus.rules import follow, load_game


def blocks(state):
    signs = {0: "-", 1: "x", 2: "o"}
    flat = [
        signs[(state.x_won >> b & 1) + 2 * (state.o_won >> b & 1)] if not state.open >> b & 1 else "-"
        for b in range(16)
    ]
    full = [not (state.open | state.x_won | state.o_won) >> b & 1 for b in range(16)]
    return [["d" if full[4 * r + c] else flat[4 * r + c] for c in range(4)] for r in range(4)]


def test_games_of_2018(shared_games):
    game = load_game("extreme")
    recorded = json.loads(shared_games.read_text())
    assert len(recorded) == 14
    finished = 0
    for one in recorded:
        line = follow(game, game.start(), [f"{r},{c}" for r, c, _ in one["moves"]])
        seats = [game.turn(state) for state in line.states[:-1]]
        assert [" xo".index(mark) - 1 for _, _, mark in one["moves"]] == seats
        assert blocks(line.states[-1]) == one["blocks"], one["log"]
        points = points_by_event(game, line.states[-1])
        if one["message"][0] in ("WON", "DRAW"):
            finished += 1
            assert list(map(int, one["score"])) == list(points["extreme"]), one["log"]
        else:  # a forfeit: the moves end in the middle of the game
            assert points == {}
    assert finished == 11

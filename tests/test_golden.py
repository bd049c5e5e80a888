"""A whole game of each kind, written out: what was legal, what was played, what it looked like, what it was worth.

After a wanted change, write them anew with `python tests/test_golden.py` and read the difference.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ludus.events.event import points_by_event
from ludus.events.scoring import as_number
from ludus.rules import game_names, load_game, random_line
from ludus.view.scene import scene_of_line
from ludus.view.terminal import position_lines

GOLDEN = Path(__file__).parent / "golden"
OPTIONS = {"slant": {"m": 4, "seed": 1}, "subtraction": {"low": 4, "high": 9, "seed": 1}}


def playthrough(name: str) -> str:
    game = load_game(name)
    start = game.start(**OPTIONS.get(name, {}))
    line = random_line(game, start, random.Random(1))
    states, chosen = line
    pages = [f"{game.title} {game.instance(start, {})}"]
    for ply, state in enumerate(states):
        names = [game.move_name(move) for move in game.legal(state)]
        legal = " ".join(names) if len(names) < 20 else f"{len(names)} from {names[0]} to {names[-1]}"
        pages.append(f"ply {ply}, seat {game.turn(state)}, legal: {legal}")
        if ply < len(chosen):
            pages.append(f"plays {game.move_name(chosen[ply])}")
        if ply % 10 == 0 or ply == len(chosen):
            pages.append("\n".join(position_lines(scene_of_line(game, line, ply=ply))))
    points = {event: [as_number(p) for p in pair] for event, pair in points_by_event(game, states[-1]).items()}
    pages.append(f"result {game.result(states[-1])}, points {points}")
    return "\n".join(pages) + "\n"


@pytest.mark.parametrize("name", game_names())
def test_a_game_goes_as_it_went(name):
    assert playthrough(name) == (GOLDEN / f"{name}.txt").read_text()


if __name__ == "__main__":
    for name in game_names():
        (GOLDEN / f"{name}.txt").write_text(playthrough(name))

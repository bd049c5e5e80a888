"""Frames: whatever a page was told, in whichever steps, it shows the whole picture."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from ludus.rules import Game, game_names, load_game, random_line
from ludus.view.scene import Hint, scene_of_line
from ludus.web.frames import Picture, changes, picture_of
from rules_files import HEAP
from web_pages import Shown


def games(folder: Path) -> list[Game]:
    path = folder / "heap.py"
    path.write_text(HEAP.format(imports="", heap=12, most=3))
    return [load_game(name) for name in game_names()] + [load_game(path)]


def pictures(game: Game, rng: Random) -> list[Picture]:
    """Of a random game; now and then with hints and a line, and for somebody who may not move."""
    options = {"seed": rng.randrange(1000)} if "seed" in game.options else {}
    line = random_line(game, game.start(**options), rng, longest=60)
    made = []
    for ply in range(len(line.states)):
        legal = game.legal(line.states[ply])
        hints = [Hint(move, rng.random()) for move in legal[:3]] if rng.random() < 0.3 else []
        scene = scene_of_line(game, line, ply=ply, hints=hints, best_line=line.moves[ply : ply + 4] if hints else ())
        made.append(picture_of(scene, may_move=rng.random() < 0.5, ply=ply))
    return made


@pytest.mark.parametrize("number", range(6))
def test_changes_lead_to_the_whole_picture(number: int, tmp_path: Path) -> None:
    game, rng = games(tmp_path)[number], Random(number)
    for _ in range(3):
        made = pictures(game, rng)
        page, before = Shown(), None
        order = list(range(len(made))) + [rng.randrange(len(made)) for _ in range(10)]  # somebody jumps, or takes back
        for index in order:
            page.show(json.loads(json.dumps(changes(before, made[index]))))
            fresh = Shown()
            fresh.show(json.loads(json.dumps(changes(None, made[index]))))
            assert page.drawn() == fresh.drawn()
            parts = ("ply", "mover", "status", "say", "seats", "moves", "legal", "marks", "size", "weight")
            assert {part: page.frame[part] for part in parts} == {part: fresh.frame[part] for part in parts}
            before = made[index]


@pytest.mark.parametrize("name", game_names())
def test_a_frame_after_a_move_is_small_and_hit_areas_stay(name: str) -> None:
    game = load_game(name)
    line = random_line(game, game.start(), Random(1), longest=3)
    first, second = (picture_of(scene_of_line(game, line, ply=ply), may_move=True, ply=ply) for ply in (2, 3))
    frame = changes(first, second)
    assert len(json.dumps({**frame, "moves": []})) < 12_000
    assert len(frame["set"].get("hit", {})) <= 6  # whose names have changed


def test_moves_have_areas_that_are_there() -> None:
    for name in game_names():
        game = load_game(name)
        line = random_line(game, game.start(), Random(2), longest=9)
        picture = picture_of(scene_of_line(game, line), may_move=True)
        assert [move for move, *_ in picture.moves] == game.legal(line.states[-1])
        for _, path, *_ in picture.moves:
            assert all(f"hit {key}" in picture.layers["hit"] for key in path)
        assert set(picture.legal) == {path[0] for _, path, *_ in picture.moves}


def test_who_looks_on_is_told_no_moves() -> None:
    game = load_game("ultimate")
    scene = scene_of_line(game, random_line(game, game.start(), Random(1), longest=4))
    watched = changes(None, picture_of(scene, may_move=False))
    assert watched["moves"] == watched["legal"] == []
    assert changes(None, picture_of(scene, may_move=True).without_moves()) == watched


def test_hostile_names_never_become_markup() -> None:
    game = load_game("ultimate")
    line = random_line(game, game.start(), Random(1), longest=4)
    scene = scene_of_line(game, line, players=("<img src=x onerror=alert(1)>", '"><script>'))
    frame = changes(None, picture_of(scene, may_move=True))
    assert "<img" not in json.dumps(frame["set"]) + json.dumps(frame["marks"])
    assert frame["seats"][0]["player"] == "<img src=x onerror=alert(1)>"  # a text, shown as a text

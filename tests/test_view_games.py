"""What each game shows of a position."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.picture import Area, Line, Mark, Text, grid
from ludus.rules import game_names, load_game
from ludus.view.notebook import Position
from ludus.view.scene import Step, scene_of
from view_positions import OPTIONS, before_a_diamond, random_position, random_scene

GAMES = game_names()


@settings(max_examples=60, deadline=None)
@given(name=st.sampled_from(GAMES), seed=st.integers(0, 9999), plies=st.integers(0, 300), data=st.data())
def test_every_legal_move_has_its_areas_and_keys_are_unique(
    name: str, seed: int, plies: int, data: st.DataObject
) -> None:
    game = load_game(name)
    options = data.draw(st.sampled_from(OPTIONS.get(name, [{}])))
    state, _ = random_position(game, seed, plies, **options)
    view = game.view(state)
    assert view is not None
    keys = [item.key for item in view.items]
    assert len(keys) == len(set(keys))
    areas, taken = view.areas(), {}
    for move in game.legal(state):
        path = view.path(move, game.move_name(move))
        assert path
        assert all(key in areas for key in path)
        assert path not in taken or {move, taken[path]} <= set(view.choices)
        taken[path] = move
    for area in areas.values():
        assert 0 <= area.x < area.x + area.width <= view.size[0]
        assert 0 <= area.y < area.y + area.height <= view.size[1]
    assert game.view(state) == view


@pytest.mark.parametrize("name", GAMES)
def test_last_move_leaves_a_trace(name: str) -> None:
    scene = random_scene(name, 3, 7)
    assert scene.last
    assert set(scene.last) <= set(scene.view.areas())


@pytest.mark.parametrize(
    ("game", "moves", "status", "targets"),
    [
        ("ultimate", [], "X to move anywhere", set()),
        ("ultimate", ["4,4"], "O to move in block 4", {4}),
        ("ultimate", ["4,4", "5,3"], "X to move in block 6", {6}),
        ("ultimate-adjacent", ["0,0"], "O to move in block 1 or 3", {1, 3}),
        ("extreme", ["0,3"], "O to move in block 3", {3}),
    ],
)
def test_nested_games_say_and_flag_where_to_play(game: str, moves: list[str], status: str, targets: set[int]) -> None:
    scene = Position.start(game).play(*moves).scene()
    assert scene.status == status
    flagged = {area.key for area in scene.view.areas().values() if "target" in area.flags}
    assert flagged == {f"block {block}" for block in targets}


def test_a_won_block_has_a_large_mark_over_faded_ones_and_counts() -> None:
    for seed in range(20):
        scene = random_scene("ultimate", seed, 45)
        big = [item for item in scene.view.items if isinstance(item, Mark) and item.size > 2]
        if big:
            break
    block = int(big[0].key.split()[1])
    tile = scene.view.areas()[f"block {block}"]
    assert "won" in tile.flags
    assert tile.tone == big[0].tone
    inside = [
        item
        for item in scene.view.items
        if isinstance(item, Mark)
        and item.size < 1
        and tile.x < item.at[0] < tile.x + tile.width
        and tile.y < item.at[1] < tile.y + tile.height
    ]
    assert inside
    assert all("faded" in item.flags for item in inside)
    won = sum(int(seat.score.split()[0]) for seat in scene.view.seats)
    assert won == len(big)


def test_a_diamond_is_drawn_as_a_closed_loop() -> None:
    game = load_game("extreme")
    state, move = before_a_diamond()
    scene = scene_of(game, game.play(state, move), last=Step(state, move))
    assert scene.status == "X wins with a pattern, 68–0"
    (line,) = [item for item in scene.view.items if isinstance(item, Line) and item.role == "win"]
    assert line.points[0] == line.points[-1]
    areas = scene.view.areas()
    centres = {areas[f"block {block}"].centre for block in (1, 4, 6, 9)}
    rounded = {(round(x, 6), round(y, 6)) for x, y in centres}
    assert {(round(x, 6), round(y, 6)) for x, y in line.points} == rounded


def test_a_bonus_move_is_said() -> None:
    state, move = before_a_diamond()
    state = state._replace(x_won=1 << 1)  # so that block 9 does not end the game
    game = load_game("extreme")
    assert scene_of(game, game.play(state, move)).status == "X plays a bonus move in block 7"


def test_subtraction_shows_blocked_lines_zeros_and_costs() -> None:
    scene = Position.start("subtraction", board=[[1, 1, 1], [5, 0, 7], [9, 8, 4]]).scene()
    areas = scene.view.areas()
    off = {key for key, area in areas.items() if "off" in area.flags}
    assert off == {"row1", "column1"}
    assert "dead" in areas["cell1,1"].flags
    over = Position.start("subtraction", board=[[1, 1, 1], [5, 0, 7], [9, 8, 4]]).play("0,1").scene()
    assert over.status == "A line of zeros: Player 1 wins by 14"
    assert [seat.score for seat in over.view.seats] == ["cost -14", "cost 0"]
    good = {key for key, area in over.view.areas().items() if area.tone == "good"}
    assert good == {"cell0,0", "cell0,1", "cell0,2"}
    assert over.last == ("row0", "cell0,0", "cell0,1", "cell0,2")


def test_subtraction_shrinks_long_numbers() -> None:
    scene = Position.start("subtraction", low=1_000_000, high=1_000_000).scene()
    for text in scene.view.items:
        if isinstance(text, Text) and text.text == "1000000":
            assert 0.64 * 7 * text.size <= 1.4


def test_slant_circles_show_progress_the_closer_and_when_it_is_too_late() -> None:
    position = Position.start("slant", circles="101 / 020 / 001")
    assert _circle(position, "0,0").fill == 0
    assert _circle(position, "1,1").fill == 0
    position = position.play("0,1")
    assert position.scene().view.seats[0].score == "+1"
    assert _circle(position, "0,2").tone == "first"
    assert _circle(position, "1,1").fill == 0.5
    position = position.play("1,1")
    assert _circle(position, "1,1").tone == "second"
    assert _circle(position, "2,2").tone == "second"
    position = position.play("0,0")
    assert _circle(position, "0,0").tone == "muted"
    assert position.play("1,0").status == "Backslash wins by 2"


def _circle(position: Position, point: str) -> Mark:
    (mark,) = [item for item in position.scene().view.items if item.key == f"circle {point}"]
    assert isinstance(mark, Mark)
    return mark


def test_grid_makes_a_board_in_one_call() -> None:
    view = grid(["x.o", ".x.", "7.x"], win=[(0, 0), (1, 1), (2, 2)], winner=0)
    assert {"0,0", "2,2"} <= set(view.areas())
    assert [item.text for item in view.items if isinstance(item, Text) and item.role == "text"] == ["7"]
    (line,) = [item for item in view.items if isinstance(item, Line)]
    board = view.areas()["board"]
    assert isinstance(board, Area)
    assert all(0 < x < board.width and 0 < y < board.height for x, y in line.points)

"""Scenes of any game, also of one without a view; positions to hold in a notebook."""

from __future__ import annotations

import base64
import doctest
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ludus.errors import MoveError, OptionsError
from ludus.rules import follow, load_game
from ludus.view import notebook
from ludus.view.notebook import Position
from ludus.view.scene import Hint, Step, description, plain_status, scene_of, scene_of_line
from ludus.view.svg import svg_document
from ludus.view.terminal import board_lines, position_lines
from rules_files import heap

Write = Callable[[str, str], Path]


def test_a_game_without_a_view_shows_fields_and_moves(write: Write) -> None:
    game = load_game(write("heap.py", heap(heap=5)))
    scene = scene_of(game, game.start(), players=("ann", "bob"))
    assert scene.status == "First player to move"
    assert scene.legal_keys == {"0", "1", "2"}
    assert set(scene.paths) == {0, 1, 2}
    text = "\n".join(position_lines(scene))
    assert "heap: 5" in text
    assert "ann" in text
    ElementTree.fromstring(svg_document(scene, caption=True))
    over = follow(game, game.start(), ["2", "1"])
    scene = scene_of_line(game, over)
    assert scene.is_over
    assert scene.status == "Second player wins"
    assert "heap: 0" in "\n".join(board_lines(scene, ascii=True))


VIEW_THAT_FORGETS = """
from ludus.picture import grid

def view(s):
    return grid([["x", "", "o"]])
"""


def test_moves_that_a_view_forgets_get_buttons(write: Write) -> None:
    game = load_game(write("heap.py", heap(heap=5) + VIEW_THAT_FORGETS))
    scene = scene_of(game, game.start())
    areas = scene.view.areas()
    assert list(scene.paths.values()) == [("move 0",), ("move 1",), ("move 2",)]
    assert all(areas[key].role == "handle" for key in scene.legal_keys)
    assert all(area.y + area.height <= scene.view.size[1] for area in areas.values())
    ElementTree.fromstring(svg_document(scene))
    assert len(board_lines(scene)) >= 6


@pytest.mark.parametrize(
    ("mover", "result", "status"),
    [(0, None, "X to move"), (None, 0, "Draw"), (None, 1, "X wins"), (None, -5, "O wins by 5")],
)
def test_a_game_without_a_status_gets_one(mover: int | None, result: int | None, status: str) -> None:
    game = load_game("ultimate")
    view = game.view(game.start())
    assert view is not None
    assert plain_status(view.seats, mover, result) == status


def test_hints_are_best_first_and_one_an_area() -> None:
    position = Position.start("subtraction")
    hints = [Hint(0, 0.2), Hint(2, 0.9), Hint(3, 0.5), Hint(99, 1.0)]
    scene = position.scene(hints=hints)
    assert [(spot.key, spot.text, spot.is_best) for spot in scene.hints] == [
        ("row0", "−3 90%", True),
        ("row1", "−1 50%", False),
    ]


def test_the_best_line_is_numbered_in_the_tones_of_the_movers_and_ends_at_an_illegal_move() -> None:
    position = Position.start("ultimate")
    moves = [position.game.parse_move(text) for text in ("4,4", "3,3", "0,0", "8,8", "4,5")]
    scene = position.scene(best_line=moves)
    assert [(spot.key, spot.text, spot.tone) for spot in scene.best_line] == [
        ("4,4", "1", "first"),
        ("3,3", "2", "second"),
        ("0,0", "3", "first"),
    ]


def test_any_ply_of_a_line_can_be_seen() -> None:
    game = load_game("ultimate")
    line = follow(game, game.start(), ["4,4", "3,3", "0,0"])
    assert scene_of_line(game, line, ply=0).last == ()
    assert scene_of_line(game, line, ply=1).last == ("4,4",)
    scene = scene_of_line(game, line)
    assert (scene.last, scene.last_name, scene.last_seat) == (("0,0",), "0,0", 0)
    assert scene == scene_of(game, line.states[3], last=Step(line.states[2], line.moves[2]))
    assert description(scene) == "O to move in block 0. X: 0 blocks, O: 0 blocks. Last move 0,0."


def test_a_position_reads_like_the_game() -> None:
    start = Position.start("ultimate")
    position = start.play("4,4").play("(3, 3)")
    assert start.turn == 0
    assert len(start.legal) == 81
    assert position.legal == ("0,0", "0,1", "0,2", "1,0", "1,1", "1,2", "2,0", "2,1", "2,2")
    assert (position.turn, position.result, position.is_over) == (0, None, False)
    assert position.status == "X to move in block 0"
    assert repr(position) == "<ultimate: X to move in block 0>"
    assert "[O]" in str(position)
    assert position.__rich__().plain.split("\n")[0].strip() == "Ultimate Tic-Tac-Toe"
    with pytest.raises(MoveError, match="the cell is taken"):
        position.play("0,0", "0,0")
    with pytest.raises(OptionsError):
        Position.start("extreme", colour="red")


def test_a_finished_position_has_no_turn_and_no_moves() -> None:
    position = Position.start("slant", circles="101 / 020 / 001").play("0,1", "1,1", "0,0", "1,0")
    assert (position.turn, position.result, position.is_over, position.legal) == (None, -2, True, ())


def test_a_notebook_gets_both_themes_and_nothing_that_leaks() -> None:
    html = Position.start("extreme").play("0,0")._repr_html_()
    picture = ElementTree.fromstring(html.replace('">', '"/>', 1).replace('"></picture>', '"/></picture>'))
    addresses = [picture[0].get("srcset", ""), picture[1].get("src", "")]
    pages = []
    for address in addresses:
        kind, _, data = address.partition(";base64,")
        assert kind == "data:image/svg+xml"
        pages.append(base64.b64decode(data).decode())
        ElementTree.fromstring(pages[-1])
    assert pages[0] != pages[1]
    assert "<style" not in html
    assert picture[1].get("alt") == "Extreme Tic-Tac-Toe: O to move in block 0"


def test_the_example_in_the_documentation_holds() -> None:
    assert doctest.testmod(notebook).failed == 0


def test_views_are_cheap_to_import() -> None:
    program = (
        "import sys, ludus.view, ludus.view.scene, ludus.view.svg, ludus.view.terminal, ludus.view.notebook\n"
        "from ludus.view.notebook import Position\n"
        "str(Position.start('ultimate')), Position.start('slant').svg()\n"
        "print(sorted({'numba', 'numpy', 'rich'} & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"

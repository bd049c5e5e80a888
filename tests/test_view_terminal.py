"""Boards in a terminal: within their size, and readable without colours and in ASCII."""

from __future__ import annotations

import io
import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from ludus.picture import Area, Item, Line, Mark, Text, View
from ludus.rules import game_names, load_game
from ludus.view.canvas import _JOINTS, Canvas, Pencil, cut, printable, text_width
from ludus.view.notebook import Position
from ludus.view.scene import Hint, Scene, Step, scene_of
from ludus.view.svg import svg_document
from ludus.view.terminal import board_lines, board_text, position_lines, position_text
from ludus.view.tracks import Span, lay_out
from rules_files import heap
from test_view_svg import hostile_scene
from view_positions import OPTIONS, before_a_diamond, random_position, random_scene

LIMITS = {"extreme": (100, 40)}


@settings(max_examples=40, deadline=None)
@given(name=st.sampled_from(game_names()), seed=st.integers(0, 9999), plies=st.integers(0, 250))
def test_boards_fit_and_every_way_to_show_them_agrees(name: str, seed: int, plies: int) -> None:
    game = load_game(name)
    options = OPTIONS.get(name, [{}])[seed % len(OPTIONS.get(name, [{}]))]
    state, last = random_position(game, seed, plies, **options)
    scene = scene_of(game, state, last=last, players=("a" * 60, "漢字" * 30))
    columns, rows = LIMITS.get(name, (80, 40))
    lines = position_lines(scene)
    assert max(map(text_width, lines)) <= columns
    assert len(lines) <= rows
    plain = position_lines(scene, ascii=True)
    assert len(plain) == len(lines)
    assert all(line.isascii() and line.isprintable() for line in plain)
    for theme in ("light", "dark"):
        shown = position_text(scene, theme)
        assert [line.rstrip() for line in shown.plain.split("\n")] == lines
    assert lines[-len(board_lines(scene)) :] == board_lines(scene)


def test_plain_text_tells_marks_target_and_last_move() -> None:
    scene = Position.start("ultimate").play("4,4", "5,3").scene()
    for ascii, side in ((False, "┃"), (True, "#")):
        board = board_lines(scene, ascii=ascii)
        rows = {line.split()[0]: line for line in board if line.strip()[:1].isdigit()}
        assert "[O]" in rows["5"]
        assert "X" in rows["4"]
        assert sum(line.count("[") for line in board) == 1
        # Block 6 is framed: rows 6 to 8 begin with the heavy side, the others do not.
        assert [name for name, line in rows.items() if line.lstrip(" 0123456789")[0] == side] == [
            "6",
            "7",
            "8",
        ]
        assert any(line.strip().startswith(("┢", "#")) for line in board)
        dots = "." if ascii else "·"
        assert sum(line.count(dots) for line in board) == len(scene.paths) == 9


def test_won_blocks_and_the_winning_pattern_stand_out_without_colour() -> None:
    game = load_game("extreme")
    state, move = before_a_diamond()
    scene = scene_of(game, game.play(state, move), last=Step(state, move))
    text = "\n".join(board_lines(scene))
    assert "█" in text or "▀" in text
    assert "┲━" in text  # block 1 stands at the upper rim
    assert "[X]" in text
    ascii_text = "\n".join(board_lines(scene, ascii=True))
    assert "XXX" in ascii_text
    assert "OOO" in ascii_text
    assert "#=" in ascii_text


def test_circles_tell_their_state_without_colour() -> None:
    position = Position.start("slant", circles="101 / 020 / 001")
    assert "(2)" in "\n".join(board_lines(position.scene()))
    after = "\n".join(board_lines(position.play("0,1").scene()))
    assert "1/2" in after
    assert "1✓" in after
    done = "\n".join(board_lines(position.play("0,1", "1,1", "0,0").scene(), ascii=True))
    assert "2*" in done
    assert "1x" in done
    assert "[/]" in done


def test_subtraction_tells_its_handles_and_the_good_line() -> None:
    position = Position.start("subtraction", board=[[1, 1, 1], [5, 0, 7], [9, 8, 4]])
    text = "\n".join(board_lines(position.scene()))
    assert (text.count("▸"), text.count("▾"), text.count("×")) == (2, 2, 2)
    over = "\n".join(board_lines(position.play("0,1").scene()))
    assert "┏━" in over
    assert "[   0   ]" not in over
    assert re.search(r"\[ +0 +\]", over)


def test_hints_show_their_chance_and_their_choice() -> None:
    position = Position.start("ultimate").play("4,4")
    legal = position.game.legal(position.state)
    scene = position.scene(hints=[Hint(legal[0], 0.42), Hint(legal[1], 1.0)], best_line=legal[2:3])
    text = "\n".join(board_lines(scene))
    assert "42%" in text
    assert "100" in text
    start = Position.start("subtraction")
    assert "−2 63%" in "\n".join(board_lines(start.scene(hints=[Hint(1, 0.63)])))


def test_no_control_character_reaches_the_terminal() -> None:
    scene = hostile_scene()
    for shown in (position_text(scene).plain, board_text(scene, "light").plain, *position_lines(scene)):
        assert "\x1b" not in shown
        assert all(c == "\n" or unicodedata.category(c)[0] != "C" for c in shown)


def test_colours_are_painted_and_can_be_switched_off() -> None:
    text = board_text(random_scene("ultimate", 2, 20))
    for no_color in (False, True):
        out = io.StringIO()
        console = Console(file=out, force_terminal=True, color_system="truecolor", no_color=no_color, width=80)
        console.print(text)
        assert ("48;2;" in out.getvalue()) is not no_color


def test_box_lines_join_as_unicode_names_them() -> None:
    for index, letter in enumerate(_JOINTS[1:], 1):
        weights = dict(zip(("UP", "RIGHT", "DOWN", "LEFT"), _digits(index), strict=True))
        assert weights == _weights_in(unicodedata.name(letter)), letter


def _digits(index: int) -> tuple[int, int, int, int]:
    return index // 27, index // 9 % 3, index // 3 % 3, index % 3


def _weights_in(name: str) -> dict[str, int]:
    """ "BOX DRAWINGS DOWN HEAVY AND RIGHT LIGHT" -> weights of the four arms."""
    arms = {"VERTICAL": ("UP", "DOWN"), "HORIZONTAL": ("LEFT", "RIGHT")}
    found = dict.fromkeys(("UP", "RIGHT", "DOWN", "LEFT"), 0)
    words = name.removeprefix("BOX DRAWINGS ").replace(" AND ", " ").split()
    comes_first = words[0] in ("LIGHT", "HEAVY")
    waiting: list[str] = []
    weight = 0
    for word in words:
        if word in ("LIGHT", "HEAVY"):
            weight = 1 if word == "LIGHT" else 2
            for arm in waiting:
                found[arm] = weight
            waiting = []
        elif comes_first:
            for arm in arms.get(word, (word,)):
                found[arm] = weight
        else:
            waiting += arms.get(word, (word,))
    return found


@pytest.mark.parametrize(("text", "columns"), [("漢字漢字", 5), ("e\u0301" * 9, 4), ("abc", 3), ("abcd", 3)])
def test_cut_counts_columns(text: str, columns: int) -> None:
    assert text_width(cut(printable(text), columns)) <= columns


def test_wide_letters_keep_the_columns_straight() -> None:
    canvas = Canvas(6, 1, "")
    canvas.write(0, 0, "漢a", Pencil())
    canvas.write(5, 0, "漢", Pencil())  # does not fit any more
    assert canvas.rows() == ["漢a"]
    assert canvas.rows(ascii=True) == ["? a"]


def test_tracks_come_from_the_cells_however_they_are_spaced() -> None:
    cells = [Span(0.1, 0.9, 3), Span(1.1, 1.9, 3), Span(3.4, 4.2, 3), Span(0.0, 4.3, 9)]
    axis = lay_out(cells, framed=[], has_marks_between=False, before=2)
    assert axis.starts == (2, 5, 9)
    assert axis.characters(0.0, 4.3) == (2, 12)
    assert [axis.at(x) for x in (0.5, 1.5, 3.8)] == [3, 6, 10]
    offset = lay_out([Span(0, 1, 3), Span(0.5, 1.5, 3), Span(1, 2, 3)], framed=[], has_marks_between=False, before=0)
    assert len(offset.tracks) == 3


@pytest.mark.parametrize(
    "items",
    [
        (),
        (Area("board", 0, 0, 4, 4, role="board"),),
        (Text("t", "only words", (2, 2)),),
        (Area("a", 0, 0), Line("win", ((0.5, 0.5),), "win", "first")),
        (Area("a", 0, 0), Mark("m", "disc", (1, 1), text="∞"), Text("far", "away", (9, 9))),
        tuple(Area(f"{r},{c}", c + r % 2 / 2, r) for r in range(4) for c in range(4)),
    ],
)
def test_odd_views_are_shown_all_the_same(items: tuple[Item, ...]) -> None:
    scene = Scene("Odd", View((4, 4), items), "", None, ("", ""), {}, {})
    assert position_lines(scene)[0] == " Odd"
    assert svg_document(scene, caption=True).startswith("<svg ")


def test_a_button_below_the_board_leaves_the_row_numbers_where_they_are(write):
    source = heap() + "\n\ndef view(s):\n    from ludus.picture import grid\n"
    source += "    return grid(['..', '..'], paths={0: ('0,0',), 1: ('0,1',), 2: ()})\n"
    game = load_game(write("mygame.py", source))
    lines = position_lines(scene_of(game, game.start()))
    assert any(line.startswith(" 0 │") for line in lines)
    assert any(line.strip() == "2" for line in lines)

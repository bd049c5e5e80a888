"""SVG documents: well-formed, resolved, safe, readable."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.picture import Area, Mark, Seat, Text, View
from ludus.rules import game_names, load_game
from ludus.view.scene import Hint, Scene, scene_of
from ludus.view.svg import LAYERS, fragments, svg_document
from ludus.view.theme import DARK, LIGHT, STYLES, Palette, Theme, contrast, style_sheet
from view_positions import OPTIONS, random_position, random_scene

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<script>alert(1)</script>&\"'\x00\x1b[31m\ud800]]>"
COLOUR = re.compile(r"none|transparent|#[0-9a-f]{6}")


def checked(document: str) -> ElementTree.Element:
    """The parsed document, after all that must hold of every one of ours."""
    root = ElementTree.fromstring(document)  # our own text, never a stranger's
    for word in ("var(", "nan", "inf", "None", "$", "<script", "<style", " id=", "class="):
        assert word not in document, word
    for element in root.iter():
        for name in ("fill", "stroke"):
            assert COLOUR.fullmatch(element.get(name, "none")), element.attrib
    assert root[0].tag == f"{SVG}title"
    assert root[1].tag == f"{SVG}desc"
    return root


@settings(max_examples=40, deadline=None)
@given(
    name=st.sampled_from(game_names()),
    seed=st.integers(0, 9999),
    plies=st.integers(0, 250),
    theme=st.sampled_from(["light", "dark"]),
    caption=st.booleans(),
)
def test_documents_are_resolved_and_deterministic(
    name: str, seed: int, plies: int, theme: Theme, caption: bool
) -> None:
    game = load_game(name)
    options = OPTIONS.get(name, [{}])[seed % len(OPTIONS.get(name, [{}]))]
    state, last = random_position(game, seed, plies, **options)
    legal = game.legal(state)
    hints = [Hint(move, 0.5 + index / 100) for index, move in enumerate(legal[:4])]
    scene = scene_of(game, state, last=last, hints=hints, best_line=legal[-2:])
    document = svg_document(scene, theme, 640, caption=caption)
    root = checked(document)
    assert root.get("width") == "640"
    assert document == svg_document(scene, theme, 640, caption=caption)


def hostile_scene() -> Scene:
    items = (
        Area("board", 0, 0, 3, 3, role="board", label=HOSTILE),
        Area(HOSTILE, 0.5, 0.5, label=HOSTILE),
        Mark("a", HOSTILE, (1, 1)),
        Mark("b", "disc", (2, 2), text=HOSTILE),
        Text("c", HOSTILE, (1, 2)),
    )
    view = View((3, 3), items, (Seat(HOSTILE, HOSTILE, HOSTILE), Seat(HOSTILE)))
    return Scene(HOSTILE, view, HOSTILE, 0, (HOSTILE, HOSTILE), {0: (HOSTILE,)}, {0: HOSTILE}, (HOSTILE,), HOSTILE)


def test_hostile_text_stays_text() -> None:
    scene = hostile_scene()
    root = checked(svg_document(scene, caption=True))
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert tags <= {"svg", "title", "desc", "g", "rect", "circle", "path", "text", "tspan"}
    assert "<script>alert(1)</script>" in "".join(root.itertext())
    for layer in fragments(scene).values():
        for drawn in layer.values():
            ElementTree.fromstring(drawn)


def test_text_follows_the_palette_with_enough_contrast() -> None:
    grounds = {
        "ink": ("board", "page", "tile", "cell", "last", "dead"),
        "dim": ("board", "page", "tile", "cell", "dead"),
        "on": ("first_deep", "second_deep", "good_deep"),
        "first_deep": ("board", "page", "first_wash", "cell", "tile"),
        "second_deep": ("board", "page", "second_wash", "cell", "tile"),
        "good_deep": ("board", "good_wash", "last"),
        "bad_deep": ("board", "bad_wash"),
    }
    for palette in (LIGHT, DARK):
        for ink, under in grounds.items():
            for ground in under:
                assert contrast(palette[ink], palette[ground]) >= 4.5, (palette.page, ink, ground)
        for tone in ("first", "second"):  # large strokes, not text
            assert contrast(palette[tone], palette.board) >= 3
            assert contrast(palette[tone], palette[f"{tone}_wash"]) >= 2.6


def test_fragments_without_a_palette_speak_in_classes_of_the_style_sheet() -> None:
    scene = random_scene("ultimate", 4, 30)
    layers = fragments(scene)
    assert tuple(layers) == LAYERS
    assert scene.legal_keys <= {key.removeprefix("hit ") for key in layers["hit"]}
    known = {name for names, _ in STYLES for name in names.split()}
    sheet = style_sheet()
    for layer in layers.values():
        for drawn in layer.values():
            for element in ElementTree.fromstring(drawn).iter():
                assert element.get("fill") is None
                names = set(element.get("class", "").split())
                assert not names or names & known, names
    assert sheet.count("light-dark(") == len(Palette.__slots__)


def test_one_move_changes_few_fragments() -> None:
    game = load_game("extreme")
    state, last = random_position(game, 1, 40)
    after, step = random_position(game, 1, 41)
    one, two = fragments(scene_of(game, state, last=last)), fragments(scene_of(game, after, last=step))
    changed = [
        key
        for layer in LAYERS
        for key in one[layer].keys() | two[layer].keys()
        if one[layer].get(key) != two[layer].get(key)
    ]
    assert 0 < len(changed) <= 12


@pytest.mark.parametrize("width", [160, 640, 2000])
def test_long_names_are_cut_and_the_height_follows_the_caption(width: int) -> None:
    scene = replace(random_scene("slant", 1, 3), players=("n" * 500, "m" * 500))
    plain, full = (checked(svg_document(scene, width=width, caption=on)) for on in (False, True))
    assert int(full.get("height", 0)) == int(plain.get("height", 0)) + 100
    assert max(len(text.text or "") for text in full.iter(f"{SVG}text")) < 200

"""How every page looks and reads, in a real browser: both themes by axe-core, phones, motion, names of cells."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest
from looks import is_dark, require_accessible, require_good_looks, require_narrow
from material import fill
from playwright.sync_api import Browser, Page, expect
from serving import Served
from tables import MAY, area, begin
from visiting import PHONE, Visits, keep_screen

from ludus.rules import game_names
from rules_files import HEAP

RULES = HEAP.format(imports="", heap=9, most=3)


class Sight(NamedTuple):
    """A page, and what is on it once it is all there."""

    path: str
    ready: str


SIGHTS = {
    "home": Sight("/", "#preview [data-area]"),
    "watch": Sight("/watch", "#bring"),
    "games-of-a-file": Sight("/replay/?file=games.jsonl", ".games a"),
    "replay": Sight("/replay/game?file=games.jsonl&record=1#ply=17", "#moves .now"),
    "analysis": Sight("/analyse#game=ultimate&start=&moves=4,4;3,3", MAY),
    "tournaments": Sight("/tournaments", "main .card"),
    "tournament": Sight("/tournaments/cup/", "[data-section=standings] tr"),
    "games": Sight("/tournaments/cup/games.html", "main .card"),
    "team": Sight("/tournaments/cup/teams/1.html", "main .card"),
    "nothing": Sight("/nothing", ".message"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("served")
    fill(place)
    return place


@pytest.mark.parametrize("name", SIGHTS)
def test_pages_are_accessible_in_both_themes_and_fit_a_phone(
    name: str, visits: Visits, visit: Callable[..., Page]
) -> None:
    if name == "nothing":
        visits.expected = re.compile("404")
    page = visit(SIGHTS[name].path)
    expect(page.locator(SIGHTS[name].ready).first).to_be_visible()
    require_good_looks(page, name)


def test_a_table_is_accessible_in_both_themes_and_fits_a_phone(visit: Callable[..., Page]) -> None:
    page = visit()
    begin(page, "ultimate", against="random", moves="4,4 3,3 0,0 1,1 4,5 4,8 4,7 3,4")
    expect(page.locator(MAY)).not_to_have_count(0)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#advice .line")).not_to_have_count(0)
    page.get_by_role("button", name="Bar").click()
    expect(page.locator("#graph")).to_be_visible()
    require_good_looks(page, "play")
    page.get_by_role("button", name="Links").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    require_accessible(page)


@pytest.mark.parametrize("name", game_names())
def test_every_cell_has_a_name_of_its_own(name: str, visit: Callable[..., Page]) -> None:
    page = visit(viewport=PHONE)
    begin(page, name)
    expect(page.locator(MAY)).not_to_have_count(0)
    cells = page.locator("#board [data-area]")
    names = cells.evaluate_all("cells => cells.map(cell => cell.getAttribute('aria-label'))")
    assert all(names) and len(set(names)) == len(names)
    for label in (names[0], names[-1]):
        expect(page.get_by_role("button", name=label, exact=True)).to_have_count(1)
    require_narrow(page)
    keep_screen(page, f"play-{name}-phone")


def test_the_switch_of_the_theme_is_remembered(visit: Callable[..., Page]) -> None:
    page = visit(color_scheme="light")
    page.get_by_role("button", name="switch between light and dark").click()
    assert is_dark(page)
    page.goto("/tournaments")
    assert is_dark(page)
    page.get_by_role("button", name="switch between light and dark").click()
    assert not is_dark(page)


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_nothing_moves_for_whoever_wants_no_motion(motion: str, visit: Callable[..., Page]) -> None:
    page = visit(reduced_motion=motion)
    begin(page, "ultimate")
    area(page, "4,4").click()
    expect(page.locator("#board [data-layer=marks] .new")).not_to_have_count(0)
    moving = page.locator("#board .new").first.evaluate("mark => getComputedStyle(mark).animationName")
    assert (moving == "none") == (motion == "reduce")
    if motion == "reduce":
        assert page.evaluate("document.getAnimations().length") == 0


# ---- a game while it is written


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("rules") / "heap.py"
    file.write_text(RULES)
    return file


@pytest.fixture(scope="module")
def previewed(browser: Browser, rules: Path) -> Iterator[Served]:
    with closing(Served("preview", rules)) as server:
        yield server


def test_a_preview_follows_the_file_and_keeps_the_last_good_board(
    visits: Visits, previewed: Served, rules: Path
) -> None:
    visits.servers.append(previewed)
    page = visits.open(f"{previewed.address}/preview")
    cells = page.locator("#board [data-area]")
    expect(page.locator("#state")).to_have_class(re.compile("good"))
    page.get_by_role("button", name="Random move").click()
    expect(page.locator("#moves li")).to_have_count(1)
    require_good_looks(page, "preview")
    rules.write_text(RULES.replace("def turn", "def tirn"))
    expect(page.locator("#complaint")).to_contain_text("turn")
    expect(cells).not_to_have_count(0)
    require_accessible(page)
    rules.write_text(RULES)
    expect(page.locator("#complaint")).to_be_hidden()
    expect(page.locator("#moves li")).to_have_count(1)

"""Pages with an engine behind them, in a real browser: hints, replays ply by ply, and the analysis board."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from material import PLIES, fill
from playwright.sync_api import Page, expect
from tables import MAY, area, begin, wait_for_table
from visiting import PHONE

from ludus.records import parse_record, record_game
from ludus.rules import game_names, load_game, random_line
from ludus.view.scene import scene_of


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("served")
    fill(place)
    return place


def test_a_hint_shows_chances_in_the_cells_and_the_best_line(visit: Callable[..., Page]) -> None:
    page = visit()
    begin(page, "ultimate", against="random", moves="4,4 3,3")
    expect(page.locator("#hint")).to_be_enabled()
    page.get_by_role("button", name="Hint").click()
    lines = page.locator("#advice .line")
    expect(lines).not_to_have_count(0)
    expect(lines.first).to_contain_text("%")
    expect(page.locator("#hint")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#board [data-layer=over] .hint")).to_have_count(3)
    expect(page.locator("#board [data-key^='line ']")).not_to_have_count(0)
    page.get_by_role("button", name="Bar").click()
    expect(page.locator("#evaluation")).to_be_visible()
    expect(page.locator("#evaluation")).to_have_attribute("aria-label", re.compile(r"chance of .* percent"))
    expect(page.locator("#graph")).to_be_visible()
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#advice")).to_be_hidden()
    expect(page.locator("#board [data-layer=over] .hint")).to_have_count(0)


def test_a_link_leads_to_a_ply_and_keys_go_on_from_there(visit: Callable[..., Page], folder: Path) -> None:
    moves = parse_record((folder / "games.jsonl").read_text().splitlines()[0]).moves
    page = visit("/watch")
    page.get_by_role("link", name="games.jsonl").click()
    page.get_by_role("link", name=re.compile("Ada")).click()
    slider = page.get_by_role("slider")
    expect(slider).to_have_value(str(PLIES))
    address = page.url.partition("#")[0]
    page = visit(f"{address}#ply=17")
    slider = page.get_by_role("slider")
    expect(slider).to_have_value("17")
    expect(page.locator("#moves .now")).to_contain_text(moves[16])
    board = "document.getElementById('board').innerHTML"
    there = page.evaluate(board)
    for key, ply in (("ArrowRight", 18), ("Home", 0), ("ArrowLeft", 0), ("End", PLIES), ("ArrowLeft", PLIES - 1)):
        page.keyboard.press(key)
        expect(slider).to_have_value(str(ply))
    slider.fill("17")
    expect(page).to_have_url(re.compile("#ply=17$"))
    page.wait_for_function(f"there => {board} === there", arg=there)
    page.get_by_role("button", name="Take over").click()
    wait_for_table(page)
    expect(page.locator("#log")).to_contain_text(moves[16])
    expect(page.locator("#log")).not_to_contain_text(f"{moves[18]} {moves[19]}")


def test_an_engine_looks_at_a_whole_replay(visit: Callable[..., Page]) -> None:
    page = visit("/replay/game?file=games.jsonl&record=2#ply=3")
    expect(page.locator("#worst li")).not_to_have_count(0)
    expect(page.locator("#values polyline")).not_to_have_count(0)
    expect(page.locator("#evaluation")).not_to_have_class(re.compile("unknown"))
    first = page.locator("#worst a").first
    first.click()
    expect(page).to_have_url(re.compile(f"{first.get_attribute('href')}$"))
    page.get_by_role("link", name="Analyse this position").click()
    page.wait_for_url("**/analyse#*")
    expect(page.locator("#log .move")).not_to_have_count(0)


def test_the_analysis_board_stops_and_goes(visit: Callable[..., Page]) -> None:
    page = visit("/analyse#game=slant&start=m%3D4%0Aseed%3D3&moves=")
    expect(page.locator(MAY)).not_to_have_count(0)
    engine, lines = page.locator("#engine"), page.locator("#lines li")
    engine.click()
    expect(engine).to_have_attribute("aria-pressed", "true")
    expect(lines).to_have_count(3)
    engine.click()
    expect(engine).to_have_text("Start the engine")
    expect(page.locator("#state")).not_to_have_class(re.compile("busy"))
    page.keyboard.press("e")
    expect(engine).to_have_attribute("aria-pressed", "true")
    page.locator("#lines button").first.click()
    expect(page.locator("#log .move.last")).to_have_count(1)
    expect(lines).to_have_count(3)
    engine.click()
    expect(engine).to_have_attribute("aria-pressed", "false")
    there = page.url
    page.reload()
    expect(page.locator("#log .move.last")).to_have_count(1)
    assert page.url == there


def test_a_move_on_a_phone_leaves_the_board_where_it_is(visit: Callable[..., Page]) -> None:
    page = visit("/analyse#game=ultimate&start=&moves=4,4;3,3", viewport=PHONE)
    area(page, "0,0").click()
    expect(page.locator("#log .move.last")).to_contain_text("0,0")
    assert page.evaluate("window.scrollY") == 0


def test_any_position_can_be_set_and_a_wrong_one_is_refused(visit: Callable[..., Page]) -> None:
    page = visit("/analyse")
    expect(page.locator(MAY)).not_to_have_count(0)
    page.get_by_label("game", exact=True).select_option("ultimate")
    expect(page.locator(MAY)).to_have_count(81)
    page.get_by_label("Moves from there").fill("4,4 3,3")
    page.get_by_role("button", name="Set", exact=True).click()
    expect(page.locator(MAY)).to_have_count(9)
    page.get_by_label("Moves from there").fill("4,4 4,4")
    page.get_by_role("button", name="Set", exact=True).click()
    expect(page.locator("#complaint")).to_contain_text("4,4")
    expect(page.locator(MAY)).to_have_count(9)
    area(page, "8,8").click(force=True)
    expect(page.locator("#message")).to_contain_text("block 0")


@pytest.mark.parametrize("name", game_names())
def test_the_form_sets_states_records_and_moves_of_every_game(name: str, visit: Callable[..., Page]) -> None:
    game = load_game(name)
    line = random_line(game, game.start(), Random(6), longest=12)
    record = record_game(game, line.start, {"seed": 0} if "seed" in game.options else {}, list(line.moves))
    page = visit("/analyse", **({"viewport": PHONE} if name == "extreme" else {}))
    expect(page.locator(MAY)).not_to_have_count(0)
    page.get_by_label("game", exact=True).select_option(name)
    page.wait_for_url(re.compile(f"game={name}&"))
    page.get_by_role("link", name="Set up").click()
    for start, moves, plies, state in (
        (record.to_json(), "", 12, line.states[-1]),
        (json.dumps(line.states[5]._asdict()), "", 0, line.states[5]),
        (json.dumps({"state": list(line.states[5])}), game.move_name(line.moves[5]), 1, line.states[6]),
    ):
        fields = json.dumps(state._asdict())
        page.get_by_label("Start, typed or pasted").fill(start)
        page.get_by_label("Moves from there").fill(moves)
        page.get_by_role("button", name="Set", exact=True).click()
        expect(page.locator("#state-json")).to_have_value(fields)
        expect(page.locator("#log button")).to_have_count(plies)
        expect(page.locator(MAY)).to_have_count(len(scene_of(game, state).legal_keys))
        expect(page.locator("#complaint")).to_be_empty()
        expect(page.locator("#board")).to_be_in_viewport(ratio=0.95)
    page.get_by_label("Start, typed or pasted").fill('{"state": [1]}')
    page.get_by_role("button", name="Set", exact=True).click()
    expect(page.locator("#complaint")).to_contain_text("has the fields")
    expect(page.locator("#message")).to_be_empty()

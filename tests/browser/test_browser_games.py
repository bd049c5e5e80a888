"""Whole games of all five in a real browser: by clicks, and by keys alone; the record of each is played again."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import Page, expect
from tables import area, begin, click_a_move, is_over, log_of, press_a_move, record_of, tab_to

from ludus.records import replay
from ludus.rules import game_names, load_game, random_line

OPTIONS = {"slant": {"m": "4", "seed": "7"}, "subtraction": {"low": "4", "high": "9", "seed": "7"}}
LEFT_TO_CLICK = {"extreme": 25}  # of a game whose moves before are typed
LEFT_TO_PRESS = {"extreme": 15, "ultimate": 15, "ultimate-adjacent": 15}


def play_whole(
    page: Page, name: str, make_a_move: Callable[[Page, Random], None], *, left: int | None, dice: Random
) -> None:
    """Play on to the end, and hold the record against the rules."""
    game = load_game(name)
    typed = [] if left is None else list(random_line(game, game.start(), dice).moves[:-left])
    begin(page, name, moves=" ".join(map(game.move_name, typed)), **OPTIONS.get(name, {}))
    expect(page.locator("#board .may").first).to_be_visible()
    if make_a_move is press_a_move:
        page.keyboard.press("b")
    made = 0
    while not is_over(page):
        make_a_move(page, dice)
        made += 1
    expect(page.locator("#status")).not_to_contain_text("to move")
    expect(page.locator("#resign")).to_be_disabled()
    record = record_of(page)
    played = replay(record)
    assert record.game == name and game.result(played.states[-1]) is not None
    assert list(played.moves[: len(typed)]) == typed and len(played.moves) == len(typed) + made


@pytest.mark.parametrize("name", game_names())
def test_a_whole_game_by_clicks(name: str, visit: Callable[..., Page]) -> None:
    play_whole(visit(), name, click_a_move, left=LEFT_TO_CLICK.get(name), dice=Random(1))


@pytest.mark.parametrize("name", game_names())
def test_a_whole_game_by_keys(name: str, visit: Callable[..., Page]) -> None:
    play_whole(visit(), name, press_a_move, left=LEFT_TO_PRESS.get(name), dice=Random(2))


def test_from_the_form_to_a_move_no_mouse_is_needed(visit: Callable[..., Page]) -> None:
    page = visit()
    tab_to(page, "#game")
    page.keyboard.type("Ultimate Tic")
    tab_to(page, "#opponent")
    page.keyboard.type("somebody beside")
    tab_to(page, "button[type=submit]")
    page.keyboard.press("Enter")
    page.wait_for_url("**/play/*")
    expect(area(page, "0,0")).to_have_class("may")
    tab_to(page, "#board [data-area]")
    for key in ("ArrowRight", "ArrowDown", "ArrowRight", "ArrowDown", "ArrowLeft"):
        page.keyboard.press(key)
    expect(area(page, "2,1")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#log")).to_contain_text("2,1")
    expect(area(page, "2,1")).to_be_focused()  # where the next one finds the keyboard
    page.keyboard.press("u")
    expect(page.locator("#log")).to_be_empty()
    tab_to(page, "#typed input")
    page.keyboard.type("4,4\n")
    expect(page.locator("#log")).to_contain_text("4,4")


def test_keys_choose_among_several_moves_of_a_place(visit: Callable[..., Page]) -> None:
    page = visit()
    begin(page, "subtraction")
    expect(page.locator("#board .may").first).to_be_visible()
    page.keyboard.press("b")
    page.keyboard.press("Enter")
    expect(page.get_by_role("menu")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("menu")).to_have_count(0)
    assert log_of(page) == "" and page.evaluate("document.activeElement.closest('#board') !== null")
    page.keyboard.press("Enter")
    page.keyboard.press("2")
    expect(page.locator("#log .move")).not_to_have_count(0)

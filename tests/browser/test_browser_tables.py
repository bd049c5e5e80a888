"""What happens at a table besides moves, in a real browser: refusals, taking back, hints, reloads, and company."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from looks import require_accessible
from playwright.sync_api import Page, expect
from tables import MAY, area, begin, click_a_move, legal_areas, log_of
from visiting import PHONE

BOARD = "document.querySelector('#board svg').outerHTML"


def test_an_illegal_click_says_why(visit: Callable[..., Page]) -> None:
    page = visit()
    begin(page, "ultimate", moves="4,4 3,3")
    expect(area(page, "0,0")).to_have_class("may")
    before = page.evaluate(BOARD)
    for place, sentence in (("4,4", "taken"), ("8,8", "block 0")):
        area(page, place).click(force=True)  # it is disabled for whoever cannot see it
        expect(page.locator("#message")).to_contain_text(sentence)
        expect(page.locator("#message")).to_have_class(re.compile("bad"))
    area(page, "4,4").press("Enter")  # and so do keys
    expect(page.locator("#message")).to_contain_text("taken")
    assert page.evaluate(BOARD).count("may") == before.count("may")
    page.get_by_placeholder("type a move").fill("9,9")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#message")).to_contain_text("9,9")
    area(page, "0,0").click()
    expect(page.locator("#message")).to_be_empty()


def test_why_not_is_seen_on_a_phone_too(visit: Callable[..., Page]) -> None:
    page = visit(viewport=PHONE)
    begin(page, "ultimate", moves="4,4 3,3")
    expect(area(page, "0,0")).to_have_class("may")
    area(page, "4,4").click(force=True)
    expect(page.locator("#message")).to_contain_text("taken")
    expect(page.locator("#message")).to_be_in_viewport()
    require_accessible(page)
    area(page, "0,0").click()
    expect(page.locator("#message")).to_be_empty()


def test_undo_takes_back_the_answer_too(visit: Callable[..., Page]) -> None:
    page = visit()
    begin(page, "ultimate", against="random")
    area(page, "4,4").click()
    moves = page.locator("#log .move:not(:empty)")
    expect(moves).to_have_count(2)
    expect(page.locator(MAY)).not_to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(moves).to_have_count(0)
    expect(page.locator(MAY)).to_have_count(81)
    expect(page.locator("#undo")).to_be_disabled()
    expect(area(page, "4,4")).to_have_attribute("aria-label", re.compile("empty$"))


def test_a_reload_loses_nothing(visit: Callable[..., Page]) -> None:
    page, dice = visit(), Random(3)
    begin(page, "ultimate-adjacent", name="Ada")
    for _ in range(5):
        click_a_move(page, dice)
    seen = log_of(page), legal_areas(page), page.locator("#status").inner_text()
    page.reload()
    expect(page.locator("#status")).to_have_text(seen[2])
    assert (log_of(page), legal_areas(page)) == seen[:2]
    expect(page.locator("#seat0 .who")).to_have_text("Ada")
    click_a_move(page, dice)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#log")).to_have_text(seen[0])


def test_resigning_asks_first(visit: Callable[..., Page]) -> None:
    page = visit()
    begin(page, "slant", m="4", name="Ada")
    expect(page.locator(MAY)).not_to_have_count(0)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="No").click()
    expect(page.locator(MAY)).not_to_have_count(0)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes").click()
    expect(page.locator(MAY)).to_have_count(0)
    expect(page.locator("#status")).to_contain_text("resign")


def link_of(page: Page, name: str) -> str:
    page.get_by_role("button", name="Links").click()
    found = page.get_by_label(name).input_value()
    page.get_by_role("button", name="Close").click()
    return found


def test_two_browsers_play_each_other_through_the_link(visit: Callable[..., Page]) -> None:
    one = visit()
    begin(one, "slant", against="link", m="4", seed="9")
    expect(one.locator(MAY)).not_to_have_count(0)
    other, watcher = visit(link_of(one, "To play")), visit(link_of(one, "To watch"))
    expect(other.locator("#status")).to_have_text(one.locator("#status").inner_text())
    assert not legal_areas(other) and not legal_areas(watcher)
    other.locator("#board [data-area]").first.click(force=True)
    expect(other.locator("#message")).to_contain_text("It is the turn of")
    expect(watcher.locator("#controls")).to_be_hidden()
    _ask_to_take_back(one, other)
    dice, pages = Random(4), (one, other)
    while mover := next((page for page in pages if legal_areas(page)), None):
        click_a_move(mover, dice)
        for page in (one, other, watcher):
            expect(page.locator("#status")).to_have_text(mover.locator("#status").inner_text())
            expect(page.locator("#log")).to_have_text(log_of(mover))
    expect(watcher.locator("#status")).not_to_contain_text("to move")


def _ask_to_take_back(one: Page, other: Page) -> None:
    """Who is elsewhere has a say in it."""
    click_a_move(one, Random(1))
    expect(other.locator(MAY)).not_to_have_count(0)
    one.get_by_role("button", name="Undo").click()
    other.get_by_role("button", name="No").click()
    expect(one.locator("#message")).to_be_empty()
    expect(one.locator("#log .last")).to_have_count(1)
    one.get_by_role("button", name="Undo").click()
    other.get_by_role("button", name="Yes").click()
    expect(one.locator("#log")).to_be_empty()
    expect(one.locator(MAY)).not_to_have_count(0)


def test_names_are_text_and_never_markup(visit: Callable[..., Page]) -> None:
    page, name = visit(), "<img src=x onerror=alert(1)>"
    begin(page, "ultimate", name=name)
    expect(page.locator("#seat0 .who")).to_have_text(name)
    page.goto("/")
    expect(page.get_by_role("link", name=name)).not_to_have_count(0)
    assert page.locator("img").count() == 0


def test_whoever_looks_back_takes_nothing_back(visit: Callable[..., Page]) -> None:
    page, moves = visit(), ["4,4", "3,3", "0,0", "1,1"]
    begin(page, "ultimate", moves=" ".join(moves))
    taken = page.locator("#board [data-area]:not([aria-label$=empty])")
    expect(page.locator(MAY)).not_to_have_count(0)
    legal = legal_areas(page)
    for key, ply in ((",", 3), ("ArrowLeft", 2), ("Home", 0), (".", 1)):
        page.keyboard.press(key)
        expect(taken).to_have_count(ply)
        expect(page.locator(MAY)).to_have_count(0)
        expect(page.locator("#message")).to_contain_text(f"After move {ply} of 4")
    area(page, "0,0").click(force=True)
    expect(page.locator("#message")).to_contain_text("earlier position")
    page.get_by_role("button", name=moves[2], exact=True).last.click()  # in the list of moves
    expect(taken).to_have_count(3)
    expect(page.locator("#log .last")).to_contain_text(moves[2])
    page.keyboard.press("End")
    expect(page.locator(MAY)).to_have_count(len(legal))
    assert legal_areas(page) == legal
    expect(page.locator("#log .last")).to_contain_text(moves[3])
    page.keyboard.press("Home")
    expect(page.locator("#play")).to_have_class(re.compile("past"))
    page.get_by_role("button", name="Undo").click()  # the game goes on behind it
    expect(page.locator("#log .move:not(:empty)")).to_have_count(3)
    page.keyboard.press("End")
    expect(page.locator(MAY)).not_to_have_count(0)
    expect(page.locator("#to-end")).to_be_disabled()

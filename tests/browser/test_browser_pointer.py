"""What the board shows under a pointer, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect
from tables import area, begin

GHOST = "#board .ghost > *"


def test_the_ghost_of_the_mark_follows_the_pointer_and_the_game(visit: Callable[..., Page]) -> None:
    page = visit()
    begin(page, "ultimate", moves="4,4 3,3")
    area(page, "0,0").hover()
    expect(page.locator(GHOST).first).to_have_class(re.compile("first"))
    area(page, "3,4").hover(force=True)  # not legal yet
    expect(page.locator(GHOST)).to_have_count(0)
    page.get_by_placeholder("type a move").fill("1,1")
    page.get_by_placeholder("type a move").press("Enter")  # the pointer rests while the turn changes
    expect(page.locator(GHOST).first).to_have_class(re.compile("second"))
    expect(page.locator("#board .glow .hot")).to_have_count(1)
    page.mouse.move(0, 0)
    expect(page.locator(GHOST)).to_have_count(0)

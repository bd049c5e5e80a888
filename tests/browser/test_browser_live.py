"""A tournament that really runs, in a real browser: its page and its live games, through a server that dies."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from looks import require_good_looks
from playwright.sync_api import Page, expect
from serving import Served, started
from visiting import PATIENCE_MS, Visits

EVENT = """
title = "Spring Cup"
game = "ultimate"
[time]
move_s = 5
[bots]
interface = "choose"
[format]
kind = "round-robin"
games_per_pair = 400
"""
SLOW = "import time\n\ndef choose(state, clock):\n    time.sleep(0.05)\n    return state['legal'][{at}]\n"
FAILS = "import time\n\ndef choose(state, clock):\n    time.sleep(0.4)\n    raise ValueError('out of ideas')\n"
BOTS = {"First": SLOW.format(at=0), "Last": SLOW.format(at=-1), "Fails": FAILS}
LOST = "the connection is lost"
COUNT = """least => {
    const bar = document.querySelector("progress[aria-label='games played']");
    return bar !== null && bar.value >= least ? bar.value : null;
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with a tournament that goes on for longer than the tests."""
    place = tmp_path_factory.mktemp("live")
    (place / "bots").mkdir()
    for name, source in BOTS.items():
        (place / "bots" / f"{name}.py").write_text(source)
    (place / "cup.toml").write_text(EVENT)
    words = ("--bots", "bots", "--out", "all/cup", "--workers", "1", "--quiet", "--isolation", "basic")
    run = started("run", "cup.toml", *words, cwd=place)
    (place / "all").mkdir(exist_ok=True)
    yield place / "all"
    run.kill()
    run.wait()


def open_cup(visit: Callable[..., Page]) -> Page:
    page = visit("/tournaments")
    link = page.get_by_role("link", name="Spring Cup")
    for _ in range(int(PATIENCE_MS / 500)):  # the run has to prepare its folder first
        if link.count():
            break
        page.wait_for_timeout(500)
        page.reload()
    link.click()
    return page


def played(page: Page, *, least: int) -> int:
    """How many games the page says were played, once they are so many."""
    return page.wait_for_function(COUNT, arg=least).json_value()


def test_the_page_catches_up_after_the_server_died(visits: Visits, served: Served, visit: Callable[..., Page]) -> None:
    visits.expected = re.compile("WebSocket connection|ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE")
    page = open_cup(visit)
    page.evaluate("window.isSamePage = true")
    before = played(page, least=1)
    expect(page.locator("#playing .game")).not_to_have_count(0)
    expect(page.locator("#playing .small svg [data-layer=areas] > *")).not_to_have_count(0)
    require_good_looks(page, "live-tournament")
    served.kill()
    expect(page.locator("#connection")).to_contain_text(re.compile(LOST, re.IGNORECASE))
    expect(page.locator("#playing")).to_be_hidden()  # nobody knows how they go on
    served.start()
    expect(page.locator("#connection")).to_be_hidden()
    assert played(page, least=before + 1) > before
    expect(page.locator("#playing .game")).not_to_have_count(0)
    expect(page.locator("[data-section=standings] tbody tr").first).to_be_visible()
    assert page.evaluate("window.isSamePage")  # it caught up by itself


def test_a_live_game_is_watched_move_by_move(visits: Visits, served: Served, visit: Callable[..., Page]) -> None:
    visits.expected = re.compile("WebSocket connection|ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE")
    page = open_cup(visit)
    page.locator("#playing .game").first.click()
    page.wait_for_url("**/live/*")
    moves = page.locator("#log .move:not(:empty)")
    expect(moves).not_to_have_count(0)
    page.wait_for_function("before => document.getElementById('log').textContent !== before",
                           arg=page.locator("#log").inner_text())  # fmt: skip
    assert page.locator("#board .may").count() == 0
    expect(page.locator("#seat0 .who")).to_have_text(re.compile("|".join(BOTS)))
    require_good_looks(page, "live-game")
    served.kill()
    expect(page.locator("#note")).to_contain_text(re.compile(LOST, re.IGNORECASE))
    served.start()
    expect(page.locator("#state")).to_have_attribute("title", "connected")
    known = page.locator("#log").inner_text()
    page.wait_for_function("before => document.getElementById('log').innerText !== before", arg=known)

"""Take the pictures of pages that README shows, from a real server with a real tournament in its folder.

    python docs/pictures/take.py

writes play.png, analysis.png and tournament.png beside this file. It needs Chromium, and pngquant to make them small.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

HERE = Path(__file__).parent
WIDE = {"width": 1200, "height": 780}
PATIENCE_MS = 120_000.0  # searches are compiled first
EVENT = """
title = "Spring Cup"
game = "ultimate"
[time]
move_s = 2
[bots]
interface = "choose"
[format]
kind = "round-robin"
games_per_pair = 6
"""
PLAYERS = ("random", "greedy", "level:2", "level:4", "level:6", "alphabeta:depth=4", "mcts:nodes=20000")
MARKED = """() => {
    const counts = [...document.querySelectorAll("#playing .game")].map((game) => game.querySelectorAll(".ink").length);
    return counts.length === 2 && Math.min(...counts) > 12;
}"""
ENOUGH_GAMES = 70
OPENING = "4,4 5,4 8,4 7,5 4,8 5,7 8,5 8,8 6,6 0,0 1,2 3,7 0,4 1,5 4,6 4,0"
TYPED, OWN_MOVES = 16, 6


@contextmanager
def running(*words: str, cwd: Path) -> Iterator[subprocess.Popen[str]]:
    """`ludus` with these words, until the block ends."""
    command = [sys.executable, "-m", "ludus", *words]
    process = subprocess.Popen(command, cwd=cwd, stdout=subprocess.PIPE, text=True)  # noqa: S603  # our own command
    try:
        yield process
    finally:
        process.terminate()
        process.communicate()


def address_of(server: subprocess.Popen[str]) -> str:
    assert server.stdout is not None
    found = re.search(r"http://\S+:\d+", server.stdout.readline())
    assert found, "the server has no address"
    return found[0]


def keep(page: Page, name: str) -> None:
    picture = HERE / f"{name}.png"
    page.screenshot(path=picture, animations="disabled")
    if squeeze := shutil.which("pngquant"):
        subprocess.run([squeeze, "--force", "--ext", ".png", "--strip", picture], check=True)  # noqa: S603


def take_play(page: Page) -> None:
    """A game against the machine, with hints, the best line, and who is ahead."""
    page.goto("/")
    page.get_by_label("Your name").fill("Ada")
    page.get_by_text("Type or paste a start").click()
    page.get_by_label("Moves so far").fill(OPENING)
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/play/*")
    page.get_by_role("button", name="Bar").click()
    for ply in range(TYPED, TYPED + 2 * OWN_MOVES, 2):
        best = _hint(page)
        page.get_by_placeholder("type a move").fill(best)
        page.get_by_role("button", name="Play", exact=True).click()
        page.locator("#log .move:not(:empty)").nth(ply + 1).wait_for(state="attached")
    _hint(page)
    keep(page, "play")


def _hint(page: Page) -> str:
    """The move that the page advises."""
    page.locator("#hint[aria-pressed=false]:enabled").or_(page.locator("#hint[aria-pressed=true]")).wait_for()
    if page.locator("#hint").get_attribute("aria-pressed") == "false":
        page.locator("#hint").click()
    page.locator("#advice .line").nth(2).wait_for()
    return page.locator("#advice .line strong").first.inner_text()


def take_analysis(page: Page) -> None:
    """A position of slant that the engine has thought about for a while."""
    page.emulate_media(color_scheme="dark")
    page.goto("/analyse#game=slant&start=seed%3D11&moves=")
    page.locator("#board .may").first.wait_for()
    for _ in range(14):
        page.locator("#engine[aria-pressed=false]").or_(page.locator("#lines button").first).first.click()
        page.locator("#lines li").nth(2).wait_for()
    page.wait_for_function("() => document.querySelector('#effort').textContent.includes('nodes')")
    keep(page, "analysis")


def take_tournament(page: Page) -> None:
    """A tournament that runs, with its live games."""
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1200, "height": 980})
    page.goto("/tournaments/cup/")
    page.wait_for_function(f"() => document.querySelector('progress')?.value >= {ENOUGH_GAMES}")
    page.wait_for_function(MARKED)
    keep(page, "tournament")


def main() -> None:
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    assert chromium, "there is no Chromium here"
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        place = Path(folder)
        (place / "cup.toml").write_text(EVENT)
        run = ("run", "cup.toml", "--bots", *PLAYERS, "--out", "all/cup", "--workers", "2", "--quiet")
        (place / "all").mkdir()
        with running("serve", "all", "--port", "0", cwd=place) as server:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
            page = browser.new_page(base_url=address_of(server), viewport=WIDE, reduced_motion="reduce")
            page.set_default_timeout(PATIENCE_MS)
            take_play(page)
            take_analysis(page)
            with running(*run, cwd=place):
                page.wait_for_timeout(3000)
                take_tournament(page)
            browser.close()


if __name__ == "__main__":
    main()

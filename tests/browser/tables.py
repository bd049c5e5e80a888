"""Games at tables of the server, played as people do: by clicks, or by keys alone."""

from __future__ import annotations

from random import Random

from playwright.sync_api import Locator, Page, expect

from ludus.records import Record, parse_record

MAY = "#board [data-layer=hit] > .may"
# Whether a move was made, or what of it is still to be chosen.
NEXT_STEP = """before => {
    if (document.getElementById("log").textContent !== before) return "made";
    if (document.querySelector(".choices")) return "choice";
    return document.querySelector("#board .picked") ? "path" : null;
}"""


def begin(page: Page, game: str, *, against: str = "here", moves: str = "", **fields: str) -> None:
    """Fill in the form of a new game and wait for its board."""
    page.goto("/")
    page.get_by_label("Game").select_option(game)
    fill_against(page, against)
    page.get_by_text("Type or paste a start").click()
    page.get_by_label("Moves so far").fill(moves)
    for name, text in fields.items():
        page.locator(f"[name='option.{name}'], [name={name}]:not(select)").fill(text)
    page.get_by_role("button", name="Begin").click()
    wait_for_table(page)


def fill_against(page: Page, against: str) -> None:
    is_listed = against in ("here", "link") or against.startswith("level:")
    page.get_by_label("Against").select_option(against if is_listed else "named")
    if not is_listed:
        page.get_by_label("Which one").fill(against)


def wait_for_table(page: Page) -> None:
    page.wait_for_url("**/play/*")
    expect(page.locator("#status")).not_to_be_empty()


def area(page: Page, name: str) -> Locator:
    """A place on the board, by its name in the rules."""
    return page.locator(f"#board [data-area='{name}']")


def legal_areas(page: Page) -> list[str]:
    return page.locator(MAY).evaluate_all("areas => areas.map(area => area.dataset.area)")


def log_of(page: Page) -> str:
    return page.locator("#log").evaluate("log => log.textContent")


def click_a_move(page: Page, dice: Random) -> None:
    """Click a random move, all its steps."""
    before, step = log_of(page), "path"
    while step != "made":
        if step == "choice":
            choices = page.get_by_role("menuitem")
            choices.nth(dice.randrange(choices.count())).click()
            page.wait_for_function("before => document.getElementById('log').textContent !== before", arg=before)
            return
        area(page, dice.choice(legal_areas(page))).click()
        step = page.wait_for_function(NEXT_STEP, arg=before).json_value()


def press_a_move(page: Page, dice: Random) -> None:
    """The same with keys: to a legal place, Enter, and Enter again for what is left to choose."""
    before, step = log_of(page), "path"
    while step != "made":
        if step == "path":
            for _ in range(dice.randint(1, 3)):
                page.keyboard.press("PageDown")
        elif dice.randrange(2):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        if step == "choice":
            page.wait_for_function("before => document.getElementById('log').textContent !== before", arg=before)
            return
        step = page.wait_for_function(NEXT_STEP, arg=before).json_value()


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until the keyboard is there."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"no way leads to {selector} with Tab")


def is_over(page: Page) -> bool:
    return page.locator(MAY).count() == 0


def record_of(page: Page) -> Record:
    """What the page offers as the record of its game."""
    with page.expect_download() as download:
        page.get_by_role("link", name="Record").click()
    return parse_record(download.value.path().read_text())

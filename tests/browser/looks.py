"""What every page has to look like, whatever is on it: by axe-core, in both themes, at the width of a phone."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page
from visiting import PHONE, WIDE, keep_screen

LUMINANCE = """() => {
    const [red, green, blue] = getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g).map(Number);
    return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}"""


def is_dark(page: Page) -> bool:
    luminance: float = page.evaluate(LUMINANCE)
    assert not 0.2 < luminance < 0.8
    return luminance < 0.5


def require_good_looks(page: Page, name: str) -> None:
    """No rule of axe-core is broken in either theme, on a wide screen or a phone; pictures are kept of all."""
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        assert is_dark(page) == (theme == "dark")
        for size, width in ((WIDE, ""), (PHONE, "-phone")):
            page.set_viewport_size(size)
            require_accessible(page)
            require_narrow(page)
            keep_screen(page, f"{name}-{theme}{width}")
    page.set_viewport_size(WIDE)


def require_accessible(page: Page) -> None:
    found = Axe().run(page).response["violations"]
    told = [f"{rule['id']}: {node['html'][:160]} {node['failureSummary']}" for rule in found for node in rule["nodes"]]
    assert not told, "\n".join(told[:20])


def require_narrow(page: Page) -> None:
    wide = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert wide[0] <= wide[1]

"""A page in one file that needs nothing else: no script, no network, light and dark. For what is handed to somebody."""

from __future__ import annotations

from pathlib import Path

from ludus.reports.frame import STATIC, board_css, head_of
from ludus.reports.markup import Markup, element
from ludus.view.scene import Scene, description
from ludus.view.svg import fragments, line_weight
from ludus.view.theme import UNIT

HERE = Path(__file__).parent
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
MARGIN = 0.12  # around a board, in cells
STYLES = (STATIC / "report.css", HERE / "check.css", HERE / "alone.css")


def page_alone(title: str, *content: object, brand: str) -> str:
    """The whole page; all text is escaped by the elements that it stands in."""
    style = board_css() + "".join(file.read_text(encoding="utf-8") for file in STYLES)
    head = head_of(title, POLICY, element("style", Markup(style)))
    switch = element(
        "label", element("input", type="checkbox", id="other-theme"), "◐", class_="switch", title="light or dark"
    )
    bar = element("header", element("nav", element("span", brand, class_="brand")), switch)
    body = element("body", bar, element("main", *content, id="main"), element("footer", "Made by Ludus"))
    return f"<!doctype html>\n{element('html', head, body, lang='en')}\n"


def figure(value: str, unit: str, title: str | None = None) -> Markup:
    """A number that matters, with what it is below it."""
    return element("div", element("span", value, class_="figure"), element("span", unit, class_="unit"), title=title)


def drawn_board(scene: Scene) -> Markup:
    """The board by classes, so that its colours follow the page."""
    width, height = (UNIT * side for side in scene.view.size)
    margin = UNIT * MARGIN
    layers = [
        element("g", Markup("".join(items.values())))
        for layer, items in fragments(scene).items()
        if layer != "hit" and items
    ]
    return element(
        "svg",
        element("title", f"{scene.title}: {description(scene)}"),
        layers,
        class_="ludus",
        viewbox=f"{-margin:g} {-margin:g} {width + 2 * margin:g} {height + 2 * margin:g}",
        style=f"--weight:{line_weight(scene):.3f}",
        role="img",
        text_anchor="middle",
    )

"""The part of a page on which static/replay.js shows a recorded game: of reports, and of `ludus serve`."""

from __future__ import annotations

from ludus.reports.markup import Markup, element, joined

BUTTONS = (
    ("to-start", "|◀", "to the start (Home)"),
    ("back", "◀", "one move back (←)"),
    ("play", "▶ Play", "play (space)"),
    ("forth", "▶", "one move on (→)"),
    ("to-end", "▶|", "to the end (End)"),
    ("copy", "Link", "copy a link to this position"),
)


def player(
    *, source: str | None = None, beside_board: object = None, below_moves: object = None, below: object = None
) -> Markup:
    """Empty; the script fills it. With a `source`, the game is fetched from there."""
    buttons = [
        element("button", sign, type="button", id=name, title=title, aria_label=title) for name, sign, title in BUTTONS
    ]
    svg = element("svg", element("title", "the board"), id="board", class_="ludus", role="img", text_anchor="middle")
    side = element(
        "aside",
        element("p", "", id="status", aria_live="polite"),
        element("div", "", id="player-1", class_="player"),
        element("ol", "", id="moves", tabindex="0", aria_label="moves"),
        below_moves,
        element("div", "", id="clock"),
        element("div", buttons, class_="buttons"),
        element("input", type="range", id="slider", min="0", max="0", value="0", aria_label="position in the game"),
        element("div", "", id="player-0", class_="player"),
        below,
    )
    head = element(
        "div", element("h1", "", id="where"), element("p", "", id="verdict", class_="note"), class_="game-head"
    )
    box = element("div", beside_board, svg, class_="board-box")
    return joined(
        head,
        element("div", box, side, class_="replay", id="replay", data_source=source),
        element("noscript", element("p", "A game is shown by a script; allow scripts for this page.")),
    )

"""What all pages of a report have in common: head, navigation, links between pages, the files beside them."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from urllib.parse import quote

from ludus.reports.markup import Markup, element, joined, link
from ludus.tournament.pairing import Pairing
from ludus.view.theme import DARK, LIGHT, style_sheet

STATIC = Path(__file__).parent / "static"
# Nothing is loaded from anywhere but this folder, and nothing inside a page runs or styles it. Browsers differ in
# whether 'self' means the folder of a page that was opened from disk, so file: is named too.
POLICY = "default-src 'none'; script-src 'self' file:; style-src 'self' file:; base-uri 'none'; form-action 'none'"


def page(title: str, *content: object, event: str, root: str = "", scripts: tuple[str, ...] = ()) -> str:
    """A whole page; `root` leads from it to the folder of the report ("../" from a page one folder below)."""
    looks = ("board", "report", *(name for name in scripts if (STATIC / f"{name}.css").is_file()))
    sheets = [element("link", rel="stylesheet", href=f"{root}assets/{name}.css") for name in looks]
    names = ("report", "pointing", *scripts)
    head = head_of(
        title,
        POLICY,
        sheets,
        element("script", src=f"{root}assets/theme.js"),
        [element("script", src=f"{root}assets/{name}.js", defer=True) for name in names],
    )
    body = element("body", _navigation(event, root), element("main", *content, id="main"), _footer())
    return f"<!doctype html>\n{element('html', head, body, lang='en')}\n"


def head_of(title: str, policy: str, *more: object) -> Markup:
    """What every page of ours begins with, and whatever it loads besides."""
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", title),
        *more,
    )


def _navigation(event: str, root: str) -> Markup:
    toggle = element(
        "button", "◐", type="button", id="theme", title="light or dark", aria_label="switch between light and dark"
    )
    return joined(
        link("#main", "to the content", class_="skip"),
        element(
            "header",
            element(
                "nav",
                link(f"{root}index.html", event, class_="brand"),
                link(f"{root}index.html#standings", "Standings"),
                link(f"{root}games.html", "Games"),
                link(f"{root}index.html#files", "Files"),
                aria_label="report",
            ),
            toggle,
        ),
    )


def _footer() -> Markup:
    return element("footer", "Made by Ludus")


def board_css() -> str:
    """The colours of both themes for the whole page, and the looks of boards."""
    dark = asdict(DARK)
    colours = "".join(f"--{name}:light-dark({value},{dark[name]});" for name, value in asdict(LIGHT).items())
    return f":root{{{colours}}}\n{style_sheet('.ludus')}\n"


def team_page(team: int, *, root: str = "") -> str:
    return f"{root}teams/{team + 1}.html"


def game_file(pairing: Pairing) -> str:
    """The name that a game goes by in links and files, the same in every report of the tournament."""
    return pairing.id.replace("/", ".")


def game_page(pairing: Pairing, *, ply: int | None = None, root: str = "") -> str:
    at = "" if ply is None else f"#ply={ply}"
    return f"{root}replay.html?game={quote(game_file(pairing))}{at}"

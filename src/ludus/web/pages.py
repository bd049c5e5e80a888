"""The frame of every page: head, navigation, footer, and nothing inline; for whoever answers with HTML."""

from __future__ import annotations

from collections.abc import Iterable

from aiohttp import web

from ludus.reports.markup import Markup, element, joined, link
from ludus.view.shapes import safe

PLACES = (("Play", "/"), ("Watch", "/watch"), ("Analyse", "/analyse"), ("Tournaments", "/tournaments"))


def escaped(text: str) -> str:
    """Text from anywhere, safe as content or attribute of a page."""
    return safe(text)


def page(
    title: str, body: str, *, scripts: Iterable[str] = (), active: str = "", status: int = 200, wide: bool = False
) -> web.Response:
    """A whole page. `body` is HTML already; `scripts` are modules of static/; `active` is the place in the menu."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", f"{title} · Ludus" if title else "Ludus"),
        element("link", rel="icon", href="/static/icon.svg", type="image/svg+xml"),
        element("link", rel="stylesheet", href="/theme.css"),
        element("link", rel="stylesheet", href="/static/app.css"),
        element("script", src="/static/theme.js"),
        [element("script", type="module", src=f"/static/{name}") for name in scripts],
    )
    main = element("main", Markup(body), id="main", class_="wide" if wide else None, tabindex="-1")
    document = element("html", head, element("body", _header(active), main), lang="en")
    response = web.Response(text=f"<!doctype html>\n{document}\n", content_type="text/html", status=status)
    response.enable_compression()
    return response


def message_page(title: str, sentence: str, *, status: int) -> web.Response:
    """A page of one sentence."""
    body = element("section", element("h1", title), element("p", sentence), class_="card message")
    return page(title, body, status=status)


def _header(active: str) -> Markup:
    current = {True: "page", False: None}
    links = [link(where, name, aria_current=current[name == active]) for name, where in PLACES]
    toggle = element(
        "button", "◐", type="button", id="theme", title="light or dark", aria_label="switch between light and dark"
    )
    return joined(
        link("#main", "to the content", class_="skip"),
        element(
            "header",
            link("/", "Ludus", class_="brand"),
            element("nav", links, aria_label="places"),
            toggle,
            class_="top",
        ),
    )

"""The hand-out of an event as one web page: nothing is loaded from anywhere, light and dark, good on paper too."""

from __future__ import annotations

from dataclasses import asdict
from itertools import groupby
from pathlib import Path

from markdown_it import MarkdownIt

from ludus.course.handout import Part, Picture, handout, title_of
from ludus.events.event import Event
from ludus.reports.markup import Markup, element, link
from ludus.view.scene import description
from ludus.view.svg import svg_document
from ludus.view.theme import DARK, LIGHT, Theme

STYLE = Path(__file__).with_name("handout.css")
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
THEMES: tuple[Theme, Theme] = ("light", "dark")
PICTURE_WIDTH = 400  # pixels that the words of a picture are made for


def handout_page(event: Event, *, called: str) -> str:
    """The page as HTML; `called` is the event's name, or the path of its file."""
    title = title_of(event)
    lead, sections = _sections(handout(event, called=called))
    names = [name for name, _ in sections]
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        element("style", Markup(_colours() + STYLE.read_text(encoding="utf-8"))),
    )
    body = element(
        "body",
        element(
            "header",
            element("h1", title),
            element("div", _rendered(lead), class_="lead"),
            element("nav", [link(f"#{_id(name)}", name) for name in names], aria_label="contents"),
        ),
        element(
            "main",
            [element("section", element("h2", name, id=_id(name)), _rendered(parts)) for name, parts in sections],
        ),
        element("footer", "Made by Ludus"),
    )
    return f"<!doctype html>\n{element('html', head, body, lang='en')}\n"


def _sections(parts: list[Part]) -> tuple[list[Part], list[tuple[str, list[Part]]]]:
    """What stands before the first heading, and then each heading with what follows it."""
    lead: list[Part] = []
    sections: list[tuple[str, list[Part]]] = []
    for part in parts:
        if isinstance(part, str) and part.startswith("## "):
            sections.append((part.removeprefix("## "), []))
        else:
            (sections[-1][1] if sections else lead).append(part)
    return lead, sections


def _rendered(parts: list[Part]) -> list[Markup]:
    found: list[Markup] = []
    for is_picture, group in groupby(parts, key=lambda part: isinstance(part, Picture)):
        if is_picture:
            found.append(
                element("div", [_figure(part) for part in group if isinstance(part, Picture)], class_="figures")
            )
        else:
            found += [_markdown(part) for part in group if isinstance(part, str)]
    return found


def _figure(picture: Picture) -> Markup:
    """The same board for both themes; the style sheet shows one of them."""
    by_day, by_night = (Markup(svg_document(picture.scene, theme, PICTURE_WIDTH)) for theme in THEMES)
    drawn = [element("div", by_day, class_="by-day"), element("div", by_night, class_="by-night")]
    return element("figure", drawn, element("figcaption", _markdown(picture.caption), description(picture.scene)))


def _markdown(text: str) -> Markup:
    """HTML in the text is shown as it is written, never used."""
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    scrolled = html.replace("<table>", '<div class="scroll" tabindex="0"><table>').replace("</table>", "</table></div>")
    return Markup(scrolled)


def _colours() -> str:
    dark = asdict(DARK)
    return (
        ":root{" + "".join(f"--{key}:light-dark({value},{dark[key]});" for key, value in asdict(LIGHT).items()) + "}\n"
    )


def _id(name: str) -> str:
    return name.lower().replace(" ", "-")

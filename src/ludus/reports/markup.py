"""HTML and SVG from functions: whatever is not Markup already is escaped, so that no name or message can break out."""

from __future__ import annotations

from collections.abc import Iterable

from ludus.view.shapes import number, safe

VOID = frozenset(["meta", "link", "input", "br", "line", "rect", "circle", "path"])


class Markup(str):
    """Text that is HTML and safe to put into a page."""

    __slots__ = ()


def element(tag: str, *content: object, **attributes: object) -> Markup:
    """An element; `class_` is class, `data_team` is data-team; None and False leave an attribute out."""
    written = "".join(_attribute(name, value) for name, value in attributes.items() if value is not None)
    if tag in VOID:
        return Markup(f"<{tag}{written}/>")
    return Markup(f"<{tag}{written}>{joined(*content)}</{tag}>")


def joined(*content: object) -> Markup:
    """Contents one after the other: Markup as it is, lists one by one, nothing for None, all else escaped."""
    return Markup("".join(_written(part) for part in content))


def _written(part: object) -> str:
    if part is None:
        return ""
    if isinstance(part, Markup):
        return part
    if isinstance(part, str | int):
        return safe(str(part))
    if isinstance(part, Iterable):
        return "".join(map(_written, part))
    raise TypeError(f"{type(part).__name__} cannot be put into a page")


def _attribute(name: str, value: object) -> str:
    if value is False:
        return ""
    shown = name.rstrip("_").replace("_", "-")
    if shown == "viewbox":
        shown = "viewBox"
    if value is True:
        return f' {shown}=""'
    text = number(value) if isinstance(value, float) else str(value)
    return f' {shown}="{safe(text)}"'


def link(where: str, *content: object, **attributes: object) -> Markup:
    return element("a", *content, href=where, **attributes)


def table(head: Iterable[object], rows: Iterable[Markup], *, caption: str, class_: str = "") -> Markup:
    """A table in a box that scrolls by itself where the screen is narrow."""
    columns = element("tr", [_head(part) for part in head])
    parts = (element("caption", caption, class_="unseen"), element("thead", columns), element("tbody", rows))
    made = element("table", *parts, class_=class_ or None)
    return element("div", made, class_="scroll", tabindex="0", role="region", aria_label=caption)


def _head(part: object) -> Markup:
    """A column's head; one that says nothing is none."""
    if isinstance(part, Markup):
        return part
    return element("th", part, scope="col") if part else element("td")


def heading(text: object, *, id: str, note: object = None, level: int = 2) -> Markup:
    small = element("span", note, class_="note") if note else None
    return element("div", element(f"h{level}", text, id=id), small, class_="head")


def card(*content: object, class_: str = "") -> Markup:
    return element("section", *content, class_=f"card {class_}".strip())


def badge(text: str, tone: str) -> Markup:
    return element("span", text, class_=f"badge {tone}")

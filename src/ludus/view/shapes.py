"""Items of a view as SVG elements: the only place that knows how shapes are drawn."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from math import pi

from ludus.picture import SEAT_TONES, Area, Line, Mark, Point, Text
from ludus.view.theme import UNIT, Palette, look_of

FONT = "Inter, 'Segoe UI', system-ui, -apple-system, 'Helvetica Neue', Arial, sans-serif"
BIG = 2.0  # marks of this size cover a tile
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ROUND = {"stroke_linecap": "round", "stroke_linejoin": "round"}


def number(value: float) -> str:
    """A coordinate in at most two decimals, as short as it can be written."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def safe(text: str) -> str:
    """Text from anywhere as XML content or attribute: escaped, without characters that XML forbids."""
    return escape(_NOT_XML.sub("�", text))


@dataclass(frozen=True, slots=True)
class Pen:
    """Writes elements: with resolved colours when it has a palette, else with class names."""

    palette: Palette | None
    weight: float = 1.0  # of lines, so that small boards are not clumsy and big ones not spidery

    def element(self, tag: str, classes: str = "", content: str | None = None, **attributes: float | str | None) -> str:
        if self.palette is None:
            look = {"class": classes} if classes else {}
        else:
            look = look_of(classes.split(), self.palette, weight=self.weight)
        given = {
            name.rstrip("_").replace("_", "-"): value if isinstance(value, str) else number(value)
            for name, value in attributes.items()
            if value is not None
        }
        written = "".join(f' {name}="{safe(value)}"' for name, value in {**look, **given}.items())
        return f"<{tag}{written}/>" if content is None else f"<{tag}{written}>{content}</{tag}>"

    def key(self, key: str) -> dict[str, str | None]:
        """An attribute that lets a page find the element again; files do not need it."""
        return {"data_key": key if self.palette is None else None}


def rectangle(pen: Pen, area: Area, classes: str, *, grow: float = 0.0, key: str = "") -> str:
    """The area in board units, larger by `grow` on every side."""
    return pen.element(
        "rect",
        classes,
        x=UNIT * (area.x - grow),
        y=UNIT * (area.y - grow),
        width=UNIT * (area.width + 2 * grow),
        height=UNIT * (area.height + 2 * grow),
        rx=UNIT * (area.radius + grow),
        **pen.key(key or area.key),
    )


def words(pen: Pen, text: str, at: Point, size: float, classes: str = "", **attributes: float | str | None) -> str:
    """Text centred on a point, all in SVG units; the baseline is computed because not every program can."""
    x, y = at[0], at[1] + 0.355 * size
    attributes = {"font_weight": "600", **attributes}
    return pen.element("text", f"text {classes}".strip(), safe(text), x=x, y=y, font_size=size, **attributes)


def text_item(pen: Pen, text: Text) -> str:
    weight = "500" if text.role == "coord" else "600"
    at = (UNIT * text.at[0], UNIT * text.at[1])
    return words(pen, text.text, at, UNIT * text.size, text.tone, font_weight=weight, **pen.key(text.key))


def line_item(pen: Pen, line: Line) -> str:
    """A stroke; a winning line gets a casing, so that it stands out from what it crosses."""
    closed = len(line.points) > 2 and line.points[0] == line.points[-1]
    points = line.points[:-1] if closed else line.points
    path = "M" + "L".join(f"{number(UNIT * x)} {number(UNIT * y)}" for x, y in points) + "Z" * closed
    if line.role == "grid":
        return pen.element("path", "grid", d=path, stroke_width=UNIT * line.width, **_ROUND, **pen.key(line.key))
    casing = pen.element("path", "casing", d=path, stroke_width=1.9 * UNIT * line.width, **_ROUND)
    stroke = pen.element("path", f"ink deep {line.tone}", d=path, stroke_width=UNIT * line.width, **_ROUND)
    return pen.element("g", "", casing + stroke, **pen.key(line.key))


def mark_item(pen: Pen, mark: Mark) -> str:
    """The mark at its place; a kind that is not known is written as text."""
    x, y, size = UNIT * mark.at[0], UNIT * mark.at[1], UNIT * mark.size
    flags = " ".join(_MARK_FLAGS[flag] for flag in sorted(mark.flags) if flag in _MARK_FLAGS)
    classes = " ".join(filter(None, (mark.tone, flags)))
    key = pen.key(mark.key)
    stroke = size * (0.115 if mark.size >= BIG else 0.15)
    if mark.kind == "x":
        h = 0.3 * size
        path = f"{_stretch(x - h, y - h, x + h, y + h)}{_stretch(x + h, y - h, x - h, y + h)}"
        return pen.element("path", f"ink {classes}", d=path, stroke_width=stroke, **_ROUND, **key)
    if mark.kind == "o":
        return pen.element("circle", f"ink {classes}", cx=x, cy=y, r=0.32 * size, stroke_width=stroke, **key)
    if mark.kind in ("slash", "backslash"):
        h, up = 0.5 * size, 1 if mark.kind == "slash" else -1
        path = _stretch(x - h, y + up * h, x + h, y - up * h)
        return pen.element("path", f"ink {classes}", d=path, stroke_width=0.16 * size, **_ROUND, **key)
    if mark.kind in ("disc", "ring"):
        return pen.element("g", flags, _disc(pen, mark, x, y, 0.5 * size), **key)
    if mark.kind == "dot":
        return pen.element("circle", f"piece {classes}", cx=x, cy=y, r=0.16 * size, **key)
    return words(pen, mark.text or mark.kind, (x, y), 0.7 * size, classes, font_weight="700", **key)


_MARK_FLAGS = {"faded": "faded", "dead": "dead-mark"}


def _stretch(x0: float, y0: float, x1: float, y1: float) -> str:
    return f"M{number(x0)} {number(y0)}L{number(x1)} {number(y1)}"


def _disc(pen: Pen, mark: Mark, x: float, y: float, radius: float) -> str:
    """A disc with a text is a ground for it, one without is a piece; `fill` draws the rim as progress."""
    parts = []
    if mark.kind == "ring":
        stroke = 0.26 * radius
        parts.append(pen.element("circle", f"ink {mark.tone}", cx=x, cy=y, r=radius - stroke / 2, stroke_width=stroke))
    else:
        ground = "disc" if mark.text else "piece"
        parts.append(pen.element("circle", f"{ground} {mark.tone}", cx=x, cy=y, r=radius))
    if mark.fill is not None:
        parts.append(_progress(pen, mark, x, y, radius))
    if mark.text:
        is_on_tone = mark.kind == "disc" and mark.tone in SEAT_TONES
        classes = "on" if is_on_tone else mark.tone
        parts.append(words(pen, mark.text, (x, y), 1.24 * radius, classes, font_weight="700"))
    return "".join(parts)


def _progress(pen: Pen, mark: Mark, x: float, y: float, radius: float) -> str:
    rim, stroke, share = 0.93 * radius, 0.18 * radius, min(1.0, mark.fill or 0.0)
    track = pen.element("circle", "track", cx=x, cy=y, r=rim, stroke_width=stroke)
    if share <= 0:
        return track
    around = 2 * pi * rim
    arc = pen.element(
        "circle",
        f"ink {mark.tone}".strip(),
        cx=x,
        cy=y,
        r=rim,
        stroke_width=stroke * 1.25,
        stroke_dasharray=f"{number(around * share)} {number(around)}",
        transform=f"rotate(-90 {number(x)} {number(y)})",
    )
    return track + arc

"""How things look: two palettes and one style table, for files (resolved colours) and for style sheets.

A thing has classes: its role, its tone, its flags. A rule of the table applies to everything that has all
the classes it names; later rules win. Text keeps a contrast of at least 4.5 to what it stands on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Literal

Theme = Literal["light", "dark"]
UNIT = 100  # SVG units a cell: with 1, browsers draw gaps into circles and measure text badly


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of one theme; `_wash` is a ground for the tone, `_deep` the tone as text."""

    page: str
    ink: str
    dim: str
    rule: str
    board: str
    edge: str
    tile: str
    cell: str
    cell_edge: str
    dead: str
    track: str
    first: str
    first_wash: str
    first_deep: str
    second: str
    second_wash: str
    second_deep: str
    good: str
    good_wash: str
    good_deep: str
    bad: str
    bad_wash: str
    bad_deep: str
    last: str
    last_edge: str
    on: str  # text on a deep tone

    def __getitem__(self, name: str) -> str:
        """The colour of that name."""
        colour: str = getattr(self, name)
        return colour


LIGHT = Palette(
    page="#f5f6fa",
    ink="#1c2333",
    dim="#5a6378",
    rule="#d5dbe7",
    board="#ffffff",
    edge="#e1e6ef",
    tile="#eef1f7",
    cell="#ffffff",
    cell_edge="#dde3ed",
    dead="#e4e8f0",
    track="#c5ccdb",
    first="#2f6bff",
    first_wash="#e3ecff",
    first_deep="#1b49c4",
    second="#f2602b",
    second_wash="#ffe9df",
    second_deep="#b03b0d",
    good="#12956b",
    good_wash="#d6f3e7",
    good_deep="#0a6f4e",
    bad="#d43a4c",
    bad_wash="#ffe3e5",
    bad_deep="#ab2a39",
    last="#ffe9a8",
    last_edge="#eeb927",
    on="#ffffff",
)
DARK = Palette(
    page="#0e1118",
    ink="#e8ecf6",
    dim="#9aa4bb",
    rule="#323b50",
    board="#171c28",
    edge="#2a3142",
    tile="#1f2635",
    cell="#2a3245",
    cell_edge="#353f56",
    dead="#1b202c",
    track="#4a556e",
    first="#6f9dff",
    first_wash="#22335e",
    first_deep="#a9c5ff",
    second="#ff8a5b",
    second_wash="#4d2a1e",
    second_deep="#ffc0a3",
    good="#3ecf9c",
    good_wash="#15402f",
    good_deep="#7be6bf",
    bad="#ff6b7c",
    bad_wash="#4a1f27",
    bad_deep="#ff9aa5",
    last="#574b1f",
    last_edge="#e0b53a",
    on="#0e1118",
)
PALETTES: Mapping[str, Palette] = {"light": LIGHT, "dark": DARK}

# Classes -> attributes. "$name" is a colour; widths are in board units on a board of ten cells.
Rule = tuple[str, Mapping[str, str]]
STYLES: tuple[Rule, ...] = (
    ("board", {"fill": "$board", "stroke": "$edge", "stroke-width": ".05"}),
    ("tile", {"fill": "$tile"}),
    ("tile first", {"fill": "$first_wash"}),
    ("tile second", {"fill": "$second_wash"}),
    ("tile dead", {"fill": "$dead"}),
    ("tile target", {"fill": "$last", "stroke": "$ink", "stroke-width": ".085"}),
    ("tile target to-first", {"fill": "$first_wash", "stroke": "$first"}),
    ("tile target to-second", {"fill": "$second_wash", "stroke": "$second"}),
    ("cell", {"fill": "$cell", "stroke": "$cell_edge", "stroke-width": ".03"}),
    ("cell dead", {"fill": "$dead", "stroke": "none"}),
    ("cell good", {"fill": "$good_wash", "stroke": "$good"}),
    ("cell bad", {"fill": "$bad_wash", "stroke": "$bad"}),
    ("cell first", {"fill": "$first_wash"}),
    ("cell second", {"fill": "$second_wash"}),
    ("cell won", {"stroke": "none"}),
    ("cell target to-first", {"stroke": "$first", "stroke-width": ".06"}),
    ("cell target to-second", {"stroke": "$second", "stroke-width": ".06"}),
    ("handle", {"fill": "$tile", "stroke": "$edge", "stroke-width": ".03"}),
    ("handle off", {"fill": "none", "stroke": "$rule", "stroke-dasharray": ".08 .08"}),
    ("last", {"fill": "$last"}),
    ("last-ring", {"fill": "none", "stroke": "$last_edge", "stroke-width": ".065"}),
    ("ink", {"stroke": "$ink", "fill": "none"}),
    ("ink first", {"stroke": "$first"}),
    ("ink second", {"stroke": "$second"}),
    ("ink muted", {"stroke": "$track"}),
    ("ink good", {"stroke": "$good"}),
    ("ink bad", {"stroke": "$bad"}),
    ("ink first deep", {"stroke": "$first_deep"}),
    ("ink second deep", {"stroke": "$second_deep"}),
    ("disc", {"fill": "$board"}),
    ("disc first", {"fill": "$first_deep"}),
    ("disc second", {"fill": "$second_deep"}),
    ("disc good", {"fill": "$good_wash"}),
    ("disc bad", {"fill": "$bad_wash"}),
    ("disc muted", {"fill": "$dead"}),
    ("piece", {"fill": "$ink"}),
    ("piece first", {"fill": "$first"}),
    ("piece second", {"fill": "$second"}),
    ("piece muted", {"fill": "$track"}),
    ("piece good", {"fill": "$good"}),
    ("piece bad", {"fill": "$bad"}),
    ("wash", {"fill": "$board"}),
    ("wash first", {"fill": "$first_wash"}),
    ("wash second", {"fill": "$second_wash"}),
    ("faded", {"opacity": ".24"}),
    ("legal", {"opacity": ".35"}),
    ("dead-mark", {"opacity": ".5"}),
    ("text", {"fill": "$ink"}),
    ("text muted", {"fill": "$dim"}),
    ("text first", {"fill": "$first_deep"}),
    ("text second", {"fill": "$second_deep"}),
    ("text good", {"fill": "$good_deep"}),
    ("text bad", {"fill": "$bad_deep"}),
    ("text on", {"fill": "$on"}),
    ("track", {"stroke": "$track", "fill": "none"}),
    ("casing", {"stroke": "$board", "fill": "none"}),
    ("grid", {"stroke": "$rule", "fill": "none"}),
    ("hint", {"fill": "$good_wash", "stroke": "$good", "stroke-width": ".025"}),
    ("hint best", {"fill": "$good_deep", "stroke": "none"}),
    ("hint-ring", {"fill": "none", "stroke": "$good", "stroke-width": ".06"}),
    ("page", {"fill": "$page"}),
    ("hit", {"fill": "transparent"}),
)
_SPLIT = tuple((frozenset(names.split()), look) for names, look in STYLES)
_IN_BOARD_UNITS = ("stroke-width", "stroke-dasharray")


def look_of(classes: Iterable[str], palette: Palette, *, weight: float = 1.0) -> dict[str, str]:
    """The attributes that the table gives to a thing with these classes, colours resolved."""
    have, look = frozenset(classes), dict[str, str]()
    for needed, attributes in _SPLIT:
        if needed <= have:
            look.update(attributes)
    return {name: _resolved(name, value, palette, weight) for name, value in look.items()}


def _resolved(name: str, value: str, palette: Palette, weight: float) -> str:
    if value.startswith("$"):
        return palette[value[1:]]
    if name in _IN_BOARD_UNITS:
        return " ".join(f"{float(part) * UNIT * weight:.4g}" for part in value.split())
    return value


def style_sheet(scope: str = ".ludus") -> str:
    """The same table as CSS: colours follow the page's colour scheme, widths the variable --weight."""
    dark = asdict(DARK)
    colours = "".join(f"--{name}:light-dark({value},{dark[name]});" for name, value in asdict(LIGHT).items())
    rules = [f"{scope}{{{colours}}}"]
    for names, look in STYLES:
        selector = "".join(f".{name}" for name in names.split())
        body = ";".join(f"{name}:{_as_css(name, value)}" for name, value in look.items())
        rules.append(f"{scope} {selector}{{{body}}}")
    return "\n".join(rules)


def _as_css(name: str, value: str) -> str:
    if value.startswith("$"):
        return f"var(--{value[1:]})"
    if name in _IN_BOARD_UNITS:
        return " ".join(f"calc({float(part) * UNIT:g}px*var(--weight,1))" for part in value.split())
    return value


def contrast(one: str, other: str) -> float:
    """How well two colours stand apart, 1 to 21, as the Web Content Accessibility Guidelines count it."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = (int(colour[index : index + 2], 16) / 255 for index in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue

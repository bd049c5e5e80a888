"""What a position looks like, as data: for games, which describe it, and `view/`, which draws it.

Positions are in board units (1.0 is one cell, y grows downwards). Looks are named, never coloured:
a *role* says what a thing is, a *tone* whose it is. A view holds no rule: who is to move and what is
legal come from the rules. A move is made by clicking the area whose key is the move's name, unless
`View.paths` says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot
from typing import Literal

Tone = Literal["", "first", "second", "muted", "good", "bad"]
Role = Literal["board", "tile", "cell", "handle"]
Flag = Literal["target", "won", "dead", "off", "faded"]
Point = tuple[float, float]
SEAT_TONES: tuple[Tone, Tone] = ("first", "second")


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle that may be clicked; `key` is its address, `label` its name for a screen reader.

    Roles: the "board" under everything, a "tile" of several cells, a "cell", and a "handle" beside the
    cells that stands for a move. Flags: "target" where the next move must go, "won" by the tone's seat,
    "dead" when nothing can happen there any more, "off" for a handle that cannot be used now.
    """

    key: str
    x: float
    y: float
    width: float = 1.0
    height: float = 1.0
    radius: float = 0.14
    role: Role = "cell"
    tone: Tone = ""
    flags: frozenset[Flag] = frozenset()
    label: str = ""

    @property
    def centre(self) -> Point:
        return self.x + self.width / 2, self.y + self.height / 2


@dataclass(frozen=True, slots=True)
class Mark:
    """A piece: x, o, slash, backslash, disc, ring or dot; any other kind is written as text.

    `text` stands inside a disc or ring; `fill` from 0 to 1 draws its rim as progress.
    """

    key: str
    kind: str
    at: Point
    size: float = 0.82
    tone: Tone = ""
    text: str = ""
    fill: float | None = None
    flags: frozenset[Flag] = frozenset()


@dataclass(frozen=True, slots=True)
class Line:
    """A stroke through points; role "win" is drawn above everything."""

    key: str
    points: tuple[Point, ...]
    role: Literal["win", "grid"] = "grid"
    tone: Tone = ""
    width: float = 0.08


@dataclass(frozen=True, slots=True)
class Text:
    """Words or numbers on the board; role "coord" is small print along the rim."""

    key: str
    text: str
    at: Point
    size: float = 0.5
    tone: Tone = ""
    role: Literal["text", "coord"] = "text"


Item = Area | Mark | Line | Text


@dataclass(frozen=True, slots=True)
class Seat:
    """How a player is shown: a name ("X"), the mark it plays, and its score in words ("3 blocks")."""

    name: str
    mark: str = "disc"
    score: str = ""


@dataclass(frozen=True, slots=True)
class View:
    """One position, drawn by nobody yet.

    `paths` gives, for moves whose name is no area's key, the areas to click one after the other;
    several moves may share a path and are then told apart by `choices`. `traces` gives the areas that
    light up when the move was the last one, where that is more than its path.
    """

    size: Point
    items: tuple[Item, ...]
    seats: tuple[Seat, Seat] = (Seat("X", "x"), Seat("O", "o"))
    status: str = ""
    paths: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    choices: Mapping[int, str] = field(default_factory=dict)
    traces: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    characters: tuple[int, int] = (3, 1)  # columns and rows of a cell in the terminal

    def areas(self) -> dict[str, Area]:
        """The areas by key, in the order they are drawn."""
        return {item.key: item for item in self.items if isinstance(item, Area)}

    def path(self, move: int, name: str) -> tuple[str, ...]:
        """The keys of the areas to click, one after the other, for a move of that name."""
        return self.paths.get(move, (name,))


Symbol = tuple[str, Tone]
NOUGHTS_AND_CROSSES: Mapping[object, Symbol] = {"x": ("x", "first"), "o": ("o", "second")}
EMPTY = (None, "", ".", " ", "-")


def grid(
    cells: Sequence[Sequence[object]],
    *,
    marks: Mapping[object, Symbol] = NOUGHTS_AND_CROSSES,
    seats: tuple[Seat, Seat] = (Seat("X", "x"), Seat("O", "o")),
    status: str = "",
    win: Sequence[tuple[int, int]] = (),
    winner: int | None = None,
    paths: Mapping[int, tuple[str, ...]] | None = None,
    traces: Mapping[int, tuple[str, ...]] | None = None,
    characters: tuple[int, int] = (3, 1),
) -> View:
    """A plain board of rows and columns in one call; cell (r, c) has the key "r,c".

    A symbol in `cells` is looked up in `marks`, or else written as text; `win` lists the cells of the
    winning line and `winner` is the seat that made it.
    """
    rows, columns = len(cells), max(len(row) for row in cells)
    near, far = 0.62, 0.3  # the rim: coordinates on the near sides
    width, height = columns + near + far, rows + near + far
    items: list[Item] = [Area("board", 0, 0, width, height, 0.4, "board")]
    for r, row in enumerate(cells):
        for c, symbol in enumerate(row):
            x, y, key = near + c, near + r, f"{r},{c}"
            shown = "" if symbol in EMPTY else f", {symbol}"
            items.append(Area(key, x + 0.04, y + 0.04, 0.92, 0.92, label=f"row {r} column {c}{shown}"))
            if symbol in marks:
                kind, tone = marks[symbol]
                items.append(Mark(f"m{key}", kind, (x + 0.5, y + 0.5), tone=tone))
            elif symbol not in EMPTY:
                items.append(Text(f"t{key}", str(symbol), (x + 0.5, y + 0.5)))
    items += coordinates([near + c + 0.5 for c in range(columns)], [near + r + 0.5 for r in range(rows)])
    if win:
        middles = [(near + c + 0.5, near + r + 0.5) for r, c in win]
        items.append(
            Line("win", stretched(middles, 0.3), "win", SEAT_TONES[winner] if winner is not None else "", 0.14)
        )
    return View(
        (width, height),
        tuple(items),
        seats,
        status,
        paths or {},
        traces=traces or {},
        characters=characters,
    )


def stretched(points: Sequence[Point], past: float) -> tuple[Point, ...]:
    """A stroke through the points that goes on a little past the first and the last one."""
    if len(points) < 2:
        return tuple(points)
    ends = (_beyond(points[1], points[0], past), _beyond(points[-2], points[-1], past))
    return (ends[0], *points[1:-1], ends[1])


def _beyond(start: Point, end: Point, past: float) -> Point:
    share = past / (hypot(end[0] - start[0], end[1] - start[1]) or 1.0)
    return end[0] + share * (end[0] - start[0]), end[1] + share * (end[1] - start[1])


def coordinates(xs: Sequence[float], ys: Sequence[float], *, inset: float = 0.28) -> list[Text]:
    """Column numbers along the top and row numbers along the left side, counted from 0."""
    size = min(0.38, 0.12 + 0.0145 * max(*xs, *ys))  # larger on large boards, which are shown smaller
    across = [Text(f"rim column {i}", str(i), (x, inset), size, "muted", "coord") for i, x in enumerate(xs)]
    down = [Text(f"rim row {i}", str(i), (inset, y), size, "muted", "coord") for i, y in enumerate(ys)]
    return across + down

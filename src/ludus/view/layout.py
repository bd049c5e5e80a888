"""Where everything of a scene goes in a terminal, in characters; drawing happens elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from math import hypot

from ludus.picture import Area, Line, Mark, Point, Text, View
from ludus.view.canvas import Box, printable, text_width
from ludus.view.scene import Scene
from ludus.view.shapes import BIG
from ludus.view.tracks import NEAR, Axis, Span, lay_out

MOST_FRAMED_ROWS = 12  # a board without tiles and with more rows than this gets no frames around cells


@dataclass(frozen=True, slots=True)
class Layout:
    """Boxes of areas by key, frames around some of them, and which area each mark and text lies in."""

    view: View
    across: Axis
    down: Axis
    top: int  # the first row of the board on the sheet
    boxes: Mapping[str, Box]
    frames: Mapping[str, Box]
    inside: Mapping[str, str]  # from the key of a mark or text to that of its cell or handle
    label_end: int  # labels of rows end before this column

    @property
    def width(self) -> int:
        return self.across.length + 1

    @property
    def height(self) -> int:
        return self.down.length

    @property
    def has_tiles(self) -> bool:
        return any(area.role == "tile" for area in self.view.areas().values())

    def moved(self, rows: int) -> Layout:
        """The same layout so many rows further down."""
        boxes = {key: _lowered(box, rows) for key, box in self.boxes.items()}
        frames = {key: _lowered(box, rows) for key, box in self.frames.items()}
        return replace(self, top=self.top + rows, boxes=boxes, frames=frames)

    def place(self, at: Point) -> tuple[int, int]:
        """The character of a point; whatever lies above the first row stands on the first line."""
        y = 0 if self.down.is_before(at[1]) else self.down.at(at[1])
        return self.across.at(at[0]), self.top + y

    def tile_around(self, at: Point) -> Box | None:
        for area in self.view.areas().values():
            if area.role == "tile" and _contains(area, at):
                return self.boxes[area.key]
        return None

    def on_line(self, line: Line) -> list[str]:
        """The tiles, or else the cells, that a line goes through the middle of."""
        role = "tile" if self.has_tiles else "cell"
        areas = [area for area in self.view.areas().values() if area.role == role]
        return [area.key for area in areas if _distance(area.centre, line.points) < 0.3 * area.width]


def layout_of(scene: Scene) -> Layout:
    """Tracks from the cells and handles; room for labels on the rim, for frames, and for marks between."""
    view = scene.view
    everything = view.areas().values()
    areas = [area for area in everything if area.role in ("cell", "handle")]
    handles = [area for area in areas if area.role == "handle"]  # need no frame, but room between them
    framed = [area for area in everything if area.role == "tile"]
    if not framed and len({round(area.centre[1], 1) for area in areas}) <= MOST_FRAMED_ROWS + 1:
        framed = [area for area in areas if area.role == "cell"]
    inside = {item.key: _area_around(areas, item.at) for item in view.items if isinstance(item, Mark | Text)}
    between = any(inside[mark.key] is None for mark in _small_marks(view))
    label_end, has_top_labels = _labels(view, areas)
    across = lay_out(
        [Span(area.x, area.x + area.width, wants) for area, wants in _columns(scene, areas, inside)],
        framed=[(area.x, area.x + area.width) for area in (*framed, *handles)],
        has_marks_between=between,
        before=label_end + 1 if label_end else 1,
    )
    down = lay_out(
        [Span(a.y, a.y + a.height, 1 if a.role == "handle" else view.characters[1]) for a in areas],
        framed=[(area.y, area.y + area.height) for area in framed],
        has_marks_between=between,
        before=1 if has_top_labels else 0,
    )
    boxes = {area.key: _box(area, across, down) for area in everything if area.role != "board"}
    return Layout(
        view,
        across,
        down,
        0,
        boxes,
        {area.key: _around(boxes[area.key]) for area in framed},
        {key: area.key for key, area in inside.items() if area is not None},
        label_end,
    )


def _labels(view: View, areas: list[Area]) -> tuple[int, bool]:
    """Where labels left of the cells end, 0 without any, and whether there are labels above the cells."""
    inner = [area for area in areas if area.role == "cell"] or areas  # a button below may reach further left
    left = min((area.x for area in inner), default=0.0) - NEAR
    top = min((area.y for area in inner), default=0.0) - NEAR
    texts = [item for item in view.items if isinstance(item, Text) and item.role == "coord"]
    widths = [text_width(printable(text.text)) for text in texts if text.at[0] < left]
    return max(widths) + 1 if widths else 0, any(text.at[1] < top for text in texts)


def _columns(scene: Scene, areas: list[Area], inside: Mapping[str, Area | None]) -> Iterator[tuple[Area, int]]:
    """Each area with the columns that it wants: those of a cell, more where its text is longer."""
    view, spots = scene.view, {spot.key: text_width(spot.text) for spot in scene.hints}
    texts = [item for item in view.items if isinstance(item, Text)]
    longest: dict[str, int] = {}
    for text in texts:
        area = inside[text.key]
        if area is not None:
            longest[area.key] = max(longest.get(area.key, 0), text_width(printable(text.text)))
    cell_widths = {round(area.width, 3) for area in areas if area.role == "cell"}
    for area in areas:
        # Hints on cells must not move the board; on handles they name a choice as well and need the room.
        least = view.characters[0] if round(area.width, 3) in cell_widths else 3
        if area.role == "handle":
            least = max(least, spots.get(area.key, 0))
        yield area, max(least, longest.get(area.key, 0) + 2)


def _small_marks(view: View) -> Iterator[Mark]:
    return (item for item in view.items if isinstance(item, Mark) and item.size < BIG)


def _area_around(areas: list[Area], at: Point) -> Area | None:
    return next((area for area in areas if _contains(area, at)), None)


def _contains(area: Area, at: Point) -> bool:
    return area.x < at[0] < area.x + area.width and area.y < at[1] < area.y + area.height


def _box(area: Area, across: Axis, down: Axis) -> Box:
    left, right = across.characters(area.x, area.x + area.width)
    top, bottom = down.characters(area.y, area.y + area.height)
    return Box(left, top, right, bottom)


def _around(box: Box) -> Box:
    return Box(box.left - 1, box.top - 1, box.right + 1, box.bottom + 1)


def _lowered(box: Box, rows: int) -> Box:
    return Box(box.left, box.top + rows, box.right, box.bottom + rows)


def _distance(at: Point, points: tuple[Point, ...]) -> float:
    """From a point to the nearest point of a stroke."""
    return min(_distance_to_segment(at, *ends) for ends in pairwise((*points, points[-1])))


def _distance_to_segment(at: Point, start: Point, end: Point) -> float:
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = dx * dx + dy * dy
    along = ((at[0] - start[0]) * dx + (at[1] - start[1]) * dy) / length if length else 0.0
    share = max(0.0, min(1.0, along))
    return hypot(at[0] - start[0] - share * dx, at[1] - start[1] - share * dy)

"""A scene as SVG: whole documents for files and notebooks, keyed fragments for a page that sends changes."""

from __future__ import annotations

from functools import lru_cache

from ludus.picture import SEAT_TONES, Area, Item, Line, Mark, Text, Tone
from ludus.view.scene import Scene, Spot, description
from ludus.view.shapes import (
    BIG,
    FONT,
    Pen,
    line_item,
    mark_item,
    number,
    rectangle,
    safe,
    text_item,
    words,
)
from ludus.view.theme import PALETTES, UNIT, Palette, Theme

# Painted in this order; within a layer nothing overlaps, so that one element can be replaced alone.
LAYERS = ("ground", "areas", "under", "marks", "big", "over", "top", "hit")
Fragments = dict[str, dict[str, str]]
MARGIN = 0.25  # of page around the board, in board units


def svg_document(scene: Scene, theme: Theme = "light", width: int = 640, *, caption: bool = False) -> str:
    """A file that stands alone, `width` pixels wide: colours resolved, no scripts, no style sheet, no ids.

    With a caption, the title, the players and the status stand above the board.
    """
    palette = PALETTES[theme]
    pen = Pen(palette, line_weight(scene))
    board_width, board_height = (UNIT * side for side in scene.view.size)
    margin = UNIT * MARGIN
    pixel = (board_width + 2 * margin) / width
    head = _caption(pen, scene, board_width, pixel) if caption else ""
    head_height = CAPTION_HEIGHT * pixel if caption else 0.0
    left, top = -margin, -margin - head_height
    full_width, full_height = board_width + 2 * margin, board_height + 2 * margin + head_height
    layers = fragments(scene, palette)
    body = "".join(f"<g>{''.join(layer.values())}</g>" for layer in layers.values() if layer)
    box = " ".join(map(number, (left, top, full_width, full_height)))
    page = pen.element("rect", "page", x=left, y=top, width=full_width, height=full_height)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{width}" '
        f'height="{round(full_height / pixel)}" role="img" font-family="{safe(FONT)}" text-anchor="middle">'
        f"<title>{safe(scene.title)}</title><desc>{safe(description(scene))}</desc>"
        f"{page}{head}{body}</svg>\n"
    )


def fragments(scene: Scene, palette: Palette | None = None) -> Fragments:
    """The elements of each layer by key.

    With a palette they have resolved colours. Without, they have class names for `theme.style_sheet`, a
    `data-key`, and a layer of hit areas, which never changes while the areas stay: what may be clicked is
    told by `Scene.legal_keys`.
    """
    pen = Pen(palette, line_weight(scene))
    layers: Fragments = {layer: {} for layer in LAYERS}
    draw = _item_again if palette is None else _item
    for item in scene.view.items:
        layer, drawn = draw(pen, item, scene.mover_tone if "target" in getattr(item, "flags", ()) else "")
        layers[layer][item.key] = drawn
    areas = scene.view.areas()
    for key in scene.last:
        layers["under"][f"last {key}"] = rectangle(pen, areas[key], "last", key=f"last {key}")
        layers["over"][f"last ring {key}"] = rectangle(pen, areas[key], "last-ring", key=f"last ring {key}")
    if palette is not None:  # a page shows what is legal in its own way, and changes it without new elements
        for key in sorted(scene.legal_keys - {spot.key for spot in (*scene.hints, *scene.best_line)}):
            if areas[key].role == "cell":
                layers["under"][f"legal {key}"] = _legal_dot(pen, scene, areas[key])
    for spot in scene.best_line:
        layers["over"][f"line {spot.key}"] = _number_in_line(pen, areas[spot.key], spot)
    for spot in scene.hints:
        layers["over"][f"hint {spot.key}"] = _hint(pen, areas[spot.key], spot)
    if palette is None:
        for area in areas.values():
            if area.role in ("cell", "handle"):
                layers["hit"][f"hit {area.key}"] = _hit_area_again(pen, area)
    return layers


def line_weight(scene: Scene) -> float:
    """How heavy lines are, relative to a board of ten cells."""
    return max(0.55, min(1.7, max(scene.view.size) / 10.2))


def _item(pen: Pen, item: Item, target_tone: Tone) -> tuple[str, str]:
    """The layer of an item, and the item as SVG; where the next move must go, that has a tone."""
    if isinstance(item, Area):
        classes: list[str] = [item.role, item.tone, *sorted(item.flags)]
        is_target = "target" in item.flags
        if target_tone:
            classes.append(f"to-{target_tone}")
        grow = 0.04 if is_target and item.role == "tile" else 0.0
        layer = "ground" if item.role in ("board", "tile") else "areas"
        return layer, rectangle(pen, item, " ".join(filter(None, classes)), grow=grow)
    if isinstance(item, Mark):
        # Discs may lie where cells meet, so they go above the marks inside the cells.
        layer = "big" if item.size >= BIG else "top" if item.kind in ("disc", "ring") else "marks"
        return layer, mark_item(pen, item)
    if isinstance(item, Line):
        return ("over" if item.role == "win" else "under"), line_item(pen, item)
    assert isinstance(item, Text)
    return "marks", text_item(pen, item)


def _legal_dot(pen: Pen, scene: Scene, area: Area) -> str:
    x, y = (UNIT * along for along in area.centre)
    radius = UNIT * min(area.width, area.height) * 0.08
    return pen.element("circle", f"piece {scene.mover_tone} legal", cx=x, cy=y, r=radius)


def _hint(pen: Pen, area: Area, spot: Spot) -> str:
    """The chance on a disc, or on a bar where it comes with a choice; the best one framed."""
    x, y = (UNIT * along for along in area.centre)
    size = UNIT * min(area.width, area.height)
    best = "best" if spot.is_best else ""
    is_bar = len(spot.text) > 4
    letter = min(0.3 * size, (0.8 if is_bar else 0.92) * UNIT * area.width / (0.62 * len(spot.text)))
    half_height = letter if is_bar else 0.42 * size
    half_width = min(0.47 * UNIT * area.width, letter * (0.31 * len(spot.text) + 0.3)) if is_bar else half_height
    ground = pen.element(
        "rect",
        f"hint {best}".strip(),
        x=x - half_width,
        y=y - half_height,
        width=2 * half_width,
        height=2 * half_height,
        rx=half_height,
    )
    ring = rectangle(pen, area, "hint-ring", grow=-0.02) if spot.is_best else ""
    text = words(pen, spot.text, (x, y), letter, "on" if spot.is_best else "good", font_weight="700")
    return pen.element("g", "", ring + ground + text, **pen.key(f"hint {spot.key}"))


def _number_in_line(pen: Pen, area: Area, spot: Spot) -> str:
    x, y = (UNIT * along for along in area.centre)
    size = UNIT * min(area.width, area.height)
    ground = pen.element("circle", f"wash {spot.tone}", cx=x, cy=y, r=0.33 * size)
    rim = pen.element("circle", f"ink {spot.tone}", cx=x, cy=y, r=0.33 * size, stroke_width=0.045 * size)
    text = words(pen, spot.text, (x, y), 0.38 * size, spot.tone, font_weight="700")
    return pen.element("g", "", ground + rim + text, **pen.key(f"line {spot.key}"))


def _hit_area(pen: Pen, area: Area) -> str:
    box = rectangle(pen, area, "hit", key=f"hit {area.key}")
    return pen.element(
        "g", "", box, role="button", aria_label=area.label or area.key, data_area=area.key, tabindex="-1"
    )


# A page draws the same things after every move; to look them up is five times as fast.
_item_again = lru_cache(maxsize=20_000)(_item)
_hit_area_again = lru_cache(maxsize=10_000)(_hit_area)


# ---- the caption, laid out in pixels so that its text has one size above boards of any size

CAPTION_HEIGHT = 100
LETTER = 0.56  # mean width of a letter, as a share of the font size


def _caption(pen: Pen, scene: Scene, board_width: float, pixel: float) -> str:
    """Title and status on the left, under them the two players with marks and scores."""
    size = 20 * pixel
    title = shortened(scene.title, board_width, size)
    head = words(pen, title, (0, -86 * pixel), size, font_weight="700", text_anchor="start")
    size = min(15 * pixel, max(11 * pixel, board_width / (LETTER * max(1, len(scene.status)))))
    status = shortened(scene.status, board_width, size)
    head += words(pen, status, (0, -59 * pixel), size, scene.mover_tone, text_anchor="start")
    return f"<g>{head}{''.join(_player(pen, scene, seat, board_width / 2, pixel) for seat in (0, 1))}</g>"


def _player(pen: Pen, scene: Scene, seat: int, room: float, pixel: float) -> str:
    """A badge with the mark, the name and the score; the badge of the one to move is framed."""
    shown, tone, side = scene.view.seats[seat], SEAT_TONES[seat], 26 * pixel
    x, y = seat * room, -27 * pixel
    frame = Area("", x / UNIT, (y - side / 2) / UNIT, side / UNIT, side / UNIT, 0.3 * side / UNIT)
    classes = f"tile {tone}" + (f" target to-{tone}" if scene.mover == seat else "")
    badge = rectangle(Pen(pen.palette, pixel / 4), frame, classes)
    share = {"disc": 0.5, "ring": 0.5, "slash": 0.55, "backslash": 0.55}.get(shown.mark, 0.9)
    mark = mark_item(pen, Mark("", shown.mark, frame.centre, share * side / UNIT, tone))
    letter, before = 14 * pixel, side + 9 * pixel
    name = shortened(scene.seat_title(seat), room - before - LETTER * letter * (len(shown.score) + 3), letter)
    score = pen.element("tspan", "text muted", safe(shown.score), dx=8 * pixel, font_weight="500")
    text = pen.element(
        "text",
        "text",
        safe(name) + (score if shown.score else ""),
        x=x + before,
        y=y + 0.355 * letter,
        font_size=letter,
        font_weight="600",
        text_anchor="start",
    )
    return badge + mark + text


def shortened(text: str, room: float, size: float) -> str:
    """The text, cut with an ellipsis where it would not fit into the room."""
    most = max(3, int(room / (LETTER * size)))
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"

"""A scene as characters: coloured for a terminal, and just as readable with no colours or in pure ASCII.

Everything that colour says is also said by a character: the target by a heavy frame, the last move by
brackets, legal cells by a dot, a won block by a large mark, the winning line by heavy frames.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludus.picture import SEAT_TONES, Area, Line, Mark, Text, Tone
from ludus.view.canvas import HEAVY, LIGHT, Box, Canvas, Pencil, cut, printable, text_width
from ludus.view.layout import Layout, layout_of
from ludus.view.scene import Scene, Spot
from ludus.view.shapes import BIG
from ludus.view.theme import PALETTES, Palette, Theme

if TYPE_CHECKING:
    from rich.text import Text as RichText

GLYPHS = {"x": "X", "o": "O", "slash": "╱", "backslash": "╲", "dot": "•", "disc": "●", "ring": "○"}
DIAGONALS = {"slash": "▗▞▘", "backslash": "▝▚▖"}  # from corner to corner of a cell
WIDEST = 80  # columns of a header


def board_text(scene: Scene, theme: Theme = "dark", *, ascii: bool = False) -> RichText:
    """The board alone, on a painted ground."""
    return as_rich(board_canvas(scene, PALETTES[theme]), ascii=ascii)


def position_text(scene: Scene, theme: Theme = "dark", *, ascii: bool = False) -> RichText:
    """Title, players with their scores, status, and the board."""
    return as_rich(position_canvas(scene, PALETTES[theme]), ascii=ascii)


def board_lines(scene: Scene, *, ascii: bool = False) -> list[str]:
    """The board as plain lines without trailing blanks."""
    return board_canvas(scene, PALETTES["dark"]).rows(ascii=ascii)


def position_lines(scene: Scene, *, ascii: bool = False) -> list[str]:
    """What `position_text` shows as plain lines without trailing blanks."""
    return position_canvas(scene, PALETTES["dark"]).rows(ascii=ascii)


def as_rich(canvas: Canvas, *, ascii: bool) -> RichText:
    """A sheet of characters with its colours."""
    from rich.style import Style  # noqa: PLC0415  importing ludus.view must stay cheap
    from rich.text import Text as RichText  # noqa: PLC0415

    text = RichText(no_wrap=True, overflow="crop")
    for y in range(canvas.height):
        if y:
            text.append("\n")
        for piece, look in canvas.runs(y, ascii=ascii):
            text.append(piece, Style(color=look.colour or None, bgcolor=look.ground or None, bold=look.bold))
    return text


# ---- the header


def position_canvas(scene: Scene, palette: Palette) -> Canvas:
    """Title, players with their scores, status, and the board on a sheet of characters."""
    layout = layout_of(scene)
    rows = _header(scene, palette)
    widest = max(sum(text_width(printable(piece)) for piece, _ in row) for row in rows)
    canvas = Canvas(max(layout.width, min(WIDEST, widest + 1)), len(rows) + 1 + layout.height, palette.board)
    for y, row in enumerate(rows):
        x = 0
        for piece, look in row:
            canvas.write(x, y, piece, look)
            x += text_width(printable(piece))
    _draw(canvas, scene, palette, layout.moved(len(rows) + 1))
    return canvas


def _header(scene: Scene, palette: Palette) -> list[list[tuple[str, Pencil]]]:
    dim, ink = Pencil(palette.dim), Pencil(palette.ink, bold=True)
    players: list[tuple[str, Pencil]] = []
    for seat, shown in enumerate(scene.view.seats):
        tone = Pencil(palette[SEAT_TONES[seat]], bold=True)
        glyph = "" if shown.mark in ("x", "o") else f"{sign_of(shown.mark, SEAT_TONES[seat])} "
        marker = "▸ " if scene.mover == seat else "  "
        score = f"  {shown.score}" if shown.score else ""
        room = WIDEST // 2 - 6 - len(glyph) - len(score)
        name = cut(printable(scene.seat_title(seat)), room)
        players += [(f" {marker}{glyph}{name}", tone), (f"{score}   ", dim)]
    status = _ink(palette, scene.mover_tone)
    last = f"   last move {scene.last_name}" if scene.last_name else ""
    return [
        [(f" {cut(printable(scene.title), WIDEST - 2)}", ink)],
        players,
        [
            (f" {cut(printable(scene.status), WIDEST - 2 - len(last))}", Pencil(status, bold=True)),
            (last, dim),
        ],
    ]


# ---- the board


def board_canvas(scene: Scene, palette: Palette) -> Canvas:
    """The board alone on a sheet of characters; `layout_of` says where on it each area lies."""
    layout = layout_of(scene)
    canvas = Canvas(layout.width, layout.height, palette.board)
    _draw(canvas, scene, palette, layout)
    return canvas


def _draw(canvas: Canvas, scene: Scene, palette: Palette, layout: Layout) -> None:
    _draw_areas(canvas, scene, palette, layout)
    _draw_dots(canvas, scene, palette, layout)
    marks = [item for item in scene.view.items if isinstance(item, Mark)]
    for mark in marks:
        if mark.size < BIG and "faded" not in mark.flags:
            _draw_mark(canvas, mark, palette, layout)
    for item in scene.view.items:
        if isinstance(item, Text):
            _draw_words(canvas, item, palette, layout)
    for mark in marks:
        if mark.size >= BIG:
            _draw_big(canvas, mark, palette, layout)
    _draw_last(canvas, scene, palette, layout)
    for spot in (*scene.best_line, *scene.hints):
        _draw_spot(canvas, spot, palette, layout)


def _ink(palette: Palette, tone: Tone) -> str:
    """The colour of text in a tone."""
    return palette.ink if tone == "" else palette.dim if tone == "muted" else palette[f"{tone}_deep"]


def _ground(scene: Scene, area: Area, palette: Palette) -> str:
    if "target" in area.flags and scene.mover is not None:
        return palette[f"{scene.mover_tone}_wash"]
    if area.tone not in ("", "muted"):
        return palette[f"{area.tone}_wash"]
    if "dead" in area.flags:
        return palette.dead
    if "off" in area.flags or area.role == "board":
        return palette.board
    return palette.cell if area.role == "cell" else palette.tile


def _draw_areas(canvas: Canvas, scene: Scene, palette: Palette, layout: Layout) -> None:
    """Grounds and light frames first, then heavy frames, so that those stay whole where frames meet."""
    heavy: dict[str, str] = {}
    cells_show_their_tile = layout.has_tiles
    for item in scene.view.items:
        if isinstance(item, Line) and item.role == "win":
            colour = palette[item.tone] if item.tone in SEAT_TONES else palette.good
            heavy |= dict.fromkeys(layout.on_line(item), colour)
    for key, area in scene.view.areas().items():
        if key not in layout.boxes:
            continue
        if area.role != "cell" or not cells_show_their_tile:
            canvas.fill(layout.boxes[key], _ground(scene, area, palette))
        if area.role == "cell" and area.tone == "good":
            heavy[key] = palette.good
        if "target" in area.flags:
            heavy[key] = palette[scene.mover_tone] if scene.mover_tone else palette.ink
        if key in layout.frames:
            canvas.frame(layout.frames[key], LIGHT, palette.track)
    for key, colour in heavy.items():
        if key in layout.frames:
            canvas.frame(layout.frames[key], HEAVY, colour)
        elif key in layout.boxes:
            _bracket(canvas, layout.boxes[key], "()", Pencil(colour, bold=True))


def _draw_dots(canvas: Canvas, scene: Scene, palette: Palette, layout: Layout) -> None:
    """A dot on every empty cell that a legal move may be begun with."""
    if scene.mover is None:
        return
    areas, taken = scene.view.areas(), set(layout.inside.values())
    for key in sorted(scene.legal_keys - taken):
        if areas[key].role == "cell":
            canvas.centre(layout.boxes[key], "·", Pencil(palette[scene.mover_tone]))


def _draw_mark(canvas: Canvas, mark: Mark, palette: Palette, layout: Layout) -> None:
    x, y = layout.place(mark.at)
    if mark.text:
        text = _with_state(mark)
        is_own = mark.tone in SEAT_TONES
        ground = palette[f"{mark.tone}_deep"] if is_own else ""
        colour = palette.on if is_own else _ink(palette, mark.tone)
        left = x - (len(text) - 1) // 2  # two characters: the number stands on the point itself
        canvas.write(left, y, text, Pencil(colour, ground, bold=mark.tone != "muted"))
        return
    colour = palette.ink if mark.tone == "" else palette.track if mark.tone == "muted" else palette[mark.tone]
    if "dead" in mark.flags:
        colour = palette.dim
    glyph = sign_of(mark.kind, mark.tone)
    if mark.key in layout.inside and layout.view.characters[0] >= 3:
        glyph = DIAGONALS.get(mark.kind, glyph)
    canvas.write(x - text_width(glyph) // 2, y, glyph, Pencil(colour, bold="dead" not in mark.flags))


def sign_of(kind: str, tone: Tone) -> str:
    """The character of a mark; the second player's discs are hollow, to be told apart without colours."""
    if kind == "disc" and tone == SEAT_TONES[1]:
        return GLYPHS["ring"]
    return GLYPHS.get(kind, printable(kind))


def _with_state(mark: Mark) -> str:
    """A disc with a number in three characters: (3) open, 1/3 on its way, 3✓ done, 3× never."""
    text = printable(mark.text)
    if mark.tone in (*SEAT_TONES, "good"):
        return f"{text}✓" if mark.fill is None else f"({text})"
    if mark.tone == "muted":
        return f"{text}×"
    if mark.fill and text.isdecimal():
        return f"{round(mark.fill * int(text))}/{text}"
    return f"({text})"


def _draw_words(canvas: Canvas, text: Text, palette: Palette, layout: Layout) -> None:
    box = layout.boxes.get(layout.inside.get(text.key, ""))
    shown, look = printable(text.text), Pencil(_ink(palette, text.tone), bold=text.role != "coord")
    if box is not None:
        canvas.centre(box, shown, look)
        return
    x, y = layout.place(text.at)
    is_row_label = layout.across.is_before(text.at[0])
    left = layout.label_end - text_width(shown) if is_row_label else x - (text_width(shown) - 1) // 2
    canvas.write(left, y, shown, look)


def _draw_big(canvas: Canvas, mark: Mark, palette: Palette, layout: Layout) -> None:
    """A mark as large as its tile, in half blocks, which are about square."""
    box = layout.tile_around(mark.at)
    colour = palette[mark.tone] if mark.tone in SEAT_TONES else palette.ink
    look = Pencil(colour, bold=True, ascii=mark.kind.upper())
    if box is None or mark.kind not in ("x", "o"):
        _draw_mark(canvas, mark, palette, layout)
        return
    width, height = box.right - box.left, box.bottom - box.top
    down = 2 * height
    slack = 2 if mark.kind == "x" else 1  # a cross a little wider than high has arms of even weight
    across = min(width, down + slack - (width - down - slack) % 2)  # the width's parity, to stand in the middle
    left = box.left + (width - across) // 2
    for y in range(height):
        for x in range(across):
            upper, lower = (_is_inked(mark.kind, x, 2 * y + half, across, down) for half in (0, 1))
            block = "█" if upper and lower else "▀" if upper else "▄" if lower else " "
            canvas.write(left + x, box.top + y, block, look)


def _is_inked(kind: str, x: int, y: int, across: int, down: int) -> bool:
    u, v = abs((2 * x + 1) / across - 1), abs((2 * y + 1) / down - 1)
    if kind == "x":
        return abs(u - v) <= 1.6 / down
    return 0.36 <= u * u + v * v <= 1.12


def _draw_last(canvas: Canvas, scene: Scene, palette: Palette, layout: Layout) -> None:
    """The areas of the last move on their own ground, between brackets."""
    for key in scene.last:
        box = layout.boxes.get(key)
        if box is None:
            continue
        canvas.fill(box, palette.last)
        for item in scene.view.items:
            if isinstance(item, Mark) and layout.inside.get(item.key) == key and item.size < BIG:
                canvas.clear(box)
                _draw_mark(canvas, item, palette, layout)
        _bracket(canvas, box, "[]", Pencil(palette.last_edge, bold=True))


def _bracket(canvas: Canvas, box: Box, pair: str, look: Pencil) -> None:
    middle = (box.top + box.bottom - 1) // 2
    canvas.write(box.left, middle, pair[0], look)
    canvas.write(box.right - 1, middle, pair[1], look)


def _draw_spot(canvas: Canvas, spot: Spot, palette: Palette, layout: Layout) -> None:
    box = layout.boxes.get(spot.key)
    if box is None:
        return
    ground = palette.good_deep if spot.is_best else palette[f"{spot.tone}_wash"]
    look = Pencil(palette.on if spot.is_best else _ink(palette, spot.tone), ground, bold=True)
    canvas.fill(box, ground)
    fits = text_width(spot.text) <= box.right - box.left
    canvas.centre(box, spot.text if fits else spot.text.rstrip("%"), look)

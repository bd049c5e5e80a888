"""The board as a widget: a cursor for keys and mouse, and messages of the areas that are pointed at."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from ludus.picture import Area
from ludus.screens.picking import key_at, nearest_legal, neighbour, targets
from ludus.view.canvas import Box, Canvas, Pencil
from ludus.view.layout import Layout, layout_of
from ludus.view.scene import Scene
from ludus.view.terminal import as_rich, board_canvas, sign_of
from ludus.view.theme import PALETTES, Palette, Theme

STEPS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


class Board(Static, can_focus=True):
    """Shows a scene. It knows no rule: what a click means is for whoever hears of it."""

    DEFAULT_CSS = "Board { width: auto; height: auto; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key, f"step('{key}')", show=False) for key in STEPS),
        Binding("enter", "point", "Play here", show=False),
    ]

    class Pointed(Message):
        """An area was clicked, or entered with the cursor on it."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    class Moved(Message):
        """The cursor stands elsewhere."""

        def __init__(self, area: Area) -> None:
            super().__init__()
            self.area = area

    def __init__(self, *, has_cursor: bool = True, id: str | None = None) -> None:
        super().__init__("", id=id)
        self.has_cursor = has_cursor
        self.can_focus = has_cursor
        self.cursor: str | None = None
        self.picked: tuple[str, ...] = ()
        self.scene: Scene | None = None
        self.shape: Layout | None = None
        self.palette: Theme = "dark"

    def show(self, scene: Scene, theme: Theme, *, picked: tuple[str, ...] = ()) -> None:
        """Draw a position; the cursor stays where it is, if there is still something."""
        self.scene, self.shape, self.palette, self.picked = scene, layout_of(scene), theme, picked
        if self.cursor not in self.shape.boxes:
            self.cursor = neighbour(self.shape, scene, None, 0, 0) if self.has_cursor else None
        self._draw()

    def go_to_legal(self) -> None:
        """Put the cursor where a move can be made, as near as possible."""
        if self.scene is not None and self.shape is not None and self.has_cursor:
            self.cursor = nearest_legal(self.shape, self.scene, self.cursor)
            self._draw()
            self.call_after_refresh(self._scroll)

    def action_step(self, way: str) -> None:
        if self.scene is not None and self.shape is not None and self.has_cursor:
            self._move_to(neighbour(self.shape, self.scene, self.cursor, *STEPS[way]))

    def action_point(self) -> None:
        if self.cursor is not None:
            self.post_message(self.Pointed(self.cursor))

    def on_click(self, event: events.Click) -> None:
        key = self._key_under(event)
        if key is not None:
            self._move_to(key)
            self.post_message(self.Pointed(key))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        key = self._key_under(event)
        if key is not None and key != self.cursor:
            self._move_to(key)

    def place_of(self, key: str) -> tuple[int, int]:
        """The middle of an area, in characters from the board's upper left corner."""
        assert self.shape is not None
        box = self.shape.boxes[key]
        return (box.left + box.right - 1) // 2, (box.top + box.bottom - 1) // 2

    def _key_under(self, event: events.MouseEvent) -> str | None:
        if self.scene is None or self.shape is None or not self.has_cursor:
            return None
        at = event.get_content_offset(self)
        return None if at is None else key_at(self.shape, self.scene, at.x, at.y)

    def _move_to(self, key: str | None) -> None:
        if key is None or self.scene is None or self.shape is None:
            return
        self.cursor = key
        self._draw()
        self._scroll()
        self.post_message(self.Moved(self.scene.view.areas()[key]))

    def _scroll(self) -> None:
        """Keep the cursor in sight where the board is larger than its place."""
        box = None if self.shape is None or self.cursor is None else self.shape.boxes.get(self.cursor)
        if box is not None and isinstance(self.parent, Widget):
            region = Region(box.left - 1, box.top - 1, box.right - box.left + 2, box.bottom - box.top + 2)
            self.parent.scroll_to_region(region, animate=False)

    def _draw(self) -> None:
        assert self.scene is not None and self.shape is not None
        palette = PALETTES[self.palette]
        canvas = board_canvas(self.scene, palette)
        if self.picked:
            for key in targets(self.scene, self.picked) | set(self.picked):
                canvas.fill(self.shape.boxes[key], palette[f"{self.scene.mover_tone or 'good'}_wash"])
        if self.has_cursor and self.cursor is not None:
            _draw_cursor(canvas, self.scene, self.shape.boxes[self.cursor], self.cursor, palette)
        self.update(as_rich(canvas, ascii=False))


def _draw_cursor(canvas: Canvas, scene: Scene, box: Box, key: str, palette: Palette) -> None:
    """The area reversed, in the mover's colour where a move may begin; an empty cell shows the mark to come."""
    is_legal = key in scene.legal_keys and scene.mover is not None
    ground = palette[f"{scene.mover_tone}_deep"] if is_legal else palette.dim
    canvas.fill(box, ground)
    for y in range(box.top, box.bottom):
        for x in range(box.left, box.right):
            canvas.colours[y][x] = palette.on
    middle = (box.top + box.bottom - 1) // 2
    shown = "".join(canvas.letters[middle][box.left : box.right]).strip()
    if is_legal and shown == "·" and scene.mover is not None:
        seat = scene.view.seats[scene.mover]
        canvas.centre(box, sign_of(seat.mark, scene.mover_tone), Pencil(palette.on, ground, bold=True))

"""The view of a game that has none: the fields of its state in words, and its moves as buttons."""

from __future__ import annotations

from collections.abc import Mapping

from ludus.picture import Area, Item, Point, Role, Seat, Text, View
from ludus.rules import State

LONGEST = 26  # characters of a field or a move
MOST_COLUMNS = 6
LETTER = 0.2  # width of a character in board units
ROW = 0.8
RIM = 0.3
SEATS = (Seat("First player"), Seat("Second player"))


def plain_view(title: str, state: State, names: Mapping[int, str]) -> View:
    """Fields above, moves below, in columns wide enough for the longest of them."""
    labels = getattr(state, "_fields", tuple(str(index) for index in range(len(state))))
    fields = {f"field {label}": f"{label}: {value}" for label, value in zip(labels, state, strict=True)}
    moves = {name: name for name in names.values()}
    letters = min(LONGEST, max(map(len, (*fields.values(), *moves, "0" * 6))))
    columns = max(1, min(MOST_COLUMNS, 72 // (letters + 3), max(len(fields), len(moves))))
    width, gap = letters * LETTER + 0.4, 0.3 if moves else 0.0
    field_rows, move_rows = (-(-len(texts) // columns) for texts in (fields, moves))
    below = RIM + gap + ROW * field_rows
    groups: tuple[tuple[Role, dict[str, str], float], ...] = (("cell", fields, RIM), ("handle", moves, below))
    items: list[Item] = []
    for role, texts, top in groups:
        for index, (key, text) in enumerate(texts.items()):
            row, column = divmod(index, columns)
            items += _labelled(key, text, (RIM + column * width, top + row * ROW), width, role)
    size = (2 * RIM + columns * width, below + ROW * move_rows + RIM)
    board = Area("board", 0, 0, *size, 0.3, "board", label=title)
    return View(size, (board, *items), SEATS, characters=(letters + 2, 1))


def _labelled(key: str, text: str, corner: Point, width: float, role: Role) -> list[Item]:
    area = Area(key, corner[0] + 0.05, corner[1] + 0.05, width - 0.1, ROW - 0.1, 0.16, role, label=text)
    shown = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
    return [area, Text(f"text {key}", shown, area.centre, 0.32)]

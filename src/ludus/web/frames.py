"""What a browser is told of a scene: whole once, and then only what changed; for every page with a board."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ludus.picture import SEAT_TONES, Mark
from ludus.view.scene import Scene, description
from ludus.view.shapes import Pen, mark_item
from ludus.view.svg import Fragments, fragments, line_weight

Frame = dict[str, Any]
SIZES = {"slash": 0.94, "backslash": 0.94, "disc": 0.5, "ring": 0.5}  # of a mark in a cell of 1, where not 0.82


@dataclass(frozen=True, eq=False)
class Picture:
    """Everything that a page with a board is told of one position, for viewers who may all do the same."""

    layers: Fragments
    size: tuple[float, float]
    weight: float
    ply: int
    mover: int | None
    status: str
    say: str
    seats: tuple[dict[str, str], ...]
    marks: tuple[str, str]  # of the seats, drawn around (0, 0) for a cell of one board unit
    moves: tuple[tuple[int, tuple[str, ...], str, str], ...]  # with areas, name and choice; none for who may not move
    legal: tuple[str, ...]

    def without_moves(self) -> Picture:
        """The same position for somebody who only looks on."""
        return replace(self, moves=(), legal=())


def picture_of(scene: Scene, *, may_move: bool, ply: int = 0, status: str | None = None) -> Picture:
    """The picture of a scene; a status that is given takes the place of the scene's own."""
    view = scene.view
    told = scene.status if status is None else status
    seats = tuple(
        {"name": seat.name, "player": scene.players[number], "score": seat.score}
        for number, seat in enumerate(view.seats)
    )
    moves = tuple((move, path, scene.names[move], view.choices.get(move, "")) for move, path in scene.paths.items())
    return Picture(
        layers=fragments(scene),
        size=view.size,
        weight=round(line_weight(scene), 4),
        ply=ply,
        mover=scene.mover,
        status=told,
        say=_said(scene, told),
        seats=seats,
        marks=(_mark(scene, 0), _mark(scene, 1)),
        moves=moves if may_move else (),
        legal=tuple(sorted(scene.legal_keys)) if may_move else (),
    )


def changes(before: Picture | None, after: Picture, *, still: bool = False) -> Frame:
    """The frame that leads a page from one picture to the other; from None it is whole, and nothing moves in it."""
    shown = {} if before is None else before.layers
    changed = {layer: _changed(shown.get(layer, {}), drawn) for layer, drawn in after.layers.items()}
    gone = [[layer, key] for layer, drawn in shown.items() for key in drawn if key not in after.layers[layer]]
    frame: Frame = {
        "is": "frame",
        "full": before is None,
        "size": list(after.size),
        "weight": after.weight,
        "ply": after.ply,
        "still": still or before is None,
        "set": {layer: drawn for layer, drawn in changed.items() if drawn},
        "del": gone,
        "mover": after.mover,
        "status": after.status,
        "say": after.say,
        "seats": list(after.seats),
        "moves": [[move, list(path), name, choice] for move, path, name, choice in after.moves],
        "legal": list(after.legal),
    }
    if before is None or before.marks != after.marks:
        frame["marks"] = list(after.marks)
    return frame


def _changed(before: dict[str, str], after: dict[str, str]) -> dict[str, str]:
    return {key: drawn for key, drawn in after.items() if before.get(key) != drawn}


def _said(scene: Scene, status: str) -> str:
    """The last move and how things stand, for those who hear the board."""
    sentence = description(scene)
    last = ""
    if scene.last_name and scene.last_seat is not None:
        last = f"{scene.seat_title(scene.last_seat)} played {scene.last_name}. "
    sentence = sentence.removesuffix(f" Last move {scene.last_name}.").replace(f"{scene.status}.", f"{status}.", 1)
    return last + sentence


def _mark(scene: Scene, seat: int) -> str:
    kind = scene.view.seats[seat].mark
    return mark_item(Pen(None), Mark("", kind, (0, 0), SIZES.get(kind, 0.82), SEAT_TONES[seat]))

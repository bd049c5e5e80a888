"""Which move somebody means who points at areas of a board: at one, or at several, with a choice after them."""

from __future__ import annotations

from typing import NamedTuple

from ludus.errors import MoveError
from ludus.rules import Game, State
from ludus.view.canvas import Box
from ludus.view.layout import Layout
from ludus.view.scene import Scene

SIDEWAYS = 3.0  # a step to the right prefers what lies right of here to what is near


class Picked(NamedTuple):
    """How far the pointing has come: a move, or the areas so far, or several moves that they all mean."""

    move: int | None = None
    keys: tuple[str, ...] = ()
    choices: tuple[int, ...] = ()
    complaint: str = ""


def pick(game: Game, state: State, scene: Scene, keys: tuple[str, ...], key: str) -> Picked:
    """Point at one more area after `keys`; one that leads nowhere begins anew, and says why if no move begins there."""
    for path in ((*keys, key), (key,)) if keys else ((key,),):
        fitting = [move for move, steps in scene.paths.items() if steps[: len(path)] == path]
        whole = [move for move in fitting if scene.paths[move] == path]
        if len(fitting) == 1:
            return Picked(move=fitting[0])
        if len(whole) > 1 and whole == fitting:
            return Picked(keys=path, choices=tuple(whole))
        if fitting:
            return Picked(keys=path)
    return Picked(complaint=_why_not(game, state, scene, key))


def _why_not(game: Game, state: State, scene: Scene, key: str) -> str:
    for move in range(game.move_limit):
        if scene.view.path(move, game.move_name(move))[0] == key:
            try:
                game.legal_move(state, game.move_name(move))
            except MoveError as error:
                return str(error)
    area = scene.view.areas()[key]
    return f"no move begins at {area.label or key}"


def targets(scene: Scene, keys: tuple[str, ...]) -> frozenset[str]:
    """The areas that the next click may go to."""
    count = len(keys)
    return frozenset(path[count] for path in scene.paths.values() if len(path) > count and path[:count] == keys)


def key_at(layout: Layout, scene: Scene, x: int, y: int) -> str | None:
    """The area of a character of the board: the smallest one there, frames around cells included."""
    boxes = {key: layout.boxes[key] for key in pointable(layout, scene)}
    inside = [key for key, box in boxes.items() if _covers(box, x, y)]
    return min(inside, key=lambda key: _size(boxes[key]), default=None)


def pointable(layout: Layout, scene: Scene) -> list[str]:
    """The areas that a cursor goes over: cells and handles, and whatever else a move begins with."""
    areas, wanted = scene.view.areas(), {key for path in scene.paths.values() for key in path}
    return [key for key in layout.boxes if areas[key].role in ("cell", "handle") or key in wanted]


def neighbour(layout: Layout, scene: Scene, key: str | None, dx: int, dy: int) -> str | None:
    """The next area in a direction; from nowhere the first that a move may begin with."""
    keys = pointable(layout, scene)
    if key is None or key not in layout.boxes:
        legal = [one for one in keys if one in scene.legal_keys]
        return next(iter(legal or keys), None)
    here = _middle(layout.boxes[key])

    def distance(other: str) -> float:
        x, y = _middle(layout.boxes[other])
        along = (x - here[0]) * dx + (y - here[1]) * dy
        across = abs((x - here[0]) * dy) + abs((y - here[1]) * dx)
        return along + SIDEWAYS * across if along > 0.1 else float("inf")

    best = min(keys, key=distance, default=None)
    return key if best is None or distance(best) == float("inf") else best


def nearest_legal(layout: Layout, scene: Scene, key: str | None) -> str | None:
    """The area nearest to the cursor that a move may begin with; where none may, the cursor stays."""
    if key is None or key not in layout.boxes or key in scene.legal_keys or not scene.legal_keys:
        return key
    x, y = _middle(layout.boxes[key])
    places = {one: _middle(layout.boxes[one]) for one in sorted(scene.legal_keys)}
    return min(places, key=lambda one: (places[one][0] - x) ** 2 + (places[one][1] - y) ** 2)


def _middle(box: Box) -> tuple[float, float]:
    """In rows: a character is about twice as high as wide."""
    return (box.left + box.right) / 4, (box.top + box.bottom) / 2


def _covers(box: Box, x: int, y: int) -> bool:
    return box.left <= x < box.right and box.top <= y < box.bottom


def _size(box: Box) -> int:
    return (box.right - box.left) * (box.bottom - box.top)

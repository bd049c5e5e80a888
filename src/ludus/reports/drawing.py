"""Recorded games as frames that a browser can show: what changes on the board with every ply, by number.

All games share a book of looks (one SVG element each), so that a whole game is a few kilobytes: a frame says which
looks appear, as numbers of the book, and which slots become empty, as -1 - slot.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from ludus.picture import Area, Item, View
from ludus.records import Record, Replay, parse_record, replay
from ludus.rules import Game
from ludus.view.plain_view import plain_view
from ludus.view.scene import Scene, plain_status
from ludus.view.svg import LAYERS, fragments, line_weight

LARGEST_BOOK = 2_000_000  # characters; then another book is begun, as a page loads the whole of one
LONGEST_TEXT = 1000  # characters of a verdict
LAST_LAYERS = ("under", "over")  # where the signs of the last move are; its area itself is drawn as it is
DRAWN_LAYERS = tuple(layer for layer in LAYERS if layer != "hit")  # nothing is clicked in a replay


@dataclass
class Book:
    """The looks that games refer to. A slot is a place of one layer, and holds one look at a time."""

    number: int
    slots: dict[tuple[str, str], int] = field(default_factory=dict)
    looks: list[tuple[int, str]] = field(default_factory=list)
    known: dict[Hashable, tuple[int, ...]] = field(default_factory=dict)
    size: int = 0

    def draw(self, what: Hashable, scene: Scene, layers: tuple[str, ...] = DRAWN_LAYERS) -> tuple[int, ...]:
        """The looks, on these layers, of a scene that has one thing in it, which is known from now on."""
        drawn = fragments(scene)
        found = tuple(self._add(layer, key, svg) for layer in layers for key, svg in drawn[layer].items())
        self.known[what] = found
        return found

    def _add(self, layer: str, key: str, svg: str) -> int:
        slot = self.slots.setdefault((layer, key), len(self.slots))
        self.looks.append((slot, svg))
        self.size += len(svg)
        return len(self.looks) - 1

    def as_json(self) -> dict[str, Any]:
        layers = [DRAWN_LAYERS.index(layer) for layer, _ in self.slots]
        return {"layers": len(DRAWN_LAYERS), "slots": layers, "looks": [list(look) for look in self.looks]}


@dataclass(frozen=True)
class Drawn:
    """A game as data for the page that replays it, and what each move took."""

    data: dict[str, Any]
    times_ms: list[tuple[int, float]]  # seat and wall time of every move that a player made, or failed to make


class Artist:
    """Draws games into books; lives as long as a report is written."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.books = [Book(1)]

    def draw(self, content: bytes) -> Drawn:
        """The game of a record, or a RecordError."""
        record = parse_record(content)
        return self.draw_played(record, replay(record, self.game))

    def draw_played(self, record: Record, played: Replay) -> Drawn:
        """The game of a record that was played through."""
        if self.books[-1].size > LARGEST_BOOK:
            self.books.append(Book(len(self.books) + 1))
        data = {"book": self.books[-1].number, **self._frames(played), **_told(record, played)}
        return Drawn(data, move_times(record, played))

    def _frames(self, played: Replay) -> dict[str, Any]:
        game, book = self.game, self.books[-1]
        before: View | None = None
        shown: dict[int, int] = {}
        frames, statuses, scores, view = [], [], [], None
        for ply, state in enumerate(played.states):
            result = game.result(state)
            mover = None if result is not None else game.turn(state)
            view = game.view(state) or plain_view(game.title, state, {})
            last = _trace(game, before, played.moves[ply - 1]) if before is not None else ()
            now = {book.looks[look][0]: look for look in _looks(book, view, mover, last)}
            appeared = sorted(look for slot, look in now.items() if shown.get(slot) != look)
            frames.append(appeared + [-1 - slot for slot in shown if slot not in now])
            statuses.append(view.status or plain_status(view.seats, mover, result))
            scores.append([seat.score for seat in view.seats])
            before, shown = view, now
        assert view is not None
        seats = [{"name": seat.name, "mark": seat.mark} for seat in view.seats]
        size = {"size": list(view.size), "weight": line_weight(_bare(view, None))}
        return {**size, "seats": seats, "frames": frames, "statuses": statuses, "scores": scores}


def _looks(book: Book, view: View, mover: int | None, last: tuple[str, ...]) -> list[int]:
    """What is to be seen; a thing is drawn only if it was never seen before."""
    found: list[int] = []
    known = book.known
    for item in view.items:
        is_target = "target" in getattr(item, "flags", ())
        what = (view.size, item, mover if is_target else None)
        found += known.get(what) or book.draw(what, _bare(view, mover, item))
    areas = view.areas() if last else {}
    for key in last:
        if key in areas:
            area = Area(key, areas[key].x, areas[key].y, areas[key].width, areas[key].height, areas[key].radius)
            sign = (view.size, area, "last")
            found += known.get(sign) or book.draw(sign, _bare(view, None, area, last=(key,)), LAST_LAYERS)
    return found


def _bare(view: View, mover: int | None, *items: Item, last: tuple[str, ...] = ()) -> Scene:
    """A scene with nothing but these things, as large as the view."""
    return Scene("", View(view.size, items, view.seats), "", mover, ("", ""), {}, {}, last=last)


def _trace(game: Game, before: View, move: int) -> tuple[str, ...]:
    """The areas that light up for the last move: the view before it knew where that was."""
    path: tuple[str, ...] = before.traces.get(move, before.path(move, game.move_name(move)))
    return path


def _told(record: Record, played: Replay) -> dict[str, Any]:
    """What else a record tells: moves, whose they were, what each took, and the verdict."""
    game, more = played.game, record.more
    return {
        "moves": [game.move_name(move) for move in played.moves],
        "turns": list(played.turns),
        "times": [round(wall_ms, 1) for _, wall_ms in _walls(record)],
        "opening": _whole(more.get("opening")),
        "verdict": _verdict(more.get("verdict")),
    }


def _verdict(told: object) -> dict[str, Any] | None:
    """How a game ended, as far as a stranger's record says it in a way that a page can show."""
    if not isinstance(told, dict):
        return None
    texts = {key: value[:LONGEST_TEXT] for key in ("kind", "reason") if isinstance(value := told.get(key), str)}
    seats = {key: _seat(told.get(key)) for key in ("seat", "winner")}
    return {"kind": "", "reason": "", **texts, **seats, "line": _whole(told.get("line")) or None}


def _seat(value: object) -> int | None:
    return value if type(value) is int and value in (0, 1) else None


def _walls(record: Record) -> list[tuple[int, float]]:
    """Ply and wall time of each move; the last may be of a move that never came."""
    times = record.more.get("times_ms")
    if not isinstance(times, list):
        return []
    return [
        (ply, float(parts[0]))
        for ply, parts in enumerate(times)
        if isinstance(parts, list) and parts and isinstance(parts[0], int | float)
    ]


def move_times(record: Record, played: Replay) -> list[tuple[int, float]]:
    """Seat and wall time of every move that a player made, or failed to make."""
    opening = _whole(record.more.get("opening"))
    turns = [*played.turns, *([] if played.result is not None else [played.game.turn(played.states[-1])])]
    return [(turns[ply], wall_ms) for ply, wall_ms in _walls(record) if opening <= ply < len(turns)]


def _whole(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0

"""Everything there is to see of one position, as data: for whatever draws it.

A game's view says what the board looks like. A scene adds what the rules say (who is to move, what may be
clicked) and what analysis says (the last move, hints, a line of play), all addressed by keys of areas, so
that no game draws any of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ludus.picture import SEAT_TONES, Area, Item, Seat, Text, Tone, View
from ludus.rules import Game, Line, State
from ludus.view.plain_view import plain_view

MOST_BUTTONS = 12


class Step(NamedTuple):
    """A move, and the state in which it was played."""

    before: State
    move: int


class Hint(NamedTuple):
    """What analysis thinks of a move: the chance, 0 to 1, that the side to move wins with it."""

    move: int
    chance: float


@dataclass(frozen=True, slots=True)
class Spot:
    """A short text that stands on an area: a hint, or the number of a move in a line of play."""

    key: str
    text: str
    tone: Tone = ""
    is_best: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """One position with all that is known of it; every key is the key of an area of the view."""

    title: str
    view: View
    status: str
    mover: int | None  # None once the game is over
    players: tuple[str, str]  # who sits on the two seats, empty when nobody in particular
    paths: Mapping[int, tuple[str, ...]]  # for each legal move the areas to click
    names: Mapping[int, str]  # for each legal move how people write it
    last: tuple[str, ...] = ()  # the areas of the last move
    last_name: str = ""
    last_seat: int | None = None
    hints: tuple[Spot, ...] = ()
    best_line: tuple[Spot, ...] = ()  # the moves that analysis expects, numbered

    @property
    def is_over(self) -> bool:
        return self.mover is None

    @property
    def mover_tone(self) -> Tone:
        return "" if self.mover is None else SEAT_TONES[self.mover]

    @property
    def legal_keys(self) -> frozenset[str]:
        """The areas that a legal move may be begun with."""
        return frozenset(path[0] for path in self.paths.values())

    def seat_title(self, seat: int) -> str:
        """ "X", or "X alice" when somebody sits there."""
        name, player = self.view.seats[seat].name, self.players[seat]
        return f"{name} {player}" if player and player != name else name


def scene_of(
    game: Game,
    state: State,
    *,
    last: Step | None = None,
    hints: Sequence[Hint] = (),
    best_line: Sequence[int] = (),
    players: tuple[str, str] = ("", ""),
) -> Scene:
    """The position after the step `last`, with hints for the side to move and the best line from here."""
    legal, result = game.legal(state), game.result(state)
    names = {move: game.move_name(move) for move in legal}
    view = game.view(state) or plain_view(game.title, state, names)
    view, paths = _all_reachable(view, names)
    mover = None if result is not None else game.turn(state)
    scene = Scene(
        title=game.title,
        view=view,
        status=view.status or plain_status(view.seats, mover, result),
        mover=mover,
        players=players,
        paths=paths,
        names=names,
    )
    if last is not None:
        scene = replace(
            scene,
            last=_trace(game, last, view),
            last_name=game.move_name(last.move),
            last_seat=game.turn(last.before),
        )
    scene = replace(scene, hints=_hint_spots(scene, hints))
    return replace(scene, best_line=_line_spots(game, state, best_line, scene))


def scene_of_line(
    game: Game,
    line: Line,
    *,
    ply: int | None = None,
    hints: Sequence[Hint] = (),
    best_line: Sequence[int] = (),
    players: tuple[str, str] = ("", ""),
) -> Scene:
    """The position after `ply` moves of a line, after all of them unless said."""
    at = len(line.moves) if ply is None else ply
    last = Step(line.states[at - 1], line.moves[at - 1]) if at > 0 else None
    return scene_of(game, line.states[at], last=last, hints=hints, best_line=best_line, players=players)


def plain_status(seats: tuple[Seat, Seat], mover: int | None, result: int | None) -> str:
    """A sentence for a game that has none of its own: "X to move", "O wins by 3", "Draw"."""
    if mover is not None:
        return f"{seats[mover].name} to move"
    if not result:
        return "Draw"
    winner = seats[0 if result > 0 else 1].name
    return f"{winner} wins" if abs(result) == 1 else f"{winner} wins by {abs(result)}"


def description(scene: Scene) -> str:
    """The position in one sentence or two, for those who do not see the board."""
    scores = [seat.score for seat in scene.view.seats]
    seats = [f"{scene.seat_title(seat)}: {score}" for seat, score in enumerate(scores) if score]
    last = f"Last move {scene.last_name}." if scene.last_name else ""
    sentences = [f"{scene.status}.", ", ".join(seats) + "." if seats else "", last]
    return " ".join(sentence for sentence in sentences if sentence)


def _all_reachable(view: View, names: Mapping[int, str]) -> tuple[View, dict[int, tuple[str, ...]]]:
    """The view and the paths of all legal moves; moves without an area get a button below the board."""
    areas = view.areas()
    paths = {move: view.path(move, name) for move, name in names.items()}
    homeless = [move for move, path in paths.items() if not path or any(key not in areas for key in path)]
    if not homeless:
        return view, paths
    width, height = view.size
    items: list[Item] = []
    for row, move in enumerate(homeless[:MOST_BUTTONS]):
        key, top = f"move {names[move]}", height + 0.1 + 0.8 * row
        items.append(Area(key, 0.2, top, width - 0.4, 0.7, 0.2, "handle", label=names[move]))
        items.append(Text(f"{key} text", names[move][:40], (width / 2, top + 0.35), 0.34))
        paths[move] = (key,)
    for move in homeless[MOST_BUTTONS:]:
        del paths[move]
    taller = (width, height + 0.2 + 0.8 * min(len(homeless), MOST_BUTTONS))
    return replace(view, size=taller, items=(*view.items, *items)), paths


def _trace(game: Game, step: Step, view: View) -> tuple[str, ...]:
    """The areas of the view that lie in the trace of a move; the state before it knew where that was."""
    before = game.view(step.before)
    if before is None:
        return ()
    path = before.path(step.move, game.move_name(step.move))
    areas = view.areas()
    return tuple(key for key in before.traces.get(step.move, path) if key in areas)


def _hint_spots(scene: Scene, hints: Sequence[Hint]) -> tuple[Spot, ...]:
    """Hints best first, one an area; where several moves share the area, its text names the choice."""
    spots: dict[str, Spot] = {}
    for hint in sorted(hints, key=lambda hint: -hint.chance):
        path = scene.paths.get(hint.move)
        if path is None or path[-1] in spots:
            continue
        choice = scene.view.choices.get(hint.move, "")
        text = f"{100 * min(1.0, max(0.0, hint.chance)):.0f}%"
        spots[path[-1]] = Spot(path[-1], f"{choice} {text}" if choice else text, "good", not spots)
    return tuple(spots.values())


def _line_spots(game: Game, state: State, line: Sequence[int], scene: Scene) -> tuple[Spot, ...]:
    """Numbers on the areas of a line of play; it ends early at a move that is not legal."""
    spots: dict[str, Spot] = {}
    areas, hinted = scene.view.areas(), {spot.key for spot in scene.hints}
    for number, move in enumerate(line, 1):
        if move not in game.legal(state):
            break
        view = scene.view if number == 1 else game.view(state) or scene.view
        key = (view.path(move, game.move_name(move)) or ("",))[-1]
        if key in areas and key not in spots and key not in hinted:
            spots[key] = Spot(key, str(number), SEAT_TONES[game.turn(state)])
        state = game.play(state, move)
    return tuple(spots.values())

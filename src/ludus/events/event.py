"""An event as a file: game, limits, bots' interface, points. For whoever runs a competition.

The events of games.md lie beside this module; a course writes its own file in the same words
(docs/reference/event-file.md). Format, tables and grades are carried along as they are: tournament/plan.py reads them.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, get_args

from ludus.bots.interfaces import INTERFACES, fits
from ludus.errors import EventError, LudusError
from ludus.events.scoring import FINISHED, Points
from ludus.events.toml_fields import Fields, as_written
from ludus.referee.clock import TimeControl
from ludus.referee.verdict import FORFEITS, Verdict
from ludus.rules import GAMES_FOLDER, Game, State, load_game
from ludus.sandbox.process import Level, Limits

EVENTS_FOLDER = Path(__file__).parent
LARGEST_FILE = 100_000  # bytes
MOST_POINTS = 1_000_000  # for a forfeit
EXTRA = ("format", "tables", "grades", "submissions")
LEVELS: tuple[str, ...] = get_args(Level)[:2]


@dataclass(frozen=True)
class Event:
    """What a competition is about, and what its games are worth."""

    name: str
    title: str
    game: Game
    options: dict[str, Any]
    control: TimeControl
    limits: Limits
    interface: str | None  # of Python bots; None for whatever a file is written in
    allows_numpy: bool
    isolation: Level  # the least that rated games need
    finished: str  # how a game that is played to its end is worth points
    forfeits: dict[str, Points] = field(default_factory=dict)  # of each kind: the innocent's and the guilty's
    extra: dict[str, Any] = field(default_factory=dict)  # the tables of EXTRA as they stand, read by the tournament

    def points(self, verdict: Verdict, final: State) -> Points:
        """The points of seat 0 and of seat 1."""
        if verdict.seat is None:
            return FINISHED[self.finished].score(final, self.game.result(final) or 0)
        innocent, guilty = self.forfeits[verdict.kind]
        if verdict.winner is None:
            return guilty, guilty
        return (guilty, innocent) if verdict.seat == 0 else (innocent, guilty)

    def changed(self, *, options: dict[str, Any], limit_s: float | None) -> Event:
        """The same event with other options of the game, or another limit for every move."""
        merged = {**self.options, **options}
        self.game.start(**merged)
        control = self.control if limit_s is None else self.control._replace(limit_s=limit_s, first_limit_s=None)
        return replace(self, options=merged, control=control)


def event_names() -> list[str]:
    """The events that come with Ludus: those whose file is there."""
    return sorted(file.stem for file in EVENTS_FOLDER.glob("*.toml"))


def load_event(name_or_path: str | Path) -> Event:
    """The event of that name, or the event file at that path, or an EventError."""
    text = str(name_or_path)
    if text in event_names():
        return _ours(text)
    if not text.endswith(".toml"):
        known = ", ".join(event_names())
        raise EventError(f"there is no event {text[:60]!r}; the events are {known}, or give a path such as ./mine.toml")
    return read_event(_content(Path(text)), name=Path(text).stem, folder=Path(text).parent, where=text)


def points_by_event(game: Game, state: State) -> dict[str, Points]:
    """The points of a finished game in every event of ours that uses it; none while the game goes on."""
    payoff = game.result(state)
    if payoff is None or not game.path.is_relative_to(GAMES_FOLDER):
        return {}
    held = {name: _ours(name) for name in event_names()}
    return {
        name: FINISHED[event.finished].score(state, payoff)
        for name, event in held.items()
        if event.game.name == game.name
    }


def plain_event(game: Game, *, limit_s: float, options: dict[str, Any] | None = None) -> Event:
    """A game without an event: a point for a win, half a point for a draw, bots in whatever interface fits."""
    return Event(
        name=game.name,
        title=game.title,
        game=game,
        options=options or {},
        control=TimeControl(limit_s),
        limits=Limits(),
        interface=None,
        allows_numpy=True,
        isolation="full",
        finished="win",
        forfeits=dict.fromkeys(FORFEITS, (Fraction(1), Fraction(0))),
    )


@cache
def _ours(name: str) -> Event:
    file = EVENTS_FOLDER / f"{name}.toml"
    return read_event(file.read_text(encoding="utf-8"), name=name, folder=EVENTS_FOLDER, where=file.name)


def _content(path: Path) -> str:
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise EventError(f"{path}: an event file has at most {LARGEST_FILE} bytes")
        return path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise EventError(f"{str(path)[:200]}: the event cannot be read: {reason}") from None


def read_event(text: str, *, name: str, folder: Path, where: str) -> Event:
    """The event that a TOML text describes; the first thing that is wrong is an EventError."""
    try:
        fields = Fields(tomllib.loads(text), where)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise EventError(f"{where}: this is not TOML: {error}") from None
    game = _game(fields, folder)
    options = fields.table("options").rest()
    try:
        game.start(**options)
    except LudusError as error:
        raise EventError(f"{where}: [options]: {error}") from None
    bots = fields.table("bots")
    interface = bots.one_of("interface", [*INTERFACES, "any"], default="any")
    if interface != "any" and not fits(INTERFACES[interface], game):
        raise bots.wrong("interface", interface, f"one that can play {game.name}")
    finished, forfeits = _points(fields.table("points"), game)
    event = Event(
        name=name,
        title=fields.text("title", default=name),
        game=game,
        options=options,
        control=_time(fields.table("time")),
        limits=Limits(
            memory_mb=bots.whole("memory_mb", default=Limits().memory_mb, least=16, most=1 << 20),
            output_bytes=bots.whole("output_bytes", default=Limits().output_bytes, least=0, most=1 << 40),
            loading_s=bots.number("loading_s", default=Limits().loading_s, least=0.1, most=3600),
        ),
        interface=None if interface == "any" else interface,
        allows_numpy=bots.flag("numpy", default=False),
        isolation="basic" if bots.one_of("isolation", LEVELS, default="full") == "basic" else "full",
        finished=finished,
        forfeits=forfeits,
        extra=_carried(fields),
    )
    bots.done()
    fields.done()
    return event


def _carried(fields: Fields) -> dict[str, Any]:
    given = [key for key in EXTRA if key in fields.values]
    tables = {key: fields.table(key).rest() for key in EXTRA}
    return {key: tables[key] for key in given}


def _game(fields: Fields, folder: Path) -> Game:
    """The game that the file names; a path is seen from the file's folder."""
    text = fields.text("game")
    try:
        return load_game(folder / text if text.endswith(".py") or "/" in text else text)
    except LudusError as error:
        raise EventError(f"{fields.where}: game: {error}") from None


def _time(time: Fields) -> TimeControl:
    limit_s = time.number("move_s", least=0.001, most=1e6)
    control = TimeControl(
        limit_s=limit_s,
        first_limit_s=time.number("first_move_s", default=limit_s, least=0.001, most=1e6),
        grace_s=time.number("grace_s", default=0, least=0, most=1e6),
        bank_s=time.number("bank_s", default=0, least=0, most=1e6),
        strikes=time.whole("strikes", default=1, least=1, most=1000),
    )
    time.done()
    return control


def _points(points: Fields, game: Game) -> tuple[str, dict[str, Points]]:
    """The rule for finished games, and the points of each kind of forfeit; `forfeit` is for those not named."""
    finished = points.one_of("finished", FINISHED, default="win")
    if not FINISHED[finished].fits(game):
        raise points.wrong("finished", finished, f"a rule that fits {game.name}, such as win or margin")
    usual = _forfeit(points, "forfeit", (Fraction(1), Fraction(0)))
    forfeits = {kind: _forfeit(points, kind, usual) for kind in FORFEITS}
    points.done()
    return finished, forfeits


def _forfeit(points: Fields, kind: str, usual: Points) -> Points:
    value = points.take(kind)
    if value is None:
        return usual
    exact = [as_written(part) for part in value] if isinstance(value, list) else []
    match exact:
        case [Fraction() as innocent, Fraction() as guilty] if max(abs(innocent), abs(guilty)) <= MOST_POINTS:
            return innocent, guilty
    raise points.wrong(kind, value, "the points of the innocent and of the guilty, as in [2, 0]")

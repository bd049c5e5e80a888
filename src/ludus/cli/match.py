"""`ludus match`: the referee plays two players against each other, and says how each game ended and why."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any, TextIO

from ludus.bots.entrants import Entrant, HumanBeing, ProgramFile, PythonFile, parse_entrant
from ludus.bots.player import Turn
from ludus.bots.room import Room, Sandbox
from ludus.cli.live import live_board
from ludus.cli.position import parse_options
from ludus.errors import EventError, LudusError
from ludus.events.event import Event, event_names, load_event, plain_event
from ludus.events.scoring import as_number
from ludus.referee.dossier import judged_record
from ludus.referee.fair import Fairly
from ludus.referee.series import Fixture, Series, fixtures, play_fixture
from ludus.rules import Game, Line, State, game_names, load_game
from ludus.sandbox.levels import best_level, open_sandbox
from ludus.sandbox.process import Level
from ludus.view.canvas import printable
from ludus.view.scene import Scene, scene_of_line
from ludus.view.terminal import position_lines

PLAIN_LIMIT_S = 10.0  # of a move, where neither an event nor a person says


def match(arguments: argparse.Namespace) -> int:
    event = chosen_event(arguments)
    a, b = (parse_entrant(text, event.game, interface=event.interface) for text in (arguments.a, arguments.b))
    first = "coin" if arguments.coin else "swap" if arguments.swap else "A"
    series = Series(event.game, event.options, event.control, arguments.games, arguments.seed, first)
    has_person = any(isinstance(entrant, HumanBeing) for entrant in (a, b))
    is_live = not arguments.json and not arguments.quiet and sys.stdout.isatty() and not has_person
    totals = [Fraction(0), Fraction(0)]
    with (
        _records(_record_file(arguments.record, (a, b))) as write,
        open_room(event, level=arguments.isolation, needs_person=has_person) as room,
    ):
        for fixture in fixtures(series):
            seated = (b, a) if fixture.is_swapped else (a, b)
            names = _names(seated)
            with live_board(fixture.pitch, names, is_on=is_live) as watch:
                fairly = play_fixture(fixture, room, (a, b), watch=watch)
            if has_person:
                scene = _scene(event.game, fairly.judged.start, fairly.judged.moves)
                sys.stderr.write("\n".join(position_lines(scene)) + "\n")
            points = event.points(fairly.judged.verdict, fairly.judged.final)
            place = write(_record(event, fixture, fairly, seated, points))
            for seat, who in enumerate((1, 0) if fixture.is_swapped else (0, 1)):
                totals[who] += points[seat]
            report = _report(fixture, fairly, names, points, place)
            sys.stdout.write(json.dumps(report) + "\n" if arguments.json else _sentence(report) + "\n")
            sys.stdout.flush()
    if arguments.games > 1 and not arguments.json:
        one, other = (f"{as_number(total):g}" for total in totals)
        sys.stdout.write(f"{printable(a.name)} {one} : {other} {printable(b.name)}  in {arguments.games} games\n")
    return 0


def _names(seated: tuple[Entrant, Entrant]) -> tuple[str, str]:
    """What the seats are called; two of one name are told apart by their seats."""
    one, other = (printable(entrant.name) for entrant in seated)
    return (one, other) if one != other else (f"{one} (seat 0)", f"{other} (seat 1)")


def chosen_event(arguments: argparse.Namespace) -> Event:
    """The event that the command names; a game without one has our own limits and points."""
    options = parse_options(arguments.options)
    text = arguments.event
    if text in event_names() or text.endswith(".toml"):
        event = load_event(text)
    else:
        name = text.removeprefix("game:")
        if name not in game_names() and not Path(name).suffix and "/" not in name:
            events, games = ", ".join(event_names()), ", ".join(game_names())
            raise EventError(f"there is no event or game {name[:60]!r}; events are {events}; games are {games}")
        event = plain_event(load_game(name), limit_s=PLAIN_LIMIT_S)
    return event.changed(options=options, limit_s=arguments.limit)


def open_room(event: Event, *, level: str | None, needs_person: bool = False) -> Room:
    """Where the event's bots are played: as well isolated as can be had here, or as a person says.

    Less than the event asks for is refused, unless a person allows it.
    """
    chosen: Level = "basic" if level == "basic" else "full"
    if level is None and event.isolation == "basic":
        chosen = best_level()
    preload = ("numpy",) if event.allows_numpy else ()

    def opened() -> Sandbox:
        if chosen == "basic":
            sys.stderr.write(
                "ludus: isolation is basic: bots run in processes of their own with limits, but could read files, "
                "use the network or disturb other programs; play only bots that you trust\n"
            )
        return open_sandbox(chosen, preload=preload)

    return Room(opened, limits=event.limits, ask_person=_ask_person if needs_person else None)


def _ask_person(turn: Turn, complaint: str) -> str | None:
    """Show the board, ask for a move on the terminal."""
    if complaint:
        sys.stderr.write(f"{complaint}\n")
    else:
        scene = _scene(turn.game, turn.game.start(**turn.options), turn.moves)
        sys.stderr.write("\n".join(position_lines(scene)) + f"\nyou are {scene.view.seats[turn.seat].name}\n")
    sys.stderr.write(f"your move (such as {turn.game.move_name(turn.game.legal(turn.state)[0])}): ")
    sys.stderr.flush()
    typed = "" if sys.stdin is None else sys.stdin.readline()
    if not typed:
        sys.stderr.write("\n")
    return typed or None


def _scene(game: Game, start: State, moves: tuple[int, ...]) -> Scene:
    states = [start]
    for move in moves:
        states.append(game.play(states[-1], move))
    return scene_of_line(game, Line(tuple(states), moves))


def _record(
    event: Event, fixture: Fixture, fairly: Fairly, seated: tuple[Entrant, Entrant], points: tuple[Fraction, Fraction]
) -> str:
    record = judged_record(
        fixture.pitch,
        fairly,
        seated,
        event=event.name,
        memory_mb=event.limits.memory_mb,
        numpy=event.allows_numpy,
        points=[as_number(p) for p in points],
        swapped=fixture.is_swapped,
    )
    return record.to_json()


def _report(
    fixture: Fixture, fairly: Fairly, names: tuple[str, str], points: tuple[Fraction, Fraction], place: str | None
) -> dict[str, Any]:
    return {
        "game": fixture.number + 1,
        "seats": list(names),
        "swapped": fixture.is_swapped,
        "verdict": fairly.judged.verdict.to_json(),
        "points": [as_number(p) for p in points],
        "plies": fairly.judged.plies,
        "isolation": list(fairly.judged.levels),
        "starved": len(fairly.starved),
        "record": place,
    }


def _sentence(report: dict[str, Any]) -> str:
    verdict, (one, other) = report["verdict"], report["seats"]
    first, second = (f"{p:g}" for p in report["points"])
    ended = f"{one} {first} : {second} {other}"
    reason = printable(verdict["reason"])
    if verdict["seat"] is None:
        why = f"{reason} after {report['plies']} {'move' if report['plies'] == 1 else 'moves'}"
    else:
        at = f" (line {verdict['line']})" if verdict["line"] else ""
        why = f"{report['seats'][verdict['seat']]} forfeits in ply {verdict['ply']}: {reason}{at}"
    return f"game {report['game']}: {ended}  {why}{_again(report['starved'], verdict['kind'])}"


def _again(starved: int, kind: str) -> str:
    """What to say of a game that was played again; one that ended each time alike, the machine has not decided."""
    if not starved:
        return ""
    if kind == "timeout":
        return f"; a time-out each of the {starved + 1} times it was played"
    return f"; played {starved + 1} times, as the machine was busy"


def _record_file(name: str | None, entrants: tuple[Entrant, Entrant]) -> str | None:
    """The file for records, which is not one of those that play."""
    if name == "-":
        raise LudusError("--record wants the name of a file; --json prints what happened")
    for entrant in entrants:
        if name is not None and isinstance(entrant, PythonFile | ProgramFile) and _is_same(Path(name), entrant.path):
            raise LudusError(f"{name[:200]}: this is the file of {printable(entrant.name)}, which would be overwritten")
    return name


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return False


@contextmanager
def _records(name: str | None) -> Iterator[Callable[[str], str | None]]:
    """Writes records to a file as they come, and says where each one is. What the file held goes with the first."""
    if name is None:
        yield lambda _record: None
        return
    try:
        stream: TextIO = Path(name).open("a", encoding="utf-8")  # noqa: SIM115  # closed below, when all is played
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise LudusError(f"{name[:200]}: the file cannot be written: {reason}") from None
    written = 0

    def write(record: str) -> str:
        nonlocal written
        if written == 0 and stream.seekable():
            stream.truncate(0)
        stream.write(record + "\n")
        stream.flush()
        written += 1
        return f"{name}:{written}"

    with stream:
        yield write

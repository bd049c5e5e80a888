"""A game as a text that can be read without a program: every position, move and point, and the result."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ludus.records import Record, replay
from ludus.rules import Game, Line
from ludus.view.canvas import printable
from ludus.view.scene import Scene, plain_status, scene_of_line
from ludus.view.terminal import board_lines

LONGEST_NAME, LONGEST_REASON = 60, 300


def trace_of(
    game: Game,
    line: Line,
    *,
    players: tuple[str, str] = ("", ""),
    options: Mapping[str, Any] | None = None,
    seconds: Sequence[float] = (),
    verdict: str = "",
    ascii: bool = False,
) -> str:
    """The trace of a line of play; `verdict` says why it ended where the rules do not, `seconds` what moves took."""
    return "\n".join(_rows(game, line, players, options or {}, seconds, verdict, ascii)) + "\n"


def trace_of_record(record: Record, rules: Game | None = None, *, ascii: bool = False) -> str:
    """The trace of a recorded game, or a RecordError; whatever stands in the record, nothing of it is run."""
    played = replay(record, rules)
    return trace_of(
        played.game,
        Line(played.states, played.moves),
        players=player_names(record),
        options=record.options,
        seconds=seconds_of(record),
        verdict=reason_of(record) if played.result is None else "",
        ascii=ascii,
    )


def player_names(record: Record) -> tuple[str, str]:
    """Who sat on the two seats, as the record says; empty where it does not."""
    players = record.more.get("players")
    if not isinstance(players, list) or len(players) != 2:
        return "", ""
    one, other = (str(player.get("name") or "") if isinstance(player, dict) else str(player) for player in players)
    return printable(one)[:LONGEST_NAME], printable(other)[:LONGEST_NAME]


def seconds_of(record: Record) -> list[float]:
    """What each move took, where the record says so in a way that can be read."""
    times = record.more.get("times_ms")
    if not isinstance(times, list):
        return []
    walls = [time[0] if isinstance(time, list) and time else time for time in times]
    return [wall / 1000 for wall in walls if isinstance(wall, int | float)] if all(map(_is_number, walls)) else []


def reason_of(record: Record) -> str:
    """Why the game ended, by the record's verdict."""
    verdict = record.more.get("verdict")
    reason = verdict.get("reason") if isinstance(verdict, dict) else None
    if not isinstance(verdict, dict) or not isinstance(reason, str):
        return ""
    seat, names = verdict.get("seat"), player_names(record)
    guilty = f"{names[seat] or f'seat {seat}'} forfeits: " if type(seat) is int and seat in (0, 1) else ""
    return guilty + printable(reason)[:LONGEST_REASON]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _rows(
    game: Game,
    line: Line,
    players: tuple[str, str],
    options: Mapping[str, Any],
    seconds: Sequence[float],
    verdict: str,
    ascii: bool,
) -> Iterator[str]:
    scenes = (scene_of_line(game, line, ply=ply, players=players) for ply in range(len(line.states)))
    for ply, scene in enumerate(scenes):
        if ply == 0:
            yield from _head(game, scene, options)
        else:
            took = f"   ({seconds[ply - 1]:.1f} s)" if ply <= len(seconds) else ""
            who, gain = _who(scene, scene.last_seat or 0), _gain(game, line, ply)
            yield f"Move {ply}: {who} plays {scene.last_name}{gain}{took}"
        yield ""
        yield from (f"    {row}".rstrip() for row in board_lines(scene, ascii=ascii))
        yield ""
        points = _points(scene)
        yield from [points, ""] if points else []
    yield from _end(game, line, scene, verdict)


def _head(game: Game, scene: Scene, options: Mapping[str, Any]) -> Iterator[str]:
    yield f"{game.title}: a game, move by move"
    yield ""
    for seat in (0, 1):
        order = "moves first" if scene.mover == seat else "moves second"
        yield f"{_who(scene, seat)} {order}"
    if options:
        yield "Start: " + ", ".join(f"{key}={_value(value)}" for key, value in options.items())
    yield ""
    yield "The start"


def _value(value: object) -> str:
    return printable(value if isinstance(value, str) else json.dumps(value))


def _who(scene: Scene, seat: int) -> str:
    """ "Slash (human)", or the seat alone where nobody in particular sits there."""
    name = printable(scene.players[seat])
    return f"{scene.view.seats[seat].name} ({name})" if name else scene.view.seats[seat].name


def _gain(game: Game, line: Line, ply: int) -> str:
    """What the move brought its mover, in games whose points are settled as they go."""
    banked = getattr(game.module, "banked", None)
    if banked is None:
        return ""
    before, after = line.states[ply - 1], line.states[ply]
    gain = (banked(after) - banked(before)) * (1 if game.turn(before) == 0 else -1)
    return f", {gain:+d} point{'s' if abs(gain) != 1 else ''}" if gain else ""


def _points(scene: Scene) -> str:
    scores = [(seat.name, seat.score) for seat in scene.view.seats if seat.score]
    return "Points: " + ", ".join(f"{name} {score}" for name, score in scores) if scores else ""


def _end(game: Game, line: Line, scene: Scene, verdict: str) -> Iterator[str]:
    payoff, moves = game.result(line.states[-1]), f"{len(line.moves)} move{'s' if len(line.moves) != 1 else ''}"
    if payoff is None:
        yield f"Result: {printable(verdict) or 'not finished'}, after {moves}"
        return
    status = plain_status(scene.view.seats, None, payoff)
    if payoff:
        winner = 0 if payoff > 0 else 1
        status = status.replace(scene.view.seats[winner].name, _who(scene, winner), 1)
    payoffs = f"payoff {payoff:+d} to {-payoff:+d}" if payoff else "payoff 0 to 0"
    yield f"Result: {status}, after {moves}; {payoffs}"

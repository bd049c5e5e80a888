"""A recorded game put back on its pitch: the position, clock and seed at any ply, for an appeal or a debugger.

Records come from strangers, so everything in them is checked here, once.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from ludus.bots.interfaces import INTERFACES
from ludus.bots.player import Choice, Player, Turn
from ludus.errors import RecordError
from ludus.records import Record, Replay, replay
from ludus.referee.clock import Clock, TimeControl
from ludus.referee.game import Pitch
from ludus.referee.verdict import FORFEITS, Verdict
from ludus.rules import Game
from ludus.sandbox.process import Evidence, Limits, Spent

LONGEST_TEXT = 100_000  # characters; the referee writes less


@dataclass(frozen=True)
class RecordedPlayer:
    """Who it was, as the record says; nothing of it is run because the record says so."""

    name: str
    kind: str
    file: str | None
    sha256: str | None
    interface: str | None
    protocol: str | None


@dataclass(frozen=True)
class Recorded:
    """A game of the referee, read back from its record."""

    played: Replay
    pitch: Pitch
    players: tuple[RecordedPlayer, RecordedPlayer]
    verdict: Verdict
    spents: tuple[Spent, ...]  # of each turn, one that was forfeited included
    opening: int  # moves that nobody was asked for
    limits: Limits
    has_numpy: bool
    evidence: Evidence | None
    gone_ms: float | None
    bank_ms: float | None = None  # that was left to the guilty seat, where the event has a time bank
    strikes_left: float | None = None  # likewise

    @property
    def last_ply(self) -> int:
        """The ply that the verdict speaks of, where it can still be asked for; else the last one that was played."""
        is_open = self.played.result is None and self.verdict.is_forfeit
        return len(self.played.moves) if is_open else max(0, len(self.played.moves) - 1)

    def seat_at(self, ply: int) -> int:
        """Whose turn it was."""
        return self.pitch.game.turn(self.played.states[ply])

    def turn_at(self, ply: int) -> Turn:
        """What the player of that ply was asked, with what was left on its clock."""
        seat, clock = self.seat_at(ply), Clock(self.pitch.control)
        for earlier in range(self.opening, ply):
            if self.played.turns[earlier] == seat and earlier < len(self.spents):
                clock.charge(self.spents[earlier].wall_s)
        moves, state = self.played.moves[:ply], self.played.states[ply]
        return Turn(
            self.pitch.game, self.pitch.options, state, moves, seat, clock.limit_s, clock.patience_s, clock.bank_s
        )


@dataclass(frozen=True)
class Again:
    """What a player does at a ply of a recorded game, and at which plies before it chose otherwise than recorded."""

    choice: Choice
    strayed: tuple[int, ...]


def ask_again(game: Recorded, ply: int, player: Player) -> Again:
    """Ask a player at a ply, after all its turns before, so that it remembers what it would have remembered.

    The game goes on by the recorded moves, whatever the player says at those turns.
    """
    seat = game.seat_at(ply)
    failure = player.begin(game.pitch.setup(seat))
    if failure is not None:
        return Again(Choice(None, failure, Spent()), ())
    strayed: list[int] = []
    for earlier in range(game.opening, ply):
        if game.played.turns[earlier] != seat:
            continue
        choice = player.choose(game.turn_at(earlier))
        if choice.failure is not None and choice.failure.kind != "illegal":
            return Again(choice, (*strayed, earlier))
        if choice.move != game.played.moves[earlier]:
            strayed.append(earlier)
    return Again(player.choose(game.turn_at(ply)), tuple(strayed))


def recorded(record: Record, rules: Game | None = None) -> Recorded:
    """The record as a game of the referee, or a RecordError."""
    played, more = replay(record, rules), record.more
    if not isinstance(more.get("verdict"), dict) or not isinstance(more.get("time"), dict):
        raise RecordError("this record was not made by a referee: it has no verdict and no time")
    players = more.get("players")
    if not isinstance(players, list) or len(players) != 2:
        raise RecordError('"players" must be two objects')
    one, other = (_player(player) for player in players)
    seed = _number(more, "seed", whole=True, most=1 << 64)
    opening = int(_number({"opening": 0, **more}, "opening", whole=True, most=len(played.moves)))
    memory_mb = int(_number({"memory_mb": Limits().memory_mb, **more}, "memory_mb", whole=True, most=1 << 20))
    dossier = more.get("dossier")
    evidence = _evidence(dossier) if isinstance(dossier, dict) else None
    left = dossier.get("clock") if isinstance(dossier, dict) else None
    return Recorded(
        played,
        Pitch(played.game, record.options, _control(more["time"]), int(seed), played.moves[:opening]),
        (one, other),
        _verdict(more["verdict"]),
        tuple(_spents(more.get("times_ms"))),
        opening,
        Limits(memory_mb=memory_mb),
        more.get("numpy") is True,
        evidence,
        _told(dossier, "gone_after_ms"),
        _told(left, "bank_ms"),
        _told(left, "strikes_left"),
    )


def _told(found: object, key: str) -> float | None:
    """A number that the referee may have written down, and may not."""
    value = found.get(key) if isinstance(found, dict) else None
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _verdict(data: dict[str, Any]) -> Verdict:
    seat, winner, line = data.get("seat"), data.get("winner"), data.get("line")
    if data.get("kind") not in ("win", "draw", *FORFEITS) or not isinstance(data.get("reason"), str):
        raise RecordError('"verdict" has no kind and reason that a referee gives')
    for key, value in (("seat", seat), ("winner", winner)):
        if value is not None and (type(value) is not int or value not in (0, 1)):
            raise RecordError(f'"verdict": {key} must be 0, 1 or null')
    ply = int(_number(data, "ply", whole=True, most=1 << 40))
    known_line = line if type(line) is int else None
    return Verdict(data["kind"], winner, data["reason"][:LONGEST_TEXT], ply, seat=seat, line=known_line)


def _player(data: object) -> RecordedPlayer:
    if not isinstance(data, dict):
        raise RecordError('"players" must be two objects')
    said: dict[str, Any] = {field.name: data.get(field.name) for field in fields(RecordedPlayer)}
    for key, value in said.items():
        if value is not None and not isinstance(value, str):
            raise RecordError(f'"players": {key} must be a text')
    if said["interface"] is not None and said["interface"] not in INTERFACES:
        raise RecordError('"players": there is no such interface')
    return RecordedPlayer(**{**said, "name": said["name"] or "?", "kind": said["kind"] or "?"})


def _control(values: dict[str, Any]) -> TimeControl:
    usual = TimeControl(limit_s=1.0)
    numbers: dict[str, Any] = {
        key: _number(values, key, whole=key == "strikes", most=1e6)
        for key in usual._fields
        if values.get(key) is not None
    }
    return usual._replace(**numbers)


def _spents(times: object) -> list[Spent]:
    if times is None:
        return []
    is_list = isinstance(times, list) and all(isinstance(row, list) and len(row) == 3 for row in times)
    if not isinstance(times, list) or not is_list:
        raise RecordError('"times_ms" must be a list of three numbers for each turn')
    return [Spent(*(_number({"times_ms": part}, "times_ms", most=1e12) / 1000 for part in row)) for row in times]


def _evidence(dossier: dict[str, Any]) -> Evidence:
    """What the referee kept; texts that are none are left out."""
    keys = ("stdout", "stderr", "traceback", "exit_status")
    texts = {key: str(dossier.get(key) or "")[:LONGEST_TEXT] for key in keys}
    calls = dossier.get("calls")
    peak = dossier.get("peak_memory_mb")
    return Evidence(
        **texts,
        calls=[str(call)[:1000] for call in calls[:100]] if isinstance(calls, list) else [],
        peak_memory_mb=float(peak) if isinstance(peak, int | float) else 0.0,
    )


def _number(values: dict[str, Any], key: str, *, whole: bool = False, most: float) -> float:
    value: Any = values.get(key)
    if type(value) not in ((int,) if whole else (int, float)) or not 0 <= value <= most:
        raise RecordError(f'"{key}" is not a number that a referee writes')
    number: float = value
    return number

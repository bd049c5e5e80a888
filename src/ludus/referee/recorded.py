"""A recorded game put back on its pitch: the position, clock and seed at any ply, for an appeal or a debugger."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ludus.bots.player import Choice, Player, Setup, Turn
from ludus.errors import RecordError
from ludus.records import Record, Replay, replay
from ludus.referee.clock import TimeControl
from ludus.referee.game import Pitch
from ludus.rules import Game
from ludus.sandbox.process import Spent


@dataclass(frozen=True)
class Recorded:
    """A game of the referee, read back from its record."""

    record: Record
    played: Replay
    pitch: Pitch
    players: tuple[dict[str, Any], dict[str, Any]]
    verdict: dict[str, Any]

    @property
    def last_ply(self) -> int:
        """The ply that the verdict speaks of, where it can still be asked for; else the last one that was played."""
        is_open = self.played.result is None and self.verdict.get("seat") is not None
        return len(self.played.moves) if is_open else max(0, len(self.played.moves) - 1)

    def seat_at(self, ply: int) -> int:
        """Whose turn it was."""
        return self.pitch.game.turn(self.played.states[ply])

    def turn_at(self, ply: int) -> Turn:
        """What the player of that ply was asked."""
        seat = self.seat_at(ply)
        is_first = all(turn != seat for turn in self.played.turns[:ply])
        control = self.pitch.control
        limit_s = control.limit_s if not is_first or control.first_limit_s is None else control.first_limit_s
        return Turn(
            self.pitch.game,
            self.pitch.options,
            self.played.states[ply],
            self.played.moves[:ply],
            seat,
            limit_s,
            limit_s + control.grace_s + control.bank_s,
            control.bank_s,
        )


@dataclass(frozen=True)
class Again:
    """What a player does at a ply of a recorded game, and at which plies before it chose otherwise than recorded."""

    choice: Choice
    strayed: tuple[int, ...]


def recorded(record: Record, rules: Game | None = None) -> Recorded:
    """The record as a game of the referee, or a RecordError."""
    played = replay(record, rules)
    verdict, players, control = record.more.get("verdict"), record.more.get("players"), record.more.get("time")
    seed = record.more.get("seed")
    if not isinstance(verdict, dict) or not isinstance(control, dict) or type(seed) is not int:
        raise RecordError("this record was not made by a referee: it has no verdict, time and seed")
    if not isinstance(players, list) or len(players) != 2 or not all(isinstance(player, dict) for player in players):
        raise RecordError('"players" must be two objects')
    one, other = players
    pitch = Pitch(played.game, record.options, _control(control), seed)
    return Recorded(record, played, pitch, (one, other), verdict)


def ask_again(game: Recorded, ply: int, player: Player) -> Again:
    """Ask a player at a ply, after all its turns before, so that it remembers what it would have remembered.

    The game goes on by the recorded moves, whatever the player says at those turns.
    """
    seat, pitch = game.seat_at(ply), game.pitch
    first_s = pitch.control.limit_s if pitch.control.first_limit_s is None else pitch.control.first_limit_s
    failure = player.begin(
        Setup(pitch.game, pitch.options, seat, pitch.control.limit_s, first_s, pitch.player_seed(seat))
    )
    if failure is not None:
        return Again(Choice(None, failure, Spent()), ())
    strayed: list[int] = []
    for earlier in range(ply):
        if game.played.turns[earlier] != seat:
            continue
        choice = player.choose(game.turn_at(earlier))
        if choice.failure is not None and choice.failure.kind != "illegal":
            return Again(choice, (*strayed, earlier))
        if choice.move != game.played.moves[earlier]:
            strayed.append(earlier)
    return Again(player.choose(game.turn_at(ply)), tuple(strayed))


def _control(values: dict[str, Any]) -> TimeControl:
    """The time control that a record holds; records come from strangers."""
    usual = TimeControl(limit_s=1.0)
    numbers: dict[str, Any] = {}
    for key, default in usual._asdict().items():
        value = values.get(key, default)
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1e6:
            raise RecordError(f'"time": {key} is not a number of seconds')
        numbers[key] = value
    return usual._replace(**numbers)

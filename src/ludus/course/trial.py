"""A short trial of a bot for whoever takes in many: it is read, loaded, and plays a game in each seat.

A bot that thinks long is not played to the end: after a while its opponent gives up, which is no fault of the bot.
"""

from __future__ import annotations

import time

from ludus.bots.entrants import ProgramFile, PythonFile
from ludus.bots.player import Choice, Failure, Player, Turn
from ludus.bots.room import Room
from ludus.course.check import Checkup
from ludus.course.faults import find_faults
from ludus.course.ladder import Ladder, Played, Sparring
from ludus.course.source_reading import read_source
from ludus.events.event import Event
from ludus.referee.fair import play_fairly
from ludus.sandbox.process import Spent

PATIENCE_S = 10.0  # of the opponent, in both games together


class Hurried(Sparring):
    """An opponent that plays at random, and gives up when the bot has taken too long."""

    def __init__(self, ladder: Ladder, *, until: float) -> None:
        super().__init__(ladder.rung("random").agent, "random")
        self.until = until

    def choose(self, turn: Turn) -> Choice:
        if time.monotonic() > self.until:
            return Choice(None, Failure("illegal", "it gave up, as the trial is over"), Spent())
        return super().choose(turn)


def try_bot(
    event: Event, entrant: PythonFile | ProgramFile, room: Room, *, seed: int = 0, patience_s: float = PATIENCE_S
) -> Checkup:
    """What a short trial finds, in the shape of a check; never raises for what the bot does."""
    begin = time.monotonic()
    ladder, played = Ladder(event, seed=seed), list[Played]()
    for number in (0, 1):
        played.append(_play(ladder, entrant, room, number, until=begin + patience_s))
        if played[-1].is_forfeit or time.monotonic() > begin + patience_s:
            break
    return Checkup(
        event,
        entrant,
        entrant.path.stat().st_size,
        read_source(entrant.source) if isinstance(entrant, PythonFile) else None,
        played=tuple(played),
        faults=tuple(find_faults(event.game, played, ())),
        seconds=time.monotonic() - begin,
    )


def _play(ladder: Ladder, entrant: PythonFile | ProgramFile, room: Room, number: int, *, until: float) -> Played:
    pitch, seat, opponent = ladder.pitch("random", number), number % 2, Hurried(ladder, until=until)
    made: list[Player] = []

    def seat_players(cores: set[int] | None) -> tuple[Player, Player]:
        room.cores = cores
        made.append(room.player(entrant, pitch.game, who=0, seed=pitch.player_seed(seat)))
        return (made[-1], opponent) if seat == 0 else (opponent, made[-1])

    judged = play_fairly(pitch, seat_players).judged
    room.cores = None
    return Played("random", number + 1, seat, pitch.options, judged, made[-1].evidence())

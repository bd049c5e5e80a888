"""A short trial of a bot for whoever takes in many: it is read, loaded, and plays a game in each seat.

A bot that thinks long is not played to the end: after a while its opponent gives up, which is no fault of the bot.
Where an event takes marks off for it, a second trial asks whether a bot plays as if at random.
"""

from __future__ import annotations

import time

from ludus.bots.entrants import ProgramFile, PythonFile
from ludus.bots.player import Choice, Failure, Player, Turn
from ludus.bots.room import Room
from ludus.course.check import Checkup, check_bot
from ludus.course.faults import find_faults
from ludus.course.ladder import Ladder, Played, Sparring
from ludus.course.randomness import Randomness
from ludus.course.source_reading import read_source
from ludus.course.workload import BRIEF
from ludus.events.event import Event
from ludus.referee.fair import play_fairly
from ludus.sandbox.process import Spent

PATIENCE_S = 10.0  # of the opponent, in both games together
LONGEST_S = 60.0  # that asking about random play may take of one bot


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


def randomness_of_bot(found: Checkup, room: Room) -> Randomness | None:
    """Whether a bot that has passed its trial plays as if at random; None where it thinks too long to be asked so much.

    Whoever plays at random has no use for so much time.
    """
    spents, games = found.spents, sum(BRIEF.games.values())
    asked = 5 * BRIEF.puzzles + BRIEF.repeated * (BRIEF.times + 1) + games * len(spents) / len(found.played)
    if asked * sum(spent.wall_s for spent in spents) / len(spents) > LONGEST_S:
        return None
    return check_bot(found.event, found.entrant, room, load=BRIEF).randomness


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

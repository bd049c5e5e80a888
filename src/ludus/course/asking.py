"""Asks a bot about single positions, each in a fresh process, as the referee would: for checks of all kinds."""

from __future__ import annotations

from dataclasses import dataclass

from ludus.bots.entrants import Entrant
from ludus.bots.player import Choice, Failure, Turn
from ludus.bots.room import Room
from ludus.course.positions import Spot
from ludus.events.event import Event
from ludus.referee.clock import Clock, was_starved
from ludus.referee.game import Pitch
from ludus.sandbox.cores import quiet_core
from ludus.sandbox.process import Evidence, Spent

REPEATS = 2  # of a question whose answer came late because the machine had no core to give
PATIENCE_S = 10.0


@dataclass(frozen=True)
class Answer:
    """What a bot made of a position: a move or a failure."""

    spot: Spot
    move: int | None
    failure: Failure | None
    spent: Spent
    evidence: Evidence

    @property
    def thinking_s(self) -> float:
        """Wall time without waiting for a core."""
        return max(0.0, self.spent.wall_s - self.spent.waited_s)


class Asker:
    """Puts one bot into positions."""

    def __init__(self, room: Room, entrant: Entrant, event: Event) -> None:
        self.room, self.entrant, self.event = room, entrant, event

    def ask(self, spot: Spot, *, seed: int) -> Answer:
        """Its move there; the position is handed over with all moves that led to it."""
        answer = self._once(spot, seed)
        for _ in range(REPEATS):
            if answer.failure is None or answer.failure.kind != "timeout":
                break
            if not was_starved(answer.spent, Clock(self.event.control).allowed_s):
                break
            with quiet_core(patience_s=PATIENCE_S) as core:
                self.room.cores = None if core is None else {core}
                answer = self._once(spot, seed)
            self.room.cores = None
        return answer

    def _once(self, spot: Spot, seed: int) -> Answer:
        event, game = self.event, self.event.game
        pitch = Pitch(game, spot.options, event.control, seed)
        seat, clock = game.turn(spot.state), Clock(event.control)
        player = self.room.player(self.entrant, game, who=0, seed=pitch.player_seed(seat))
        try:
            failure = player.begin(pitch.setup(seat))
            choice = Choice(None, failure, Spent())
            if failure is None:
                turn = Turn(
                    game,
                    spot.options,
                    spot.state,
                    spot.line.moves,
                    seat,
                    clock.limit_s,
                    clock.patience_s,
                    clock.bank_s,
                )
                choice = player.choose(turn)
        finally:
            player.close()
        failure = choice.failure
        if failure is None and (late := clock.charge(choice.spent.wall_s - _excused_s(choice, clock))):
            failure = Failure("timeout", late)
        return Answer(spot, None if failure else choice.move, failure, choice.spent, player.evidence())


def _excused_s(choice: Choice, clock: Clock) -> float:
    return choice.spent.waited_s if was_starved(choice.spent, clock.allowed_s) else 0.0

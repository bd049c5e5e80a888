"""Whoever plays against a person, in a process of its own: an agent of ours, or a bot in the sandbox."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future

from ludus.bots.entrants import AgentName, Entrant
from ludus.bots.player import Choice, Failure, Player, Setup, Turn
from ludus.bots.room import Room
from ludus.referee.clock import Clock
from ludus.referee.game import Pitch
from ludus.sandbox.process import Spent
from ludus.sittings.desk import Desk
from ludus.sittings.sitting import Sitting

OpenRoom = Callable[[Entrant], Room]
PATIENCE_TIMES, PATIENCE_S = 2.0, 5.0  # an agent of ours that is late for a person is waited for


class Opponent:
    """The player of one seat through one game, however often moves are taken back."""

    def __init__(self, pitch: Pitch, entrant: Entrant, seat: int, open_room: OpenRoom) -> None:
        self.pitch, self.entrant, self.seat = pitch, entrant, seat
        self._open_room = open_room
        self._room: Room | None = None
        self._player: Player | None = None
        self._asked: tuple[int, ...] | None = None  # the moves when it was asked last
        self._clock = Clock(pitch.control)
        self._desk = Desk(f"opponent {entrant.name}")
        self._is_closed = False

    def choose(self, sitting: Sitting) -> Future[Choice]:
        """Its move in the position as it is now; the future may be awaited or waited for."""
        state, moves = sitting.state, tuple(sitting.moves)
        clock = self._clock
        patience_s = clock.patience_s
        if isinstance(self.entrant, AgentName):
            patience_s = PATIENCE_TIMES * clock.limit_s + PATIENCE_S
        turn = Turn(self.pitch.game, self.pitch.options, state, moves, self.seat, clock.limit_s, patience_s)
        return self._desk.do(lambda: self._choose(turn))

    def get_ready(self) -> Future[Failure | None]:
        """Start its process before it is asked, so that the first move does not wait for that."""
        return self._desk.do(self._begun)

    def close(self) -> None:
        """Nothing of it is left, at the latest with this process; an agent does not think to its end."""
        self._is_closed = True
        if self._room is not None and isinstance(self.entrant, AgentName):
            self._room.kill_agents()
        self._desk.do(self._leave)
        self._desk.close()

    # ---- on the desk's thread

    def _choose(self, turn: Turn) -> Choice:
        asked = self._asked
        was_taken_back = asked is not None and (len(turn.moves) <= len(asked) or turn.moves[: len(asked)] != asked)
        if was_taken_back and not isinstance(self.entrant, AgentName):
            self._drop()  # it may remember what is no longer true; agents of ours notice by themselves
        self._asked = turn.moves
        failure = self._begun()
        if failure is not None:
            self._drop()
            return Choice(None, failure, Spent())
        assert self._player is not None
        choice = self._player.choose(turn)
        if choice.failure is None and not isinstance(self.entrant, AgentName):
            late = self._clock.charge(choice.spent.wall_s)
            choice = choice if late is None else Choice(None, Failure("timeout", late), choice.spent)
        if choice.failure is not None:
            self._drop()
        return choice

    def _begun(self) -> Failure | None:
        if self._is_closed:
            return Failure("crash", "nobody plays here any more")
        if self._player is not None:
            return None
        if self._room is None:
            self._room = self._open_room(self.entrant)
        self._player = self._room.player(
            self.entrant, self.pitch.game, who=self.seat, seed=self.pitch.player_seed(self.seat)
        )
        limit_s = self.pitch.control.limit_s
        seed = self.pitch.player_seed(self.seat)
        return self._player.begin(Setup(self.pitch.game, self.pitch.options, self.seat, limit_s, limit_s, seed))

    def _drop(self) -> None:
        if self._player is not None:
            self._player.close()
        self._player = None

    def _leave(self) -> None:
        self._drop()
        if self._room is not None:
            self._room.close()
        self._room = None

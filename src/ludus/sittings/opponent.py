"""Whoever plays against a person, in a process of its own: an agent of ours, or a bot in the sandbox."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock

from ludus.bots.entrants import AgentName, Entrant
from ludus.bots.player import Choice, Failure, Player, Setup, Turn
from ludus.bots.program import ProgramPlayer
from ludus.bots.python_bot import PythonBot
from ludus.bots.room import Room
from ludus.errors import AgentError
from ludus.referee.clock import Clock
from ludus.referee.game import Pitch
from ludus.sandbox.process import Process, Spent
from ludus.sittings.desk import Desk
from ludus.sittings.sitting import Sitting

OpenRoom = Callable[[Entrant], Room]
PATIENCE_TIMES, PATIENCE_S = 2.0, 5.0  # an agent of ours that is late for a person is waited for
COMPILED = "the first time, its search is compiled."
SOON_S = 1.0  # an opponent that needs longer to get ready is excused to those who wait
STOPPED = Choice(None, Failure("crash", "nobody waits for this move any more"), Spent())


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
        self._lock = Lock()  # on what is being chosen
        self._number = 0  # of the last question, or of the last stop
        self._is_choosing = self._is_stopped = False

    def choose(self, sitting: Sitting) -> Future[Choice]:
        """Its move in the position as it is now; the future may be awaited or waited for."""
        state, moves = sitting.state, tuple(sitting.moves)
        clock = self._clock
        patience_s = clock.patience_s
        if isinstance(self.entrant, AgentName):
            patience_s = PATIENCE_TIMES * clock.limit_s + PATIENCE_S
        turn = Turn(self.pitch.game, self.pitch.options, state, moves, self.seat, clock.limit_s, patience_s)
        with self._lock:
            self._number += 1
            number = self._number
        return self._desk.do(lambda: self._choose(turn, number))

    def stop(self) -> None:
        """Nobody waits for its move any more: its search ends now, and it gets ready to be asked again."""
        with self._lock:
            self._number += 1
            if not self._is_choosing:
                return
            assert self._player is not None
            self._is_stopped = True
            _process_of(self._player).kill()
        self._desk.do(self._begun)

    def get_ready(self) -> Future[Failure | None]:
        """Start its process before it is asked, so that the first move does not wait for that."""
        return self._desk.do(self._begun)

    def rest(self) -> None:
        """End its process until it is asked again."""
        self._desk.do(self._leave)

    def close(self) -> None:
        """Nothing of it is left, at the latest with this process; an agent does not think to its end."""
        self._is_closed = True
        if self._room is not None and isinstance(self.entrant, AgentName):
            self._room.kill_agents()
        self._desk.do(self._leave)
        self._desk.close()

    # ---- on the desk's thread

    def _choose(self, turn: Turn, number: int) -> Choice:
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
        with self._lock:
            self._is_choosing = number == self._number
        if not self._is_choosing:
            return STOPPED
        choice = self._player.choose(turn)
        with self._lock:
            self._is_choosing, was_stopped, self._is_stopped = False, self._is_stopped, False
        if was_stopped:
            _process_of(self._player).close()
            self._drop()
            return STOPPED
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
        limit_s, seed = self.pitch.control.limit_s, self.pitch.player_seed(self.seat)
        try:
            self._player = self._room.player(self.entrant, self.pitch.game, who=self.seat, seed=seed)
        except OSError as error:
            reason = error.strerror or str(error)
            raise AgentError(f"the process of {self.entrant.name} could not be started: {reason}") from None
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


def _process_of(player: Player) -> Process:
    assert isinstance(player, PythonBot | ProgramPlayer)
    return player.process

"""A game that a person plays here: moves, clocks, taking back, resigning, and what is written down of it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from random import Random
from typing import Any

from ludus.bots.entrants import Entrant, HumanBeing
from ludus.bots.player import Failure
from ludus.records import Record, record_game
from ludus.referee.clock import TimeControl
from ludus.referee.dossier import described_entrant
from ludus.referee.game import Pitch
from ludus.referee.series import drawn_options
from ludus.referee.verdict import Verdict, forfeit, of_result
from ludus.reports.trace import trace_of
from ludus.rules import Game, Line, State
from ludus.sandbox.process import Spent
from ludus.view.canvas import printable

LIMIT_S = 5.0  # of a move, where nobody says


@dataclass(frozen=True)
class Agreement:
    """What is settled before a game: which one, who against whom, who begins, and how long a move may take."""

    game: Game
    options: dict[str, Any]
    entrants: tuple[Entrant, Entrant]  # by seat
    limit_s: float
    seed: int
    warns_person: bool = False  # a person's clock reddens near the limit as well; nobody loses a game by it


def agree(
    game: Game,
    opponent: Entrant,
    *,
    first: str = "me",
    options: dict[str, Any] | None = None,
    limit_s: float | None = None,
    seed: int,
) -> Agreement:
    """Seats for a person and an opponent; a random board is drawn by the seed, and so is who begins, if `random`."""
    person = HumanBeing()
    other = HumanBeing("guest") if isinstance(opponent, HumanBeing) else opponent
    is_mine = first == "me" or (first == "random" and Random(seed).random() < 0.5)
    entrants = (person, other) if is_mine else (other, person)
    start = drawn_options(game, options or {}, seed)
    return Agreement(game, start, entrants, limit_s or LIMIT_S, seed, warns_person=limit_s is not None)


@dataclass
class Sitting:
    """One game from its start on; positions only ever change by `play`, `undo`, `resign` and `fail`."""

    agreement: Agreement
    states: list[State] = field(init=False)
    moves: list[int] = field(default_factory=list)
    spent: list[Spent] = field(default_factory=list)  # for each move
    verdict: Verdict | None = None
    undone: int = 0  # moves that were taken back
    hints: int = 0
    since: float = field(default_factory=time.perf_counter)  # when the turn began
    cut_short: tuple[int, float] | None = None  # the seat and the seconds of a turn that ended without a move

    def __post_init__(self) -> None:
        self.states = [self.game.start(**self.agreement.options)]
        self._judge()

    @property
    def game(self) -> Game:
        return self.agreement.game

    @property
    def state(self) -> State:
        return self.states[-1]

    @property
    def line(self) -> Line:
        return Line(tuple(self.states), tuple(self.moves))

    @property
    def turn(self) -> int | None:
        """The seat to move, None once the game is over."""
        return None if self.verdict is not None else self.game.turn(self.state)

    @property
    def names(self) -> tuple[str, str]:
        one, other = (printable(entrant.name) for entrant in self.agreement.entrants)
        return one, other

    @property
    def pitch(self) -> Pitch:
        agreed = self.agreement
        return Pitch(agreed.game, agreed.options, TimeControl(agreed.limit_s), agreed.seed)

    def is_person(self, seat: int | None) -> bool:
        return seat is not None and isinstance(self.agreement.entrants[seat], HumanBeing)

    def play(self, move: int, spent: Spent | None = None) -> None:
        """A legal move of the seat to move; without `spent` it took the time since the turn began."""
        self.spent.append(spent or Spent(wall_s=self.thought_s()))
        self.moves.append(move)
        self.states.append(self.game.play(self.state, move))
        self.since = time.perf_counter()
        self._judge()

    def undo(self, seat: int | None = None) -> int:
        """Take back the last move of a person, or of that seat, and whatever was answered; how many moves that are."""
        seats = [self.game.turn(state) for state in self.states[:-1]]
        mine = [self.is_person(one) if seat is None else one == seat for one in seats]
        last = max((ply for ply, is_mine in enumerate(mine) if is_mine), default=None)
        if last is None:
            return 0
        count = len(self.moves) - last
        del self.moves[last:], self.spent[last:], self.states[last + 1 :]
        self.verdict, self.undone, self.since = None, self.undone + count, time.perf_counter()
        self.cut_short = None
        return count

    def resign(self, seat: int | None = None) -> None:
        """The seat gives up; unless said, the person to move, or on the opponent's turn the person who waits."""
        if self.turn is None:
            return
        if seat is None:
            seat = self.turn if self.is_person(self.turn) else 1 - self.turn
        self.cut_short = (self.turn, self.thought_s())
        self.verdict = Verdict("win", 1 - seat, f"{self.names[seat]} resigns", len(self.moves))

    def fail(self, failure: Failure) -> None:
        """The seat to move forfeits."""
        assert self.turn is not None
        self.cut_short = (self.turn, self.thought_s())
        self.verdict = forfeit(self.turn, failure, len(self.moves))

    def thought_s(self) -> float:
        """How long the turn has lasted so far."""
        return time.perf_counter() - self.since

    def used_s(self, seat: int) -> float:
        """What the moves of a seat took together; the turn that goes on, or was cut short, counts too."""
        turns = zip(self.states, self.spent, strict=False)
        total = sum(spent.wall_s for state, spent in turns if self.game.turn(state) == seat)
        if self.cut_short is not None and self.cut_short[0] == seat:
            total += self.cut_short[1]
        return total + (self.thought_s() if self.turn == seat else 0.0)

    def ending(self) -> str:
        """How the game ended in one sentence; nothing while it goes on."""
        if self.verdict is None:
            return ""
        guilty = f"{self.names[self.verdict.seat]} forfeits: " if self.verdict.seat is not None else ""
        winner = "" if self.verdict.winner is None or "wins" in self.verdict.reason else self._wins(self.verdict.winner)
        return f"{guilty}{self.verdict.reason}{winner}"

    def trace(self, *, ascii: bool = False) -> str:
        """The game as a text for people."""
        seconds = [spent.wall_s for spent in self.spent]
        agreed, ending = self.agreement, self.ending() if self.game.result(self.state) is None else ""
        return trace_of(
            self.game,
            self.line,
            players=self.names,
            options=agreed.options,
            seconds=seconds,
            verdict=ending,
            ascii=ascii,
        )

    def record(self) -> Record:
        """The game as a record, such as the referee writes them."""
        agreed, result = self.agreement, self.game.result(self.state)
        return record_game(
            self.game,
            self.states[0],
            agreed.options,
            self.moves,
            players=[described_entrant(entrant) for entrant in agreed.entrants],
            seed=agreed.seed,
            time={"limit_s": agreed.limit_s},
            **({} if self.verdict is None else {"verdict": self.verdict.to_json()}),
            **({} if result is None else {"result": result}),
            times_ms=[[round(1000 * part, 3) for part in spent] for spent in self.spent],
            undone=self.undone,
            hints=self.hints,
        )

    def _wins(self, seat: int) -> str:
        return f"; {self.names[seat]} wins"

    def _judge(self) -> None:
        payoff = self.game.result(self.state)
        if payoff is not None:
            self.verdict = of_result(payoff, len(self.moves), self.names)

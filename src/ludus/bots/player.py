"""What a player is to the referee, whoever it is: something that chooses a move, or fails to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

from ludus.rules import Game, State
from ludus.sandbox.process import Evidence, Level, Reply, Spent

FailureKind = Literal[
    "illegal", "timeout", "exception", "crash", "memory", "tampering", "forbidden", "output", "protocol"
]


class Setup(NamedTuple):
    """What a player is told before the first move."""

    game: Game
    options: dict[str, Any]  # of the start, random boards written out
    seat: int
    limit_s: float
    first_limit_s: float
    seed: int


class Turn(NamedTuple):
    """What a player is asked: the position, how it came about, and how much time there is."""

    game: Game
    options: dict[str, Any]
    state: State
    moves: tuple[int, ...]  # all so far, of both seats
    seat: int
    limit_s: float  # announced to the player
    patience_s: float  # after which the referee waits no longer: the limit, and what the event grants beyond
    bank_s: float = 0.0  # what is left of a time bank


class Failure(NamedTuple):
    """How a player forfeits, in one sentence, and the line of its file where it is known."""

    kind: FailureKind
    reason: str
    line: int | None = None


@dataclass(frozen=True)
class Choice:
    """A move, or a failure, and what it took."""

    move: int | None
    failure: Failure | None
    spent: Spent
    gone_s: float | None = None


class Player(Protocol):
    """One player in one game."""

    name: str
    is_timed: bool  # people take the time they need

    @property
    def level(self) -> Level:
        """How well it is kept from doing anything but choosing."""

    def begin(self, setup: Setup) -> Failure | None:
        """Get ready; what goes wrong before the first move is a failure as well."""

    def choose(self, turn: Turn) -> Choice:
        """The player's move, within the time of the turn."""

    def evidence(self) -> Evidence:
        """What is kept for an appeal."""

    def close(self) -> None:
        """The game is over."""


def failed(reply: Reply) -> Choice:
    """The choice that a process made which did not answer."""
    assert reply.kind != "answer"
    return Choice(None, Failure(reply.kind, reply.reason, reply.line), reply.spent, reply.gone_s)

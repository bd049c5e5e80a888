"""How a game ended, and why, in one sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

from ludus.bots.player import Failure, FailureKind
from ludus.view.canvas import printable

VerdictKind = Literal["win", "draw"] | FailureKind
LONGEST_REASON = 300
FORFEITS: tuple[str, ...] = get_args(FailureKind)


@dataclass(frozen=True)
class Verdict:
    """The end of a game. `seat` is the guilty one of a forfeit; a win or a draw has none.

    A forfeit without a winner is one of both: neither could play at all.
    """

    kind: VerdictKind
    winner: int | None
    reason: str
    ply: int  # in which it ended, counted from 0
    seat: int | None = None
    line: int | None = None  # of the guilty bot's file, where it is known

    @property
    def is_forfeit(self) -> bool:
        return self.seat is not None

    def to_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {"kind": self.kind, "seat": self.seat, "reason": self.reason, "ply": self.ply}
        return {**found, "winner": self.winner, "line": self.line}


def of_result(payoff: int, moves: int, names: tuple[str, str]) -> Verdict:
    """What the rules say of a game that so many moves brought to its end."""
    ply = max(0, moves - 1)
    if payoff == 0:
        return Verdict("draw", None, "a draw", ply)
    winner = 0 if payoff > 0 else 1
    by = f" by {abs(payoff)}" if abs(payoff) > 1 else ""
    return Verdict("win", winner, f"{names[winner]} wins{by}", ply)


def forfeit(seat: int, failure: Failure, ply: int) -> Verdict:
    """The other seat wins."""
    return Verdict(failure.kind, 1 - seat, _sentence(failure.reason), ply, seat=seat, line=failure.line)


def forfeit_of_both(one: Failure, other: Failure) -> Verdict:
    """Neither could begin, and nobody wins."""
    reason = f"neither can play: {one.reason}; and the other, {other.reason}"
    return Verdict(one.kind, None, _sentence(reason), 0, seat=0, line=one.line)


def _sentence(reason: str) -> str:
    """Much of a reason comes from the bot, so it is one line of letters, and not too long."""
    words = printable(" ".join(reason.split()))
    return words if len(words) <= LONGEST_REASON else words[: LONGEST_REASON - 3] + "..."

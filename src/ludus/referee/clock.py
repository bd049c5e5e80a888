"""How long players may think: the limit of a move, and what an event may grant beyond it."""

from __future__ import annotations

from typing import NamedTuple

from ludus.sandbox.process import Spent

LATEST = 2.0  # times the limit: when a late move is no longer waited for, where lateness is only a strike


class TimeControl(NamedTuple):
    """The limits of an event. Unless it grants more, a move that is late by anything is lost."""

    limit_s: float
    first_limit_s: float | None = None  # of each player's first move, where it differs
    grace_s: float = 0.0  # that a move may be late
    bank_s: float = 0.0  # for all late moves of a player together
    strikes: int = 1  # so many late moves lose; each but the last stands, if it comes within twice the limit


class Clock:
    """One player's clock in one game."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.bank_s, self.strikes, self.moves = control.bank_s, 0, 0

    @property
    def limit_s(self) -> float:
        """What the player is told."""
        first = self.control.first_limit_s
        return self.control.limit_s if first is None or self.moves else first

    @property
    def allowed_s(self) -> float:
        """What a move may take without being late."""
        return self.limit_s + self.control.grace_s + self.bank_s

    @property
    def strikes_left(self) -> int:
        """So many late moves lose."""
        return self.control.strikes - self.strikes

    @property
    def patience_s(self) -> float:
        """When the referee waits no longer."""
        return max(self.allowed_s, LATEST * self.limit_s) if self.strikes_left > 1 else self.allowed_s

    def charge(self, wall_s: float) -> str | None:
        """Count a move that was made; a sentence where it comes too late to stand."""
        over = wall_s - self.limit_s - self.control.grace_s
        limit, self.moves = self.limit_s, self.moves + 1
        if over <= 0:
            return None
        if over <= self.bank_s:
            self.bank_s -= over
            return None
        self.bank_s = 0.0
        self.strikes += 1
        if self.strikes < self.control.strikes:
            return None
        strikes = f", late for the {ordinal(self.strikes)} time" if self.strikes > 1 else ""
        return f"the move took {wall_s:.3f} s of {limit:g} s{strikes}"


def ordinal(number: int) -> str:
    return {1: "first", 2: "second", 3: "third"}.get(number, f"{number}th")


CLEARLY = 0.9  # of what is allowed: with a core at hand, a player below this would have been in time


def was_starved(spent: Spent, allowed_s: float) -> bool:
    """Whether an overrun is the machine's fault: with a core at hand the player would have been clearly in time.

    Wall time is running, waiting for a core, and sleeping of one's own will; only the waiting is taken away.
    """
    return spent.wall_s >= allowed_s and spent.wall_s - spent.waited_s < CLEARLY * allowed_s

"""How a tournament ended: tables, matches and the place of every team, for reports and grades."""

from __future__ import annotations

from collections.abc import Generator
from fractions import Fraction
from typing import NamedTuple

from ludus.tournament.pairing import Results, Round


class Row(NamedTuple):
    """A team in a table. `decided_by` says what puts it above the next row ("points", a tie-break); last: ""."""

    place: int
    team: int
    played: int
    wins: int
    draws: int
    losses: int
    forfeits: int  # lost by a fault of its own
    byes: int
    points: Fraction
    against: Fraction  # points of its opponents in these games
    difference: int
    decided_by: str
    tie_values: tuple[tuple[str, Fraction], ...]  # what each tie-break that was needed said of this team


class Table(NamedTuple):
    """A pool, best first; the first `advance` teams go on."""

    stage: str
    pool: str
    rows: tuple[Row, ...]
    advance: int = 0


class Match(NamedTuple):
    """One match of a bracket. A bye has one team; `score` is the aggregate on the board that decided."""

    id: str
    stage: str
    round: int
    teams: tuple[int, int] | tuple[int]
    winner: int
    score: tuple[Fraction, Fraction]
    boards: int  # that were played
    decided_by: str  # "points", "seed" or "bye"

    @property
    def loser(self) -> int | None:
        return next((team for team in self.teams if team != self.winner), None)


class Place(NamedTuple):
    """Where a team ended; `decided_by` says what puts it above the next, as in a table."""

    place: int
    team: int
    decided_by: str


class Outcome(NamedTuple):
    """The end of a tournament: every team has one place of its own."""

    placing: tuple[Place, ...]
    tables: tuple[Table, ...]
    matches: tuple[Match, ...] = ()


Format = Generator[Round, Results, Outcome]


def placing_of(rows: tuple[Row, ...]) -> tuple[Place, ...]:
    """The places of a single table."""
    return tuple(Place(row.place, row.team, row.decided_by) for row in rows)

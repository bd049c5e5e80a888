"""The standings of a tournament as one value: to read, to count with, and to look at in a notebook."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from ludus.reports.findings import Findings, findings_of
from ludus.reports.notebook import standings_html
from ludus.reports.text import NAME_WIDTH
from ludus.reports.wording import decided, points
from ludus.view.canvas import cut, printable, text_width


class StandingRow(NamedTuple):
    """A team's place and its totals over all games; `decided_by` says what puts it above the next."""

    place: int
    team: str
    games: int
    wins: int
    draws: int
    losses: int
    forfeits: int  # lost by a fault of its own
    points: Fraction
    difference: int
    decided_by: str


@dataclass(frozen=True, repr=False)
class Standings:
    """How a tournament stands, or how it ended; best first. A list of its rows makes a data frame."""

    title: str
    rows: tuple[StandingRow, ...]
    games: int  # that are played
    planned: int | None  # None of a tournament without an end
    champion: str | None  # None until it is finished

    def __iter__(self) -> Iterator[StandingRow]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: int) -> StandingRow:
        return self.rows[index]

    @property
    def progress(self) -> str:
        """ "12 of 60 games", or "60 games, finished"."""
        if self.champion is not None:
            return f"{self.games:,} games, finished"
        return f"{self.games:,} games" if self.planned is None else f"{self.games:,} of {self.planned:,} games"

    def __repr__(self) -> str:
        return "\n".join(self._lines())

    def _repr_html_(self) -> str:
        return standings_html(self)

    def _lines(self) -> Iterator[str]:
        yield f"{printable(self.title)} · {self.progress}"
        head = f"{'games':>6} {'won':>5} {'drawn':>5} {'lost':>5} {'points':>9}  decided by"
        yield f"{'':>4}  {'':<{NAME_WIDTH}} {head}"
        for row in self.rows:
            name = cut(printable(row.team), NAME_WIDTH)
            padded = name + " " * (NAME_WIDTH - text_width(name))
            record = f"{row.games:>6} {row.wins:>5} {row.draws:>5} {row.losses:>5} {points(row.points):>9}"
            yield f"{row.place:>4}  {padded} {record}  {decided(row.decided_by)}".rstrip()


def standings_of(folder: Path | str) -> Standings:
    """How the tournament in the folder stands this moment, also while it runs; or a StoreError."""
    return standings(findings_of(Path(folder)))


def standings(found: Findings) -> Standings:
    """The same of findings that are read already."""
    rows = tuple(
        StandingRow(
            place,
            found.names[team],
            total.played,
            total.wins,
            total.draws,
            total.losses,
            total.forfeits,
            total.points,
            total.difference,
            by,
        )
        for place, team, total, by in found.standings
    )
    outcome = found.unfolded.outcome
    champion = None if outcome is None else found.names[outcome.placing[0].team]
    return Standings(found.event.title, rows, len(found.games), found.planned, champion)

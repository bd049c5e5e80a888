"""A tournament in the terminal: how it stands while it runs, and its tables at the end."""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ludus.tournament.outcome import Match, Outcome, Table
from ludus.tournament.pairing import GameResult, Round
from ludus.tournament.tables import Tallies, Tally, tally

if TYPE_CHECKING:
    from rich.console import Group

SHOWN = 12  # teams in the live standings
FRAME_S, LINE_S, LOOK_S = 0.2, 30.0, 5.0  # between pictures; lines where there is no terminal; looks at the bots' files
NAME_WIDTH = 28


class Progress:
    """What a run has done so far; tells a terminal, or a log, now and then."""

    def __init__(self, names: list[str], games: int | None, look: Callable[[], list[str]]) -> None:
        self.names, self.games, self.look = names, games, look
        self.stage, self.in_stage, self.stage_count = "", 0, 0
        self.tallies: Tallies = defaultdict(Tally)
        self.stored = self.new = 0
        self.began = self.looked = time.monotonic()
        self.shown = 0.0

    def begin(self, _wave: int, games: Round) -> None:
        if games.stage != self.stage:
            self.tallies.clear()
            self.stage, self.in_stage, self.stage_count = games.stage, 0, 0
        self.stage_count += games.count

    def result(self, result: GameResult, *, is_new: bool) -> None:
        self.stored += 1
        self.in_stage += 1
        if is_new:
            if not self.new:
                self.began = time.monotonic()  # before, workers start
            self.new += 1
        tally((result,), self.tallies)

    def tick(self) -> None:
        now = time.monotonic()
        if now - self.looked > LOOK_S:
            self.looked = now
            for sentence in self.look():
                self.say(sentence)
        if now - self.shown > self.pause_s:
            self.shown = now
            self.show()

    pause_s = LINE_S

    def say(self, sentence: str) -> None:
        sys.stderr.write(f"ludus: {sentence}\n")

    def show(self) -> None:
        if self.stored:
            self.say(self.line)

    @property
    def line(self) -> str:
        total = "" if self.games is None else f" of {max(self.games, self.stored)}"
        stage = f"{self.stage}: {self.in_stage} of {self.stage_count}"
        return f"{self.stored}{total} games   {stage}{self.time_left}"

    @property
    def time_left(self) -> str:
        """At the pace of this run."""
        if self.games is None or self.new < 2:
            return ""
        pace = (time.monotonic() - self.began) / (self.new - 1)
        minutes, seconds = divmod(round(pace * max(0, self.games - self.stored)), 60)
        return f"   {minutes // 60}:{minutes % 60:02}:{seconds:02} left"


class LiveProgress(Progress):
    """The same as a picture that changes."""

    pause_s = FRAME_S

    def __init__(self, names: list[str], games: int | None, look: Callable[[], list[str]], live: Any) -> None:
        super().__init__(names, games, look)
        self.live = live

    def say(self, sentence: str) -> None:
        from rich.text import Text  # noqa: PLC0415

        self.live.console.print(Text(f"ludus: {sentence}"))

    def show(self) -> None:
        self.live.update(self.picture(), refresh=True)

    def picture(self) -> Group:
        from rich.console import Group  # noqa: PLC0415  # slow to import, and only people at a terminal need it
        from rich.progress_bar import ProgressBar  # noqa: PLC0415
        from rich.table import Table as RichTable  # noqa: PLC0415
        from rich.text import Text  # noqa: PLC0415

        total = max(self.games or self.stage_count, 1)
        bar = RichTable.grid(padding=(0, 2))
        bar.add_row(ProgressBar(total=total, completed=min(self.stored, total), width=30), Text(self.line))
        table = RichTable(box=None, padding=(0, 2), show_edge=False)
        for title in ("", self.stage, "games", "+ = -", "points"):
            table.add_column(title, justify="left" if title in ("", self.stage) else "right", style="")
        ordered = sorted(self.tallies.items(), key=lambda item: (-item[1].points, item[1].played, item[0]))
        for place, (team, found) in enumerate(ordered[:SHOWN], 1):
            record = f"{found.wins} {found.draws} {found.losses}"
            name = Text(self.names[team][:NAME_WIDTH])
            table.add_row(str(place), name, str(found.played), record, shown_points(found.points))
        more = len(ordered) - SHOWN
        return Group(bar, table, Text(f"    and {more} more" if more > 0 else ""))


@contextmanager
def watching(
    names: list[str], games: int | None, *, is_quiet: bool, look: Callable[[], list[str]]
) -> Iterator[Progress]:
    """Whoever is to be told how the run goes: nobody much, a log, or a person at a terminal."""
    if is_quiet or not sys.stderr.isatty():
        progress = Progress(names, games, look)
        progress.pause_s = float("inf") if is_quiet else LINE_S
        yield progress
    else:
        from rich.console import Console  # noqa: PLC0415  # slow to import, and only people at a terminal need it
        from rich.live import Live  # noqa: PLC0415

        with Live(console=Console(stderr=True, highlight=False), auto_refresh=False, transient=True) as live:
            progress = LiveProgress(names, games, look, live)
            yield progress
    for sentence in look():
        sys.stderr.write(f"ludus: {sentence}\n")


def outcome_lines(outcome: Outcome, names: list[str]) -> Iterator[str]:
    """All tables and matches, and then everybody's place where one table does not tell it."""
    for number, table in enumerate(outcome.tables):
        yield from [""] if number else []
        yield from _table_lines(table, names)
    yield from [""] if outcome.tables and outcome.matches else []
    yield from (_match_line(match, names) for match in outcome.matches)
    if len(outcome.tables) != 1 or outcome.matches:
        yield from ["", "places"]
        for place in outcome.placing:
            yield f"{place.place:>4}  {names[place.team][:NAME_WIDTH]:<{NAME_WIDTH}}  {place.decided_by}".rstrip()


def _table_lines(table: Table, names: list[str]) -> Iterator[str]:
    title = f"{table.stage} {table.pool}".strip()
    has_byes = any(row.byes for row in table.rows)
    head = f"{'games':>6} {'won':>5} {'drawn':>5} {'lost':>5}{' byes' if has_byes else ''} {'points':>9}  decided by"
    yield f"{'':>4}  {title:<{NAME_WIDTH}} {head}"
    for row in table.rows:
        mark = ">" if row.place <= table.advance else " "
        byes = f" {row.byes:>4}" if has_byes else ""
        record = f"{row.played:>6} {row.wins:>5} {row.draws:>5} {row.losses:>5}{byes} {shown_points(row.points):>9}"
        yield f"{row.place:>4}{mark} {names[row.team][:NAME_WIDTH]:<{NAME_WIDTH}} {record}  {row.decided_by}".rstrip()


def _match_line(match: Match, names: list[str]) -> str:
    if len(match.teams) == 1:
        return f"{match.id}: {names[match.winner]} has a bye"
    one, other = (names[team] for team in match.teams)
    score = f"{shown_points(match.score[0])} : {shown_points(match.score[1])}"
    return f"{match.id}: {one} {score} {other}, {names[match.winner]} goes on by {match.decided_by}"


def shown_points(points: Fraction) -> str:
    """Exactly: as a decimal number where it is one, else as a fraction."""
    if points.denominator == 1:
        return str(points.numerator)
    for digits in range(1, 10):
        if 10**digits % points.denominator == 0:
            return f"{Decimal(points.numerator) / points.denominator:.{digits}f}"
    return str(points)

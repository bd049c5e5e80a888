"""What bots took for their moves, against the limit."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ludus.reports.findings import Findings
from ludus.reports.markup import Markup, card, element, heading, table
from ludus.reports.plots_svg import Scale, axis, by_tens, histogram, times_row
from ludus.reports.sections_tables import team_link
from ludus.reports.wording import seconds

CLOSE = 0.8  # of the limit: one slow machine away from a forfeit
QUANTILES = (0.0, 0.05, 0.5, 0.95, 1.0)


@dataclass
class TimeUse:
    """Wall times in milliseconds by team, of the games that were looked at."""

    limit_ms: float
    games: int = 0
    by_team: defaultdict[int, array[float]] = field(default_factory=lambda: defaultdict(lambda: array("d")))

    def add(self, teams: tuple[int, int], times_ms: Sequence[tuple[int, float]]) -> None:
        """The moves of a game, each with the seat that made it."""
        self.games += 1
        for seat, wall_ms in times_ms:
            self.by_team[teams[seat]].append(wall_ms)

    @property
    def scale(self) -> Scale:
        most = max((max(times) for times in self.by_team.values()), default=self.limit_ms)
        least = min((min(times) for times in self.by_team.values()), default=1.0)
        return by_tens(max(0.05, min(least, self.limit_ms / 100)), 1.15 * max(most, self.limit_ms))


def quantiles(times: Sequence[float], shares: Sequence[float] = QUANTILES) -> list[float]:
    ordered = sorted(times)
    return [ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in shares]


def time_section(found: Findings, use: TimeUse) -> Markup | None:
    if not use.by_team:
        return None
    scale, limit = use.scale, use.limit_ms
    order = [standing.team for standing in found.standings if standing.team in use.by_team]
    rows = [_row(found, use.by_team, team, scale, limit) for team in order]
    rows.append(
        element(
            "tr",
            element("td"),
            element("td", axis(scale, limit=(limit, f"limit {seconds(limit)}")), class_="plotted"),
            element("td"),
            element("td"),
            element("td"),
            class_="axis",
        )
    )
    head = ["Bot", element("th", "All moves", scope="col"), *(_right(text) for text in ("Median", "95 %", "Longest"))]
    of = "" if use.games >= sum(game.result.status == "played" for game in found.games) else f" of {use.games} games"
    note = f"wall time{of}; thick: nine tenths of the moves, dot: median, end: the longest; a scale of tens"
    return card(
        heading("Time for a move", id="time", note=note), table(head, rows, caption="Time for a move", class_="times")
    )


def _row(found: Findings, by_team: Mapping[int, array[float]], team: int, scale: Scale, limit: float) -> Markup:
    shares = quantiles(by_team[team])
    _, _, middle, high, most = shares
    label = f"median {seconds(middle)}, longest {seconds(most)} of {seconds(limit)}"
    tone = "right bad" if most > limit else "right warn" if most > CLOSE * limit else "right"
    return element(
        "tr",
        element("th", team_link(found, team), scope="row"),
        element("td", times_row(scale, shares, limit, label=label, is_late=most > limit), class_="plotted"),
        element("td", seconds(middle), class_="right"),
        element("td", seconds(high), class_="right"),
        element("td", seconds(most), class_=tone),
        data_team=team,
    )


def team_times(use: TimeUse, team: int) -> Markup | None:
    """One team's moves as a histogram."""
    times = use.by_team.get(team)
    if not times:
        return None
    _, _, middle, high, most = quantiles(times)
    told = f"median {seconds(middle)} · 95 % under {seconds(high)} · longest {seconds(most)} of {seconds(use.limit_ms)}"
    note = f"{len(times)} moves; limit {seconds(use.limit_ms)}; a scale of tens"
    return card(
        heading("Time for a move", id="time", note=note),
        element("p", told),
        histogram(times, use.scale, use.limit_ms, label=told),
    )


def _right(text: str) -> Markup:
    return element("th", text, scope="col", class_="right")

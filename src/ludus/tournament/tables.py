"""Results -> tables: exact totals, ties broken in the event's order, and what decided each place."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import NamedTuple

from ludus.referee.verdict import FORFEITS
from ludus.tournament.outcome import Row, Table
from ludus.tournament.pairing import GameResult, Pool, Results, derived_seed

TIE_BREAKS = (
    *("head-to-head", "wins", "difference", "fewer-forfeits", "opponents-points", "beaten-points", "seed", "lots"),
)
"""Head-to-head counts the points of the games among those still tied; lots are drawn by the tournament's seed."""
USUAL_TIE_BREAKS = ("head-to-head", "wins", "difference", "lots")
ZERO, HALF = Fraction(0), Fraction(1, 2)


class Ranking(NamedTuple):
    """How a table is ordered: by points (or by points a game), then by the tie-breaks, then by lot."""

    tie_breaks: tuple[str, ...] = USUAL_TIE_BREAKS
    seed: int = 0
    by: str = "points"


@dataclass(slots=True)
class Tally:
    """What one team has so far; its points are whole numbers of 1/scale, as adding fractions is slow."""

    played: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: int = 0
    byes: int = 0
    difference: int = 0
    scale: int = 1
    own_parts: int = 0
    other_parts: int = 0

    @property
    def points(self) -> Fraction:
        return Fraction(self.own_parts, self.scale)

    @property
    def against(self) -> Fraction:
        return Fraction(self.other_parts, self.scale)

    @property
    def points_per_game(self) -> Fraction:
        counted = self.played + self.byes
        return self.points / counted if counted else ZERO

    def add(self, points: Fraction, against: Fraction) -> None:
        """Exact, whatever the denominators."""
        own, own_scale = points.as_integer_ratio()
        other, other_scale = against.as_integer_ratio()
        if own_scale != self.scale or other_scale != self.scale:
            scale = lcm(self.scale, own_scale, other_scale)
            self.own_parts *= scale // self.scale
            self.other_parts *= scale // self.scale
            own, other, self.scale = own * (scale // own_scale), other * (scale // other_scale), scale
        self.own_parts += own
        self.other_parts += other


Tallies = defaultdict[int, Tally]


def tally(results: Iterable[GameResult], into: Tallies | None = None) -> Tallies:
    """Everybody's totals, in one pass; crashed games count for nothing."""
    tallies = defaultdict(Tally) if into is None else into
    for result in results:
        if result.status != "played":
            continue
        pairing, (points, others), winner = result.pairing, result.points, result.winner
        first, second = tallies[pairing.first], tallies[pairing.second]
        first.played += 1
        second.played += 1
        first.add(points, others)
        second.add(others, points)
        first.difference += result.difference
        second.difference -= result.difference
        if winner is None:
            first.draws += 1
            second.draws += 1
        else:
            won, lost = (first, second) if winner == pairing.first else (second, first)
            won.wins += 1
            lost.losses += 1
            lost.forfeits += result.kind in FORFEITS
    return tallies


def tables_of(
    stage: str, pools: Sequence[Pool], results: Results, ranking: Ranking, *, advance: int = 0
) -> tuple[Table, ...]:
    """The tables of a stage, each team in one of its pools. Reads the results once, twice where games break ties."""
    return ranked(stage, pools, tally(results), results, ranking, advance=advance)


def ranked(
    stage: str, pools: Sequence[Pool], tallies: Tallies, results: Results, ranking: Ranking, *, advance: int = 0
) -> tuple[Table, ...]:
    """The same from totals that are known; the results are asked only for the games of those that are tied."""
    games = _games_of_tied(pools, tallies, results, ranking)
    tables = []
    for pool in pools:
        judge = _Judge(tallies, games, ranking, f"{stage}/{pool.name}")
        order = list(judge.ordered(list(pool.teams), (ranking.by, *ranking.tie_breaks, "lots")))
        rows = tuple(
            row_of(place, team, tallies[team], decided_by, tuple(judge.notes[team]))
            for place, (team, decided_by) in enumerate(order, 1)
        )
        tables.append(Table(stage, pool.name, rows, min(advance, len(rows))))
    return tuple(tables)


def row_of(place: int, team: int, found: Tally, decided_by: str, notes: tuple[tuple[str, Fraction], ...] = ()) -> Row:
    """A team's totals at a place."""
    record = (found.played, found.wins, found.draws, found.losses, found.forfeits, found.byes)
    return Row(place, team, *record, found.points, found.against, found.difference, decided_by, notes)


@dataclass
class _Games:
    """What the games say of teams that are tied: points of one against another, and their opponents' totals."""

    head_to_head: dict[tuple[int, int], Fraction]
    opponents_points: dict[int, Fraction]
    beaten_points: dict[int, Fraction]


def _games_of_tied(pools: Sequence[Pool], tallies: Tallies, results: Results, ranking: Ranking) -> _Games:
    """Only what the tie-breaks ask for is counted."""
    games = _Games(defaultdict(Fraction), defaultdict(Fraction), defaultdict(Fraction))
    group: dict[int, tuple[str, Fraction]] = {}
    for pool in pools:
        totals = {team: _total(tallies[team], ranking) for team in pool.teams}
        shared = _values_that_repeat(totals.values())
        group |= {team: (pool.name, total) for team, total in totals.items() if total in shared}
    numbers = {tied: number for number, tied in enumerate(set(group.values()))}
    group_of = {team: numbers[tied] for team, tied in group.items()}
    if group_of and "head-to-head" in ranking.tie_breaks:
        _count_head_to_head(games, group_of, results)
    if group_of and {"opponents-points", "beaten-points"} & set(ranking.tie_breaks):
        _count_opponents(games, group_of, {team: found.points for team, found in tallies.items()}, results)
    return games


def _count_head_to_head(games: _Games, group_of: Mapping[int, int], results: Results) -> None:
    for result in results:
        first, second = result.pairing.first, result.pairing.second
        group = group_of.get(first)
        if group is not None and group == group_of.get(second) and result.status == "played":
            games.head_to_head[first, second] += result.points[0]
            games.head_to_head[second, first] += result.points[1]


def _count_opponents(
    games: _Games, group_of: Mapping[int, int], totals: Mapping[int, Fraction], results: Results
) -> None:
    for result in results:
        first, second = result.pairing.first, result.pairing.second
        for team, other in ((first, second), (second, first)):
            if team in group_of and result.status == "played":
                games.opponents_points[team] += totals[other]
                if result.winner != other:
                    games.beaten_points[team] += totals[other] * (HALF if result.winner is None else 1)


def _total(found: Tally, ranking: Ranking) -> Fraction:
    return found.points if ranking.by == "points" else found.points_per_game


def _values_that_repeat(values: Iterable[Fraction]) -> set[Fraction]:
    return {value for value, count in Counter(values).items() if count > 1}


@dataclass
class _Judge:
    """Puts the teams of one pool in order, and notes what each tie-break said."""

    tallies: Mapping[int, Tally]
    games: _Games
    ranking: Ranking
    scope: str

    def __post_init__(self) -> None:
        self.notes: dict[int, list[tuple[str, Fraction]]] = defaultdict(list)

    def ordered(self, teams: list[int], criteria: Sequence[str]) -> Iterator[tuple[int, str]]:
        """Best first, each with the criterion that puts it above the next.

        Head-to-head is applied anew to those that it leaves tied, as long as it tells some of them apart.
        """
        if len(teams) == 1:
            yield teams[0], ""
            return
        name, *rest = criteria
        groups = self._groups(teams, name)
        again = criteria if name == "head-to-head" and len(groups) > 1 else rest
        for number, group in enumerate(groups, 1):
            *inner, (last, _) = self.ordered(group, again)
            yield from inner
            yield last, "" if number == len(groups) else name

    def _groups(self, teams: list[int], name: str) -> list[list[int]]:
        groups: dict[Fraction, list[int]] = defaultdict(list)
        for team in teams:
            value = self._value(team, name, teams)
            groups[value].append(team)
            if name not in (self.ranking.by, "lots"):
                self.notes[team].append((name, value))
        return [groups[value] for value in sorted(groups, reverse=True)]

    def _value(self, team: int, name: str, teams: list[int]) -> Fraction:
        """The more, the better."""
        match name:
            case "points" | "points a game":
                return _total(self.tallies[team], self.ranking)
            case "head-to-head":
                return sum((self.games.head_to_head.get((team, other), ZERO) for other in teams), ZERO)
            case "wins":
                return Fraction(self.tallies[team].wins)
            case "difference":
                return Fraction(self.tallies[team].difference)
            case "fewer-forfeits":
                return Fraction(-self.tallies[team].forfeits)
            case "opponents-points":
                return self.games.opponents_points.get(team, ZERO)
            case "beaten-points":
                return self.games.beaten_points.get(team, ZERO)
            case "seed":
                return Fraction(-team)
        return Fraction(-derived_seed(self.ranking.seed, f"lots/{self.scope}/{team}"))


def across_pools(tables: Sequence[Table], ranking: Ranking, *, places: range) -> tuple[tuple[int, str], ...]:
    """Teams of several pools in one order, with what decided: place in the pool, then points, wins and difference
    a game (pools may differ in size by one), then lots. `places` are the places in the pools that are asked for."""
    found = []
    for table in tables:
        for row in table.rows:
            if row.place in places:
                per = Fraction(1, max(1, row.played + row.byes))
                lot = derived_seed(ranking.seed, f"lots/{table.stage}/{row.team}")
                found.append((row.place, -row.points * per, -row.wins * per, -row.difference * per, lot, row.team))
    found.sort()
    names = ("place in the pool", "points a game", "wins a game", "difference a game", "lots", "lots")
    decided = [
        next(name for name, mine, others in zip(names, one, other, strict=True) if mine != others)
        for one, other in pairwise(found)
    ]
    return tuple((key[-1], name) for key, name in zip(found, [*decided, ""], strict=False))

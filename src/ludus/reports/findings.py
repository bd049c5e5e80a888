"""All that a report says of a tournament, read from its folder, as data: for text, JSON, CSV and HTML alike."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from ludus.events.event import Event
from ludus.ratings.bootstrap import Confidence, bootstrap
from ludus.ratings.encounters import encounters_of
from ludus.ratings.worth import Worth, luck_of_the_draw, simulator, worth
from ludus.referee.verdict import FORFEITS
from ludus.reports.unfolding import Unfolded, unfold
from ludus.tournament.folder import Tournament, open_tournament
from ludus.tournament.grades import Sheet, grade_sheets
from ludus.tournament.identical import Repetition, identical_games
from ludus.tournament.pairing import GameResult, Pairing
from ludus.tournament.penalties import read_penalties, with_penalties
from ludus.tournament.plan import Plan, plan_of
from ludus.tournament.store import Store, StoredGame
from ludus.tournament.tables import Tally, tally

MOST_REPLAYED = 2_000_000  # games of dice that tell what a table is worth


class Failure(NamedTuple):
    """A game that a bot forfeited, or (`team` None) that the machine lost and that counts for nobody."""

    pairing: Pairing
    team: int | None
    kind: str
    reason: str
    ply: int  # the moves on the board when it happened
    line: int | None  # of the bot's file


class Standing(NamedTuple):
    """A team's place, with its totals over all games of the event."""

    place: int
    team: int
    total: Tally
    decided_by: str


class Luck(NamedTuple):
    """The chance to reach a stage: with the pools as they were drawn, and over all draws."""

    stage: str
    team: int
    drawn: float
    any_draw: float


@dataclass(frozen=True, eq=False)
class Findings:
    """A tournament's report as data. What takes long to find is found when it is first asked for."""

    tournament: Tournament
    event: Event
    plan: Plan
    unfolded: Unfolded
    games: tuple[StoredGame, ...]  # without their records
    failures: tuple[Failure, ...]
    repetitions: tuple[Repetition, ...]
    sheets: tuple[Sheet, ...]
    planned: int | None  # games; None without an end

    @property
    def names(self) -> list[str]:
        return [team.name for team in self.tournament.kit.teams]

    @property
    def results(self) -> Iterable[GameResult]:
        return (game.result for game in self.games)

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        totals = tally(self.results)
        for table in self.unfolded.tables:
            for row in table.rows:
                if row.byes:  # they are in no game, and only tables that are all there is have them
                    totals[row.team].byes += row.byes
                    totals[row.team].add(row.points - totals[row.team].points, Fraction(0))
        return tuple(Standing(place, team, totals[team], by) for place, team, by in self.unfolded.placing)

    @cached_property
    def pairs(self) -> dict[tuple[int, int], list[GameResult]]:
        """The games of every two teams, under both orders."""
        found: dict[tuple[int, int], list[GameResult]] = defaultdict(list)
        for result in self.results:
            first, second = result.pairing.first, result.pairing.second
            found[first, second].append(result)
            found[second, first].append(result)
        return found

    @cached_property
    def confidence(self) -> Confidence | None:
        """The ratings; none before there is a game."""
        games = encounters_of(self.results, teams=len(self.names))
        return bootstrap(games, seed=self.tournament.kit.seed) if len(games) else None

    @cached_property
    def worth(self) -> Worth | None:
        """The places that chance would have given just as well; none of a tournament that has no end, or no table."""
        if self.plan.reading.is_endless or self.confidence is None or self.unfolded.outcome is None:
            return None
        return self._replayed(draw_seed=None)

    @cached_property
    def luck(self) -> tuple[Luck, ...]:
        """Of draws into pools, the luckiest first; nothing where no draw decided."""
        if self.plan.kind != "pools" or self.worth is None or len(self.unfolded.stages) < 2:
            return ()
        actual = self._replayed(draw_seed=self.tournament.kit.seed)
        return tuple(
            sorted(
                (
                    Luck(stage, team, float(actual.reached[stage][team]), float(self.worth.reached[stage][team]))
                    for stage, by_team in luck_of_the_draw(actual, self.worth).items()
                    if stage != self.unfolded.stages[0] and stage in actual.reached
                    for team in range(len(by_team))
                ),
                key=lambda luck: luck.any_draw - luck.drawn,
            )
        )

    def _replayed(self, *, draw_seed: int | None) -> Worth:
        assert self.confidence is not None
        teams = len(self.names)
        dice = simulator(self.results)
        return worth(
            lambda draw: self.plan.play(teams, draw),
            dice,
            self.confidence,
            draw_seed=draw_seed,
            games_limit=MOST_REPLAYED,
        )

    def record(self, pairing_id: str) -> bytes | None:
        with Store(self.tournament.folder) as store:
            return store.record(pairing_id)


def findings_of(folder: Path) -> Findings:
    """What the folder of a tournament tells, or a StoreError."""
    tournament = open_tournament(folder)
    event = tournament.event
    plan = plan_of(event)
    teams = len(tournament.kit.teams)
    with Store(folder) as store:
        unfolded = unfold(plan, store, teams=teams, seed=tournament.kit.seed)
        games = tuple(store.games())
        failures = tuple(_failure(game, store) for game in games if is_failure(game.result))
        repetitions = tuple(identical_games(store.repeated_lines()))
    sheets = () if unfolded.outcome is None else grade_sheets(unfolded.outcome, plan.grades)
    names = [team.name for team in tournament.kit.teams]
    sheets = with_penalties(sheets, names, read_penalties(folder), plan.grades)
    expected = plan.games(teams)
    planned = len(games) if unfolded.is_finished else expected and max(expected, len(games) + 1)
    return Findings(tournament, event, plan, unfolded, games, failures, repetitions, sheets, planned)


def is_failure(result: GameResult) -> bool:
    return result.kind in FORFEITS or result.status != "played"


def _failure(game: StoredGame, store: Store) -> Failure:
    pairing = game.result.pairing
    if game.result.status != "played":
        return Failure(pairing, None, "crashed", game.reason, 0, None)
    content = store.record(pairing.id)
    verdict = json.loads(content)["verdict"] if content else {}
    guilty = pairing.second if game.result.winner == pairing.first else pairing.first
    ply = verdict.get("ply", max(0, game.plies - 1))
    return Failure(pairing, guilty, game.result.kind, game.reason, ply, verdict.get("line"))


def pair_points(results: Sequence[GameResult], team: int) -> tuple[Fraction, Fraction | None]:
    """What a team made in these games: points, and the share of wins (a draw is half); None where none counted."""
    points, share, counted = Fraction(0), Fraction(0), 0
    for result in results:
        if result.status == "played":
            seat = 0 if result.pairing.first == team else 1
            points += result.points[seat]
            share += Fraction(1, 2) if result.winner is None else Fraction(result.winner == team)
            counted += 1
    return points, share / counted if counted else None

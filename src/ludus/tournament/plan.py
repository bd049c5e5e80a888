"""The [format], [tables] and [grades] of an event file -> a plan that makes the event's format for any teams."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from ludus.errors import EventError
from ludus.events.event import Event
from ludus.events.toml_fields import Fields
from ludus.tournament.differences import differences_of
from ludus.tournament.elimination import EliminationSettings, double_elimination, single_elimination
from ludus.tournament.formula import LONGEST, read_formula
from ludus.tournament.gauntlet import gauntlet
from ludus.tournament.grades import KINDS, GradeRules, formula_names
from ludus.tournament.ladder import ladder
from ludus.tournament.outcome import Format
from ludus.tournament.pairing import SIDES, GameResult, Meeting, Round
from ludus.tournament.pools import PoolSettings, Stage, pools_to_final
from ludus.tournament.round_robin import round_robin
from ludus.tournament.swiss import SwissSettings, swiss
from ludus.tournament.tables import TIE_BREAKS, USUAL_TIE_BREAKS, Ranking

DRAWS = ("random", "seeded")
STAGE_NAME = re.compile(r"[a-z][a-z0-9-]{0,29}")
BRACKET = ("bracket",)
MATCHES = {
    "single-elimination": ("knockout", "third-place"),
    "double-elimination": ("winners", "losers", "grand-final"),
}
MOST_ROUNDS = 1_000_000


class GauntletSettings(NamedTuple):
    """The first so many teams meet all the others."""

    challengers: int


class LadderSettings(NamedTuple):
    """No rounds: as many as teams, or without an end."""

    rounds: int
    draw: str


Settings = PoolSettings | EliminationSettings | SwissSettings | GauntletSettings | LadderSettings


class Reading(NamedTuple):
    """What a [format] says: the stages whose tables there may be, and the format for teams, meeting and ranking."""

    stages: tuple[str, ...]
    make: Callable[[int, Meeting, Ranking], Format]
    games_per_pair: int | None = 2  # unless the file says another; None: not the file's to say
    is_endless: bool = False
    settings: Settings | None = None  # what the file says and what holds unless it says so; for hand-outs


@dataclass(frozen=True)
class Plan:
    """An event's tournament: how it is played, how its tables are ordered, how it is graded."""

    kind: str
    reading: Reading
    meeting: Meeting
    tie_breaks: tuple[str, ...]
    difference: str  # a rule of differences.py
    opening_plies: int  # random moves before the bots begin, the same for games on one board
    seed: int  # unless whoever runs it says another
    grades: GradeRules

    def play(self, teams: int, seed: int) -> Format:
        """The format for so many teams, in seeded order; the seed decides draws, coins and lots."""
        if teams < 2:
            raise EventError(f"a tournament needs at least two teams, and there {'is one' if teams else 'are none'}")
        return self.reading.make(teams, self.meeting._replace(seed=seed), self.ranking(seed))

    def ranking(self, seed: int) -> Ranking:
        """How tables are ordered; for standings while games go on as well."""
        return Ranking(self.tie_breaks, seed)

    @property
    def parts(self) -> tuple[str, ...]:
        """The stages that pairings name; those of a bracket's matches, though they share a table."""
        return MATCHES.get(self.kind, self.reading.stages)

    def rounds(self, teams: int) -> Iterator[Round]:
        """Those that there will be if the first of the seeded order always wins; a ladder's may have no end."""
        format = self.play(teams, self.seed)
        try:
            current = next(format)
            while True:
                yield current
                current = format.send(list(_favourites(current)) if self.reading.stages == BRACKET else ())
        except StopIteration:
            return

    def games(self, teams: int) -> int | None:
        """How many there will be, None without an end: exact, save that a bracket plays on where matches stay equal."""
        return None if self.reading.is_endless else sum(current.count for current in self.rounds(teams))


def _favourites(current: Round) -> Iterator[GameResult]:
    """Nobody's game is equal: the first team of the seeded order wins."""
    for pairing in current.pairings:
        points = (Fraction(pairing.first < pairing.second), Fraction(pairing.second < pairing.first))
        yield GameResult(pairing, points, min(pairing.first, pairing.second), 0, "win")


def plan_of(event: Event) -> Plan:
    """The plan that an event file describes; a double round robin where it says nothing."""
    fields = Fields(event.extra, f"{event.name}.toml")
    format = fields.table("format")
    kind = format.one_of("kind", READERS, default="round-robin")
    reading = READERS[kind](format, event)
    tie_breaks, difference = _tables(fields.table("tables"), event)
    plan = Plan(
        kind=kind,
        reading=reading,
        meeting=Meeting() if reading.games_per_pair is None else _meeting(format, reading.games_per_pair),
        tie_breaks=tie_breaks,
        difference=difference,
        opening_plies=format.whole("opening_plies", default=0, least=0, most=100),
        seed=format.whole("seed", default=0, least=0, most=(1 << 63) - 1),
        grades=_grades(fields.table("grades"), reading.stages),
    )
    format.done()
    return plan


def _meeting(format: Fields, games_per_pair: int) -> Meeting:
    sides = format.one_of("sides", SIDES, default="balanced")
    games = format.whole("games_per_pair", default=games_per_pair, least=1, most=10_000)
    return Meeting(games, "coin" if sides == "coin" else "balanced")


def _round_robin(_format: Fields, _event: Event) -> Reading:
    return Reading(("league",), round_robin)


def _pools(format: Fields, _event: Event) -> Reading:
    """Stages before the final by `pools` and `advance`, one number for each."""
    usual = PoolSettings()
    pools = _wholes(format, "pools", [stage.pools for stage in usual.stages[:-1]], least=2)
    advance = _wholes(format, "advance", [usual.stages[0].advance] * len(pools), least=1)
    if len(pools) != len(advance):
        raise format.wrong("advance", advance, f"{len(pools)} numbers, as pools has")
    names = _stage_names(format, len(pools) + 1)
    smallest = format.whole("smallest_pool", default=2 * max(advance), least=2, most=10_000)
    if smallest <= max(advance):
        raise format.wrong("smallest_pool", smallest, f"more than the {max(advance)} that advance")
    stages = tuple(Stage(*stage) for stage in zip(names, [*pools, 1], [*advance, 0], strict=True))
    settings = PoolSettings(stages, smallest, format.one_of("draw", DRAWS, default=usual.draw))

    def make(teams: int, meeting: Meeting, ranking: Ranking) -> Format:
        return pools_to_final(teams, settings, meeting, ranking)

    return Reading(tuple(names), make, games_per_pair=1, settings=settings)


def _stage_names(format: Fields, count: int) -> list[str]:
    named = format.each("stages", of="name")
    if named is None:
        middle = ["semi-final"] if count == 3 else [f"stage-{number}" for number in range(2, count)]
        return ["group", *middle, "final"]
    names = [item.text("name") for item in named]
    if len(names) != count:
        raise format.wrong("stages", names, f"{count} names: one for each number of pools, and the final's")
    for name in names:
        if not STAGE_NAME.fullmatch(name) or names.count(name) > 1:
            raise format.wrong("stages", name, "different names of small letters, digits and hyphens")
    return names


def _elimination(format: Fields, *, is_double: bool) -> Reading:
    settings = EliminationSettings(
        boards=format.whole("boards", default=3, least=1, most=1000),
        draw=format.one_of("draw", DRAWS, default="random"),
        third_place=not is_double and format.flag("third_place", default=False),
    )
    play = double_elimination if is_double else single_elimination

    def make(teams: int, _meeting: Meeting, ranking: Ranking) -> Format:
        return play(teams, settings, seed=ranking.seed)

    return Reading(BRACKET, make, games_per_pair=None, settings=settings)


def _swiss(format: Fields, event: Event) -> Reading:
    """A bye is worth what a forfeit of the opponent is; nothing where points are margins."""
    usual = Fraction(0) if event.finished == "margin" else max(points for points, _ in event.forfeits.values())
    settings = SwissSettings(
        rounds=format.whole("rounds", default=0, least=0, most=10_000) or None,
        bye_points=format.fraction("bye_points", default=usual),
        draw=format.one_of("draw", DRAWS, default="random"),
    )

    def make(teams: int, meeting: Meeting, ranking: Ranking) -> Format:
        return swiss(teams, settings, meeting, ranking)

    return Reading(("swiss",), make, settings=settings)


def _gauntlet(format: Fields, _event: Event) -> Reading:
    challengers = format.whole("challengers", default=1, least=1, most=10_000)

    def make(teams: int, meeting: Meeting, ranking: Ranking) -> Format:
        if challengers >= teams:
            raise EventError(f"a gauntlet of {challengers} challengers needs more than {teams} teams")
        return gauntlet(teams, meeting, ranking, challengers=challengers)

    return Reading(("gauntlet",), make, settings=GauntletSettings(challengers))


def _ladder(format: Fields, _event: Event) -> Reading:
    is_endless = format.flag("endless", default=False)
    rounds = format.whole("rounds", default=0, least=0, most=MOST_ROUNDS)
    if is_endless and rounds:
        raise format.wrong("rounds", rounds, "none, as the ladder is endless")
    draw = format.one_of("draw", DRAWS, default="seeded")

    def make(teams: int, meeting: Meeting, ranking: Ranking) -> Format:
        return ladder(teams, meeting, seed=ranking.seed, draw=draw, rounds=0 if is_endless else rounds or teams)

    return Reading(("ladder",), make, is_endless=is_endless, settings=LadderSettings(rounds, draw))


READERS: dict[str, Callable[[Fields, Event], Reading]] = {
    "round-robin": _round_robin,
    "pools": _pools,
    "single-elimination": lambda format, _: _elimination(format, is_double=False),
    "double-elimination": lambda format, _: _elimination(format, is_double=True),
    "swiss": _swiss,
    "gauntlet": _gauntlet,
    "ladder": _ladder,
}


def _tables(tables: Fields, event: Event) -> tuple[tuple[str, ...], str]:
    named = tables.each("tie_breaks", of="tie-break")
    found = (
        USUAL_TIE_BREAKS if named is None else tuple(item.one_of("tie-break", TIE_BREAKS, default="") for item in named)
    )
    for name in found:
        if found.count(name) > 1:
            raise tables.wrong("tie_breaks", name, "each tie-break once")
    rules = differences_of(event.game)
    difference = tables.one_of("difference", rules, default=rules[0])
    tables.done()
    return found, difference


def _grades(grades: Fields, stages: tuple[str, ...]) -> GradeRules:
    kind = grades.one_of("kind", KINDS, default="none")
    is_place = kind == "rank" and not {"marks", "best"} & set(grades.values)
    rules = GradeRules(kind, decimals=grades.whole("decimals", default=0 if is_place else 2, least=0, most=9))
    if kind == "relative":
        rules = rules._replace(weights=_weights(grades.table("weights"), stages))
    elif kind == "rank":
        rules = _rank_rules(grades, rules)
    elif kind == "formula":
        text = grades.text("formula", longest=LONGEST)
        try:
            rules = rules._replace(formula=read_formula(text, formula_names(stages)))
        except EventError as error:
            raise EventError(f"{grades.where}: {error}") from None
    grades.done()
    return rules


def _weights(weights: Fields, stages: tuple[str, ...]) -> tuple[tuple[str, Fraction], ...]:
    """One for each stage that gives marks, in the order of the stages."""
    if not weights.values:
        raise EventError(f"{weights.where}: no stage has a weight; expected one such as {stages[0]} = 40")
    found = [(stage, weights.fraction(stage, default=Fraction(0), least=0)) for stage in stages]
    weights.done()
    return tuple(found)


def _rank_rules(grades: Fields, rules: GradeRules) -> GradeRules:
    marks = grades.each("marks", of="mark")
    if marks is not None:
        return rules._replace(marks=tuple(item.fraction("mark") for item in marks))
    if "best" not in grades.values:
        return rules
    best = grades.fraction("best")
    return rules._replace(best=best, worst=grades.fraction("worst", default=Fraction(0)))


def _wholes(fields: Fields, key: str, default: list[int], *, least: int) -> list[int]:
    items = fields.each(key, of="number")
    if items is None:
        return default
    return [item.whole("number", default=0, least=least, most=10_000) for item in items]

"""Outcome -> marks: a sheet for every student that shows how each mark came about, as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from ludus.tournament.formula import Formula, divided, round_half_up
from ludus.tournament.outcome import Outcome, Place, Row, Table

KINDS = ("none", "relative", "rank", "points", "formula")
ZERO = Fraction(0)
TOTALS = ("points", "played", "wins", "draws", "losses", "forfeits", "difference")
OF_A_STAGE = ("share", "points", "top", "place", "played", "wins")


class GradeRules(NamedTuple):
    """How marks are given; each kind reads its own fields.

    relative: weight x score / pool-top score, for each stage. rank: the place itself, or `marks` by place (the last
    for all after it), or a straight line from `best` to `worst`. points: those of all tables. formula: any other way.
    """

    kind: str = "none"
    weights: tuple[tuple[str, Fraction], ...] = ()  # by stage, in the order in which they are played
    marks: tuple[Fraction, ...] = ()
    best: Fraction | None = None
    worst: Fraction = ZERO
    formula: Formula | None = None
    decimals: int = 2


class Line(NamedTuple):
    """One part of a mark: what for, how it was reckoned, from which numbers, and what it gave."""

    what: str
    how: str
    numbers: tuple[tuple[str, Fraction], ...]
    mark: Fraction


class Sheet(NamedTuple):
    """A team's marks. `total` is exact and the sum of the lines; `shown` is rounded, for people."""

    team: int
    place: int
    lines: tuple[Line, ...]
    total: Fraction
    shown: str


def grade_sheets(outcome: Outcome, rules: GradeRules) -> tuple[Sheet, ...]:
    """A sheet for every team, best first; none where an event gives no marks."""
    if rules.kind == "none":
        return ()
    sheets = []
    for place in outcome.placing:
        lines = _lines(place, outcome, rules)
        total = sum((line.mark for line in lines), ZERO)
        sheets.append(Sheet(place.team, place.place, lines, total, rounded(total, rules.decimals)))
    return tuple(sheets)


def formula_names(stages: Sequence[str]) -> list[str]:
    """What a formula may speak of: the place, totals, and the numbers of each stage (group_share, group_top ...)."""
    of_stages = [f"{_word(stage)}_{what}" for stage in stages for what in OF_A_STAGE]
    return ["place", "teams", *TOTALS, *of_stages]


def rounded(value: Fraction, decimals: int) -> str:
    """So many decimals, halves away from zero; no float in between."""
    scaled = int(round_half_up(value, Fraction(decimals)) * 10**decimals)
    digits = f"{abs(scaled):0{decimals + 1}d}"
    sign = "-" if scaled < 0 else ""
    return sign + (f"{digits[:-decimals]}.{digits[-decimals:]}" if decimals else digits)


def exact(value: Fraction) -> str:
    """17, 17.25 or 52/3: never rounded."""
    decimals = next((count for count in range(10) if (value * 10**count).denominator == 1), None)
    return str(value) if decimals is None else rounded(value, decimals)


def _lines(place: Place, outcome: Outcome, rules: GradeRules) -> tuple[Line, ...]:
    if rules.kind == "relative":
        return tuple(_relative_lines(place.team, outcome.tables, rules.weights))
    if rules.kind == "rank":
        return (_rank_line(place.place, len(outcome.placing), rules),)
    if rules.kind == "points":
        return tuple(
            Line(_where(table), f"{exact(row.points)} points", (("points", row.points),), row.points)
            for table, row in _rows_of(place.team, outcome.tables)
        )
    assert rules.formula is not None
    variables = _variables(place, outcome, rules.formula)
    numbers = tuple((name, variables[name]) for name in rules.formula.names)
    given = ", ".join(f"{name} = {exact(value)}" for name, value in numbers)
    how = f"{rules.formula.text}, with {given}" if given else rules.formula.text
    return (Line("formula", how, numbers, rules.formula.value(variables)),)


def _relative_lines(team: int, tables: Sequence[Table], weights: Sequence[tuple[str, Fraction]]) -> list[Line]:
    """A stage that was not played, as there were too few teams, leaves its weight to the next."""
    played = {table.stage for table in tables}
    mine = {table.stage: (table, row) for table, row in _rows_of(team, tables)}
    lines: list[Line] = []
    left, without = ZERO, list[str]()
    for stage, weight in weights:
        if stage not in played:
            left, without = left + weight, [*without, stage]
            continue
        whole = weight + left
        also = f" (with the marks of {' and '.join(without)}, not played)" if without else ""
        if stage in mine:
            table, row = mine[stage]
            top = table.rows[0].points
            mark = whole * share(row.points, top)
            how = f"{exact(whole)} x {exact(row.points)} / {exact(top)}"
            how = how if top > 0 and row.points >= 0 else f"{how}, which is no share: 0"
            numbers = (("weight", whole), ("score", row.points), ("top", top))
            lines.append(Line(_where(table) + also, how, numbers, mark))
        else:
            lines.append(Line(stage + also, "not reached", (("weight", whole),), ZERO))
        left, without = ZERO, []
    return lines


def share(score: Fraction, top: Fraction) -> Fraction:
    """Of the pool's top score, from 0 to 1; 0 where nobody has a point."""
    return max(ZERO, score) / top if top > 0 else ZERO


def _rank_line(place: int, teams: int, rules: GradeRules) -> Line:
    numbers = (("place", Fraction(place)), ("teams", Fraction(teams)))
    if rules.marks:
        return Line("place", f"place {place} of {teams}", numbers, rules.marks[min(place, len(rules.marks)) - 1])
    if rules.best is None:
        return Line("place", f"place {place} of {teams}", numbers, Fraction(place))
    mark = rules.best - (rules.best - rules.worst) * divided(Fraction(place - 1), Fraction(teams - 1))
    best, worst = exact(rules.best), exact(rules.worst)
    return Line("place", f"{best} - ({best} - {worst}) x ({place} - 1) / ({teams} - 1)", numbers, mark)


def _variables(place: Place, outcome: Outcome, formula: Formula) -> Mapping[str, Fraction]:
    """Everything that a formula may name; what belongs to a stage that was not reached is 0."""
    found = dict.fromkeys(formula.names, ZERO)
    found |= {"place": Fraction(place.place), "teams": Fraction(len(outcome.placing))}
    rows = _rows_of(place.team, outcome.tables)
    found |= {name: sum((Fraction(getattr(row, name)) for _, row in rows), ZERO) for name in TOTALS}
    for table, row in rows:
        top, word = table.rows[0].points, _word(table.stage)
        counts = (Fraction(row.place), Fraction(row.played), Fraction(row.wins))
        values = (share(row.points, top), row.points, top, *counts)
        found |= {f"{word}_{what}": value for what, value in zip(OF_A_STAGE, values, strict=True)}
    return found


def _rows_of(team: int, tables: Sequence[Table]) -> list[tuple[Table, Row]]:
    return [(table, row) for table in tables for row in table.rows if row.team == team]


def _where(table: Table) -> str:
    return f"{table.stage}, {table.pool}" if table.pool else table.stage


def _word(stage: str) -> str:
    return stage.replace("-", "_")

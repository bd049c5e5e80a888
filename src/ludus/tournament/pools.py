"""Pools, then semi-final pools, then a final league, with sizes that fit any number of teams."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ludus.tournament.outcome import Format, Outcome, Place, Table
from ludus.tournament.pairing import Meeting, Pool, drawn
from ludus.tournament.round_robin import league_round
from ludus.tournament.tables import Ranking, across_pools, tables_of


class Stage(NamedTuple):
    """At most so many pools, the best of each going on; the last stage is one pool from which nobody goes on."""

    name: str
    pools: int
    advance: int


class PoolSettings(NamedTuple):
    """`draw` is "random" or "seeded" (a snake); later stages are always seeded by the stage before.

    The smallest pool is larger than any number that advances.
    """

    stages: tuple[Stage, ...] = (Stage("group", 10, 3), Stage("semi-final", 3, 3), Stage("final", 1, 0))
    smallest_pool: int = 6
    draw: str = "random"


def pools_to_final(teams: int, settings: PoolSettings, meeting: Meeting, ranking: Ranking) -> Format:
    """Everybody is placed: by the stage reached, then by the place in the pool, then by points a game."""
    order = drawn(range(teams), seed=ranking.seed, text="pools") if settings.draw == "random" else tuple(range(teams))
    tables: list[Table] = []
    out: list[tuple[tuple[int, str], ...]] = []  # who went out, stage by stage
    for number, stage in enumerate(fitting(settings, teams)):
        pools = snake(order, stage.pools)
        results = yield league_round(stage.name, pools, meeting, board=number * meeting.boards)
        found = tables_of(stage.name, pools, results, ranking, advance=stage.advance)
        tables += found
        order = tuple(team for team, _ in across_pools(found, ranking, places=range(1, stage.advance + 1)))
        if stage.advance:
            out.append(across_pools(found, ranking, places=range(stage.advance + 1, teams + 1)))
    final = tuple((row.team, row.decided_by) for row in tables[-1].rows)
    return Outcome(_placing([final, *reversed(out)]), tuple(tables))


def fitting(settings: PoolSettings, teams: int) -> list[Stage]:
    """The stages that are played: as many pools as asked for, but none smaller than `smallest_pool`.

    A stage that would be a single pool is left out; the final is always played.
    """
    played, left = [], teams
    for stage in settings.stages[:-1]:
        pools = min(stage.pools, left // settings.smallest_pool)
        if pools > 1:
            played.append(stage._replace(pools=pools))
            left = pools * stage.advance
    return [*played, settings.stages[-1]._replace(pools=1, advance=0)]


def snake(order: Sequence[int], count: int) -> list[Pool]:
    """Teams, best first, dealt to so many pools forth and back, so that pools are alike in size and strength."""
    pools: list[list[int]] = [[] for _ in range(count)]
    for index, team in enumerate(order):
        lap, step = divmod(index, count)
        pools[step if lap % 2 == 0 else count - 1 - step].append(team)
    names = [""] if count == 1 else [f"pool-{number}" for number in range(1, count + 1)]
    return [Pool(name, tuple(teams)) for name, teams in zip(names, pools, strict=True)]


def _placing(groups: Sequence[Sequence[tuple[int, str]]]) -> tuple[Place, ...]:
    """Groups of teams, best group first; between two groups the stage decided."""
    flat = [
        (team, decided_by if number < len(group) else "stage")
        for group in groups
        for number, (team, decided_by) in enumerate(group, 1)
    ]
    last = len(flat)
    return tuple(Place(place, team, "" if place == last else by) for place, (team, by) in enumerate(flat, 1))

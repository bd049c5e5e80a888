"""A tournament as far as it was played: its end, or how it stands while games are missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, count
from typing import NamedTuple

from ludus.tournament.outcome import Format, Match, Outcome, Place, Table, placing_of
from ludus.tournament.pairing import GameResult, Pairing, Pool, Round
from ludus.tournament.plan import BRACKET, Plan
from ludus.tournament.runner import StoredResults
from ludus.tournament.store import Store
from ludus.tournament.tables import Ranking, across_pools, row_of, tables_of, tally

SO_FAR = "so far"


class Bout(NamedTuple):
    """A match of a bracket. While it is to come, its winner is nobody's business, and its teams may be unknown."""

    match: Match
    is_decided: bool
    is_known: tuple[bool, ...]  # of each team, whether it is sure to play here


class Unfolded(NamedTuple):
    """What the stored games lead to."""

    is_finished: bool
    placing: tuple[Place, ...]
    tables: tuple[Table, ...]
    bouts: tuple[Bout, ...]
    stages: tuple[str, ...]  # that have begun, in the order of play
    outcome: Outcome | None


class _Wave(NamedTuple):
    number: int
    round: Round


def unfold(plan: Plan, store: Store, *, teams: int, seed: int) -> Unfolded:
    """Hand the stored results to the format, as the run did, up to the first round that is not complete."""
    form = plan.play(teams, seed)
    results: StoredResults | None = None
    waves: list[_Wave] = []
    for number in count():
        try:
            asked = form.send(results)  # type: ignore[arg-type]  # a generator is begun with None
        except StopIteration as stop:
            return _finished(stop.value, waves)
        waves.append(_Wave(number, asked))
        if store.count(wave=number) < asked.count:
            return _unfinished(plan, store, form, waves, plan.ranking(seed))
        results = StoredResults(store, number)
    raise AssertionError("rounds are endless")


def _finished(outcome: Outcome, waves: Sequence[_Wave]) -> Unfolded:
    bouts = tuple(Bout(match, True, (True,) * len(match.teams)) for match in outcome.matches)
    return Unfolded(True, outcome.placing, outcome.tables, bouts, _stages(waves), outcome)


def _unfinished(plan: Plan, store: Store, form: Format, waves: Sequence[_Wave], ranking: Ranking) -> Unfolded:
    is_bracket = plan.reading.stages == BRACKET
    expected = None if plan.reading.is_endless else _expected(form, waves[-1], store, is_bracket=is_bracket)
    bouts = _bouts(expected, store) if expected is not None and is_bracket else ()
    if is_bracket:
        tables: tuple[Table, ...] = (_bracket_table(waves, bouts, store),)
    elif plan.kind == "ladder":
        tables = (_ladder_table(waves, store),)
    else:
        advance = {(table.stage, table.pool): table.advance for table in expected.tables} if expected else {}
        tables = tuple(_stage_tables(waves, store, ranking, advance))
    return Unfolded(False, _placing(tables, ranking), tables, bouts, _stages(waves), None)


def _expected(form: Format, wave: _Wave, store: Store, *, is_bracket: bool) -> Outcome:
    """The end if favourites win all games that are missing: not who will win, but how the event will go on."""
    played = {result.pairing.id: result for _, result in store.played(wave.number)}
    current = wave.round
    try:
        while True:
            current = form.send(_Favourites(current, played) if is_bracket else ())
    except StopIteration as stop:
        outcome: Outcome = stop.value
        return outcome


@dataclass(frozen=True)
class _Favourites:
    """The results of a round: those that are known, and wins of the lower number for those that are not."""

    round: Round
    played: dict[str, GameResult]

    def __iter__(self) -> Iterator[GameResult]:
        for pairing in self.round.pairings:
            yield self.played.get(pairing.id) or _favourite(pairing)


def _favourite(pairing: Pairing) -> GameResult:
    points = (Fraction(pairing.first < pairing.second), Fraction(pairing.second < pairing.first))
    return GameResult(pairing, points, min(pairing.first, pairing.second), 0, "win")


def _bouts(expected: Outcome, store: Store) -> tuple[Bout, ...]:
    """A match is decided when all its games are stored; a team is known where all its matches before are decided."""
    games = Counter(pairing_match(result.pairing) for result in store.all_results())
    unsure: set[int] = set()
    bouts = []
    for match in expected.matches:
        is_known = tuple(team not in unsure for team in match.teams)
        is_decided = all(is_known) and games[match.id] == 2 * match.boards
        if not is_decided:
            unsure.update(match.teams)
        bouts.append(Bout(match, is_decided, is_known))
    return tuple(bouts)


def pairing_match(pairing: Pairing) -> str:
    """The id of the match that a game of a bracket belongs to."""
    return f"{pairing.stage}/r{pairing.round}/{pairing.pool}"


def _bracket_table(waves: Sequence[_Wave], bouts: Sequence[Bout], store: Store) -> Table:
    """Those who lost fewer matches first, then those who won more of them."""
    tallies = tally(store.all_results())
    wins: Counter[int] = Counter()
    losses: Counter[int] = Counter()
    for match, is_decided, _ in bouts:
        if is_decided and match.loser is not None:
            wins[match.winner] += 1
            losses[match.loser] += 1
    everybody = {team for match, _, _ in bouts for team in match.teams} or _teams(waves)
    order = sorted(everybody, key=lambda team: (losses[team], -wins[team], team))
    rows = tuple(row_of(place, team, tallies[team], SO_FAR) for place, team in enumerate(order, 1))
    return Table("bracket", "", rows)


def _ladder_table(waves: Sequence[_Wave], store: Store) -> Table:
    """The rungs before the round that is being played."""
    tallies = tally(store.all_results())
    rungs = waves[-1].round.pools[0].teams
    return Table("ladder", "", tuple(row_of(place, team, tallies[team], "rung") for place, team in enumerate(rungs, 1)))


def _stage_tables(
    waves: Sequence[_Wave], store: Store, ranking: Ranking, advance: dict[tuple[str, str], int]
) -> Iterator[Table]:
    for stage in _stages(waves):
        mine = [wave for wave in waves if wave.round.stage == stage]
        pools: tuple[Pool, ...] = mine[-1].round.pools
        results = _Chained(tuple(StoredResults(store, wave.number) for wave in mine))
        for table in tables_of(stage, pools, results, ranking):
            yield table._replace(advance=advance.get((stage, table.pool), 0))


@dataclass(frozen=True)
class _Chained:
    parts: tuple[Iterable[GameResult], ...]

    def __iter__(self) -> Iterator[GameResult]:
        return chain.from_iterable(self.parts)


def _placing(tables: Sequence[Table], ranking: Ranking) -> tuple[Place, ...]:
    """By the stage reached, then by the place in the pool."""
    if len(tables) == 1:
        return placing_of(tables[0].rows)
    placed: dict[int, str] = {}
    for stage in reversed(dict.fromkeys(table.stage for table in tables)):
        here = [table for table in tables if table.stage == stage]
        for team, decided_by in across_pools(here, ranking, places=range(1, 1 + max(len(t.rows) for t in here))):
            placed.setdefault(team, decided_by or "stage")
    return tuple(Place(place, team, by) for place, (team, by) in enumerate(placed.items(), 1))


def _stages(waves: Sequence[_Wave]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(wave.round.stage for wave in waves))


def _teams(waves: Sequence[_Wave]) -> set[int]:
    return {team for wave in waves for pool in wave.round.pools for team in pool.teams}

"""Ladder: neighbours challenge each other, the winner takes the higher rung; it goes on as long as one likes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction

from ludus.tournament.outcome import Format, Outcome, Table, placing_of
from ludus.tournament.pairing import Meeting, Pairing, Pool, Repeatable, Results, Round, drawn, fairer_first, meet
from ludus.tournament.tables import row_of, tally


def ladder(teams: int, meeting: Meeting, *, seed: int, draw: str = "seeded", rounds: int | None = None) -> Format:
    """So many rounds, 0 for no end; the teams of each round's pool stand in the order of the rungs.

    As many rounds as teams (the default) bring one that always wins from the last rung to the first.
    """
    rungs = list(drawn(range(teams), seed=seed, text="ladder") if draw == "random" else range(teams))
    last = teams if rounds is None else rounds
    begun: Counter[int] = Counter()
    tallies, number = tally(()), 0
    while number < last or last == 0:
        number += 1
        challenges = [(rungs[at + 1], rungs[at]) for at in range((number + 1) % 2, teams - 1, 2)]
        if challenges:  # two teams stand still in every second round
            seated = [fairer_first(pair, begun) for pair in challenges]
            results = yield _round(seated, rungs, meeting, number)
            tally(results, tallies)
            for lower, higher in _won(challenges, results, meeting):
                at = rungs.index(higher)
                rungs[at : at + 2] = lower, higher
    rows = [row_of(place, team, tallies[team], "rung") for place, team in enumerate(rungs, 1)]
    rows[-1] = rows[-1]._replace(decided_by="")
    return Outcome(placing_of(tuple(rows)), (Table("ladder", "", tuple(rows)),))


def _round(pairs: Sequence[tuple[int, int]], rungs: Sequence[int], meeting: Meeting, number: int) -> Round:
    def generate() -> Iterator[Pairing]:
        for pair in pairs:
            yield from meet(pair, meeting, stage="ladder", round=number, board=(number - 1) * meeting.boards)

    return Round("ladder", len(pairs) * meeting.games, Repeatable(generate), (Pool("", tuple(rungs)),))


def _won(challenges: Sequence[tuple[int, int]], results: Results, meeting: Meeting) -> list[tuple[int, int]]:
    """The challenges in which the lower one made more points; where a game crashed, nobody moves."""
    points: dict[int, Fraction] = defaultdict(Fraction)
    played: Counter[int] = Counter()
    for result in results:
        if result.status == "played":
            for team, made in zip((result.pairing.first, result.pairing.second), result.points, strict=True):
                points[team] += made
                played[team] += 1
    return [
        (lower, higher)
        for lower, higher in challenges
        if played[lower] == meeting.games and points[lower] > points[higher]
    ]

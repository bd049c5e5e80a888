"""Gauntlet: a few challengers meet everybody else, to measure a new bot against known ones."""

from __future__ import annotations

from collections.abc import Iterator

from ludus.tournament.outcome import Format, Outcome, placing_of
from ludus.tournament.pairing import Meeting, Pairing, Pool, Repeatable, Round, meet
from ludus.tournament.tables import Ranking, tables_of


def gauntlet(teams: int, meeting: Meeting, ranking: Ranking, *, challengers: int = 1) -> Format:
    """The first teams are the challengers. As they play more games than the others, points a game decide."""

    def generate() -> Iterator[Pairing]:
        for other in range(challengers, teams):
            for challenger in range(challengers):
                pair = (challenger, other) if (challenger + other) % 2 else (other, challenger)
                yield from meet(pair, meeting, stage="gauntlet", round=other - challengers + 1)

    pool = Pool("", tuple(range(teams)))
    count = challengers * (teams - challengers) * meeting.games
    results = yield Round("gauntlet", count, Repeatable(generate), (pool,))
    (table,) = tables_of("gauntlet", [pool], results, ranking._replace(by="points a game"))
    return Outcome(placing_of(table.rows), (table,))

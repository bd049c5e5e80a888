"""Round robin by the circle method: everybody meets everybody, once or as often as one likes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ludus.tournament.outcome import Format, Outcome, placing_of
from ludus.tournament.pairing import Meeting, Pairing, Pool, Repeatable, Round, meet
from ludus.tournament.tables import Ranking, tables_of


def round_robin(teams: int, meeting: Meeting, ranking: Ranking) -> Format:
    """One league of all teams. Two games a pair make it double."""
    pool = Pool("", tuple(range(teams)))
    results = yield league_round("league", [pool], meeting)
    (table,) = tables_of("league", [pool], results, ranking)
    return Outcome(placing_of(table.rows), (table,))


def league_round(stage: str, pools: Sequence[Pool], meeting: Meeting, *, board: int = 0) -> Round:
    """The games of every pool of a stage; all pairs play on the same boards, from number `board` on."""

    def generate() -> Iterator[Pairing]:
        for pool in pools:
            yield from league(pool, meeting, stage=stage, board=board)

    count = sum(len(pool.teams) * (len(pool.teams) - 1) // 2 for pool in pools) * meeting.games
    return Round(stage, count, Repeatable(generate), tuple(pools))


def league(pool: Pool, meeting: Meeting, *, stage: str, board: int = 0) -> Iterator[Pairing]:
    """Round by round; a team's seats, and a pair's, differ by at most one where sides are balanced."""
    teams = pool.teams
    for number, one, other in circle(len(teams)):
        is_first = (other - one) % 2 == 1  # of single games everybody then begins half, or all but half a game
        pair = (teams[one], teams[other]) if is_first else (teams[other], teams[one])
        yield from meet(pair, meeting, stage=stage, pool=pool.name, round=number, board=board)


def circle(count: int) -> Iterator[tuple[int, int, int]]:
    """(round from 1, lower, higher): each pair of 0 .. count-1 once, and nobody twice in a round."""
    seats = count + count % 2  # an odd one out meets nobody
    turning = seats - 1
    for number in range(turning):
        for step in range(seats // 2):
            one = (number + step) % turning
            other = turning if step == 0 else (number - step) % turning
            if max(one, other) < count:
                yield number + 1, min(one, other), max(one, other)

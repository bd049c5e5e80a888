"""Swiss: every round pairs teams of like score that have not met; nobody is out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import chain, product
from typing import NamedTuple

from ludus.tournament.matching import wished_matching
from ludus.tournament.outcome import Format, Outcome, Table, placing_of
from ludus.tournament.pairing import (
    GameResult,
    Meeting,
    Pairing,
    Pool,
    Repeatable,
    Round,
    drawn,
    fairer_first,
    meet,
)
from ludus.tournament.tables import Ranking, Tallies, ranked, tally


class SwissSettings(NamedTuple):
    """`rounds` None: as few as can tell one winner. A bye is worth `bye_points` for each game of a meeting."""

    rounds: int | None = None
    bye_points: Fraction = Fraction(1)
    draw: str = "random"  # or "seeded": the order in which the first round is paired


class _History(NamedTuple):
    """Who has met whom how often, who had byes, and who began more often than not."""

    met: Counter[tuple[int, int]]
    byes: Counter[int]
    begun: Counter[int]


def swiss(teams: int, settings: SwissSettings, meeting: Meeting, ranking: Ranking) -> Format:
    """No two meet again as long as that can be avoided; nobody has a second bye before everybody had one."""
    is_random = settings.draw == "random"
    start = drawn(range(teams), seed=ranking.seed, text="swiss") if is_random else tuple(range(teams))
    pool, history = Pool("", start), _History(Counter(), Counter(), Counter())
    played: list[GameResult] = []
    tallies, table = tally(()), Table("swiss", "", ())
    for number in range(1, rounds_of(settings, teams) + 1):
        order = start if number == 1 else tuple(row.team for row in table.rows)
        pairs, bye = next_pairs(order, tallies, history, is_odd=meeting.games % 2 == 1)
        history.met.update((min(pair), max(pair)) for pair in pairs)
        seated = [fairer_first(pair, history.begun) for pair in pairs]
        results = yield _round(seated, pool, meeting, number)
        played.extend(results)
        if bye is not None:
            history.byes[bye] += 1
        tallies = _with_byes(tally(played), history.byes, settings.bye_points * meeting.games)
        (table,) = ranked("swiss", [pool], tallies, played, ranking)
    return Outcome(placing_of(table.rows), (table,))


def rounds_of(settings: SwissSettings, teams: int) -> int:
    """As many as asked for; otherwise so many that halving leaves one."""
    return (teams - 1).bit_length() if settings.rounds is None else settings.rounds


def next_pairs(
    order: Sequence[int], tallies: Tallies, history: _History, *, is_odd: bool
) -> tuple[list[tuple[int, int]], int | None]:
    """The pairs of a round, and who has a bye: the last of those that had the fewest, so that leaders can meet."""
    totals = sorted({tallies[team].points for team in order}, reverse=True)
    score = {team: totals.index(tallies[team].points) for team in order}
    fewest = min(history.byes[team] for team in order)
    may_rest = [team for team in reversed(order) if history.byes[team] == fewest]
    resting: Sequence[int | None] = may_rest if len(order) % 2 else [None]

    def times_met(one: int, other: int) -> int:
        return history.met[min(one, other), max(one, other)]

    def may_meet(most: int, is_strict: bool, one: int, other: int) -> bool:
        """Two that have begun two games too many, or too few, had better not meet, unless they lead."""
        overdue = history.begun[one], history.begun[other]
        do_lead = score[one] == score[other] == 0  # one of them shall lead alone: so few rounds tell one winner
        is_lopsided = is_odd and is_strict and not do_lead and (min(overdue) >= 2 or max(overdue) <= -2)
        return times_met(one, other) <= most and not is_lopsided

    def wishes(one: int, others: Sequence[int]) -> list[int]:
        """Those less often met, of the nearest score, whose turn to begin it is not; then the half below."""
        middle = sum(score[other] == score[one] for other in others) // 2
        place = {other: abs(index - middle) for index, other in enumerate(others)}
        begun = history.begun

        def wish(other: int) -> tuple[int, int, bool, int]:
            clash = is_odd and begun[one] * begun[other] > 0
            return times_met(one, other), abs(score[one] - score[other]), clash, place[other]

        return sorted(others, key=wish)

    def do_leaders_meet(pairs: Sequence[tuple[int, int]]) -> bool:
        """Whether at most one of them has somebody else to play, as there is nobody left."""
        together = [sum(score[team] == 0 for team in pair) for pair in pairs]
        return together.count(1) <= 1

    most_met = range(max(history.met.values(), default=0) + 1)
    for most, is_for_leaders, is_strict, bye in product(most_met, (True, False), (True, False), resting):
        playing = [team for team in order if team != bye]
        pairs = wished_matching(playing, partial(may_meet, most, is_strict), wishes)
        if pairs is not None and (do_leaders_meet(pairs) or not is_for_leaders):
            return pairs, bye
    raise AssertionError("everybody may meet everybody by now")


def _round(pairs: Sequence[tuple[int, int]], pool: Pool, meeting: Meeting, number: int) -> Round:
    def generate() -> Iterator[Pairing]:
        board = (number - 1) * meeting.boards
        return chain.from_iterable(meet(pair, meeting, stage="swiss", round=number, board=board) for pair in pairs)

    return Round("swiss", len(pairs) * meeting.games, Repeatable(generate), (pool,))


def _with_byes(tallies: Tallies, byes: Counter[int], points: Fraction) -> Tallies:
    for team, count in byes.items():
        tallies[team].byes = count
        tallies[team].add(count * points, Fraction(0))
    return tallies

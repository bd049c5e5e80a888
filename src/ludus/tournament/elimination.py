"""Single and double elimination: byes to the next power of two, grand final with reset, a place for everybody."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from ludus.tournament.outcome import Format, Match, Outcome, Place, Table
from ludus.tournament.pairing import Meeting, Pairing, Pool, Repeatable, Results, Round, drawn, meet
from ludus.tournament.tables import Tallies, row_of, tally

Slot = int | None  # nobody: whoever meets it has a bye
Score = tuple[Fraction, Fraction]
EQUAL: Score = (Fraction(0), Fraction(0))


class EliminationSettings(NamedTuple):
    """A match is two games from one board, seats swapped; a board that leaves it equal is followed by a fresh one,
    at most `boards` in all; then the better seed wins. `draw` is "random" or "seeded"."""

    boards: int = 3
    draw: str = "random"
    third_place: bool = False  # single elimination: the losers of the semi-finals play for it


class Fixture(NamedTuple):
    """A match that is to be played, of two slots of a bracket."""

    stage: str
    round: int
    number: int
    slots: tuple[Slot, Slot]

    @property
    def teams(self) -> tuple[int, ...]:
        return tuple(team for team in self.slots if team is not None)


def single_elimination(teams: int, settings: EliminationSettings, *, seed: int) -> Format:
    """Whoever loses a match is out."""
    bracket = _Bracket(teams, settings, seed)
    slots, number = bracket.slots, 1
    while len(slots) > 1:
        matches = yield from bracket.play(_fixtures("knockout", number, slots))
        slots = _winners(matches)
        if settings.third_place and len(slots) == 2 and teams > 3:
            (third,) = yield from bracket.play(_fixtures("third-place", 1, [_loser(match) for match in matches]))
            bracket.goes_out([third])
            bracket.goes_out([match for match in matches if _loser(match) in _winners([third])])
        else:
            bracket.goes_out(matches)
        number += 1
    return bracket.outcome(slots[0])


def double_elimination(teams: int, settings: EliminationSettings, *, seed: int) -> Format:
    """Whoever loses two matches is out; who comes from the losers' bracket must win the grand final twice."""
    bracket = _Bracket(teams, settings, seed)
    matches = yield from bracket.play(_fixtures("winners", 1, bracket.slots))
    winners, losers = _winners(matches), [_loser(match) for match in matches]
    number = 2
    while len(winners) > 1:
        above, below = _fixtures("winners", number, winners), _fixtures("losers", 2 * number - 3, losers)
        played = yield from bracket.play([*above, *below])
        matches, among = played[: len(above)], played[len(above) :]
        winners, dropped = _winners(matches), _crossed([_loser(match) for match in matches], number)
        bracket.goes_out(among)
        slots = [slot for pair in zip(_winners(among), dropped, strict=True) for slot in pair]
        matches = yield from bracket.play(_fixtures("losers", 2 * number - 2, slots))
        bracket.goes_out(matches)
        losers = _winners(matches)
        number += 1
    finalists = [*winners, *losers]
    (final,) = yield from bracket.play(_fixtures("grand-final", 1, finalists))
    if final is not None and final.winner == losers[0]:
        (final,) = yield from bracket.play(_fixtures("grand-final", 2, finalists))
    bracket.goes_out([final])
    return bracket.outcome(_winners([final])[0])


def bracket_order(size: int) -> list[int]:
    """The seeds 0 .. size-1 as they stand in a bracket: the best two can meet in the final only, and so on."""
    order = [0]
    while len(order) < size:
        order = [seed for better in order for seed in (better, 2 * len(order) - 1 - better)]
    return order


def scores(fixtures: Sequence[Fixture], results: Results) -> dict[Fixture, Score]:
    """Each side's points on this board; equal where a game crashed, as half a board decides nothing."""
    found = {(fixture.stage, fixture.round, fixture.number): [Fraction(0), Fraction(0)] for fixture in fixtures}
    counted = dict.fromkeys(found, 0)
    teams = {(fixture.stage, fixture.round, fixture.number): fixture.teams for fixture in fixtures}
    for result in results:
        pairing = result.pairing
        key = (pairing.stage, pairing.round, int(pairing.pool.removeprefix("match-")))
        if result.status == "played":
            counted[key] += 1
            for team, points in zip((pairing.first, pairing.second), result.points, strict=True):
                found[key][teams[key].index(team)] += points
    return {
        fixture: (one, other) if counted[key] == 2 else EQUAL
        for fixture, (key, (one, other)) in zip(fixtures, found.items(), strict=True)
    }


class _Bracket:
    """What is known while a bracket is played: seeds, matches so far, who is out, everybody's totals."""

    def __init__(self, teams: int, settings: EliminationSettings, seed: int) -> None:
        everybody = range(teams)
        order = drawn(everybody, seed=seed, text="bracket") if settings.draw == "random" else tuple(everybody)
        size = 1 << (teams - 1).bit_length()
        self.slots: list[Slot] = [order[place] if place < teams else None for place in bracket_order(size)]
        self.seeds = {team: number for number, team in enumerate(order)}
        self.boards = settings.boards
        self.matches: list[Match] = []
        self.out: list[list[tuple[int, int]]] = []  # who went out and who beat it, the later the better
        self.tallies: Tallies = tally(())
        self.fresh_board = 0

    def play(self, fixtures: Sequence[Fixture]) -> Generator[Round, Results, list[Match | None]]:
        """A match for each fixture, None where there is nobody; those that stay equal are played on together."""
        decided = {fixture: _bye(fixture) for fixture in fixtures}
        waiting = [fixture for fixture in fixtures if len(fixture.teams) == 2]
        attempt = 1
        while waiting:
            results = yield self._round(waiting, attempt)
            tally(results, self.tallies)
            decided |= {
                fixture: self._judged(fixture, score, attempt) for fixture, score in scores(waiting, results).items()
            }
            waiting = [fixture for fixture in waiting if decided[fixture] is None]
            attempt += 1
        self.matches += [match for match in decided.values() if match is not None]
        return list(decided.values())

    def _round(self, waiting: Sequence[Fixture], attempt: int) -> Round:
        start = self.fresh_board
        self.fresh_board += len(waiting)

        def generate() -> Iterator[Pairing]:
            for board, fixture in enumerate(waiting, start):
                one, other = sorted(fixture.teams, key=self.seeds.__getitem__)
                name = f"match-{fixture.number}"
                where = {"stage": fixture.stage, "pool": f"{name}/board-{attempt}"}
                for pairing in meet((one, other), Meeting(games=2), **where, round=fixture.round, board=board):
                    yield pairing._replace(pool=name)

        stage = " + ".join(dict.fromkeys(fixture.stage for fixture in waiting))
        pools = tuple(Pool(f"{fixture.stage}/match-{fixture.number}", fixture.teams) for fixture in waiting)
        return Round(stage, 2 * len(waiting), Repeatable(generate), pools)

    def _judged(self, fixture: Fixture, score: Score, attempt: int) -> Match | None:
        one, other = fixture.teams
        is_equal = score[0] == score[1]
        if is_equal and attempt < self.boards:
            return None
        ahead = one if score[0] > score[1] else other
        winner = min(one, other, key=self.seeds.__getitem__) if is_equal else ahead
        return Match(
            *(_name(fixture), fixture.stage, fixture.round, (one, other), winner, score, attempt),
            decided_by="seed" if is_equal else "points",
        )

    def goes_out(self, matches: Sequence[Match | None]) -> None:
        """The losers of these matches are out, all at the same time."""
        group = [(match.loser, match.winner) for match in matches if match is not None and match.loser is not None]
        self.out.append(group)

    def outcome(self, champion: Slot) -> Outcome:
        """Everybody placed: the later out, the better; out at the same time, by the place of who beat it."""
        assert champion is not None
        placing, place_of = [Place(1, champion, "round")], {champion: 1}
        for group in reversed(self.out):
            ordered = sorted(group, key=lambda pair: place_of[pair[1]])
            for number, (team, _) in enumerate(ordered, 1):
                place_of[team] = len(placing) + 1
                placing.append(Place(len(placing) + 1, team, "round" if number == len(ordered) else "who beat it"))
        placing[-1] = placing[-1]._replace(decided_by="")
        rows = tuple(row_of(place, team, self.tallies[team], by) for place, team, by in placing)
        return Outcome(tuple(placing), (Table("bracket", "", rows),), tuple(self.matches))


def _fixtures(stage: str, number: int, slots: Sequence[Slot]) -> list[Fixture]:
    pairs = zip(slots[::2], slots[1::2], strict=True)
    return [Fixture(stage, number, index, pair) for index, pair in enumerate(pairs, 1)]


def _name(fixture: Fixture) -> str:
    return f"{fixture.stage}/r{fixture.round}/match-{fixture.number}"


def _bye(fixture: Fixture) -> Match | None:
    if len(fixture.teams) != 1:
        return None
    (team,) = fixture.teams
    return Match(_name(fixture), fixture.stage, fixture.round, (team,), team, EQUAL, 0, "bye")


def _winners(matches: Sequence[Match | None]) -> list[Slot]:
    return [None if match is None else match.winner for match in matches]


def _loser(match: Match | None) -> Slot:
    return None if match is None else match.loser


def _crossed(dropped: list[Slot], number: int) -> list[Slot]:
    """Losers of the winners' bracket in an order that puts off second meetings, another one in each round."""
    half = len(dropped) // 2
    one, other = dropped[:half], dropped[half:]
    orders = (dropped[::-1], one[::-1] + other[::-1], other + one, dropped)
    return orders[(number - 2) % 4]

"""How often two bots choose the same move in the same positions, beyond what players of the course agree on anyway.

Everybody is asked in the same positions, where there is a choice, and so are a few agents of ours: players that are
surely independent. The agreement to be expected of two is the larger of two estimates: how many of the others choose
the move that each of them chose, position by position; and how often each agrees with anybody, which is more for bots
that play well. `chance` says how likely so much more is among all pairs, were they independent. Bots that stem from
one lesson are not: a pair stands out only if it also agrees clearly more than either does with its third-nearest
other, and more than both do with a bot that everybody was given, or that takes the first or the last legal move.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from random import Random
from statistics import NormalDist
from typing import NamedTuple

from ludus.agents.naming import make_agent
from ludus.bots.entrants import ProgramFile, PythonFile
from ludus.bots.room import Room
from ludus.course.asking import Asker
from ludus.course.positions import Sampled, Spot, sample
from ludus.events.event import Event
from ludus.rules import Game, Line
from ludus.search.seeds import seed_of

POSITIONS = 60
LEAST_CHOICE = 4  # legal moves of a position that is asked
LEAST_COMMON = 20  # positions that both have answered
BUDGET_S = 20.0  # of one bot for all positions
SURE = 0.01  # so unlikely by chance, over all pairs
MOST_FAILURES = 4
REFERENCES = ("greedy", "minimax:depth=2", "minimax:depth=3")  # one search, so that little is compiled
NEAREST = 2  # of the others, counted from 0: two partners of one copy are not held against it
Moves = tuple[int | None, ...]


class Agreement(NamedTuple):
    """What two bots have in common on the board."""

    common: int  # positions that both answered
    same: int
    expected: float
    chance: float  # of so much or more, over all pairs; 1 where too little is known
    stands_out: bool

    @property
    def is_a_habit(self) -> bool:
        """More than chance explains, but others play as near to both: a lesson, or a line that is simply best."""
        return self.chance < SURE and not self.stands_out

    @property
    def share(self) -> float:
        return self.same / self.common if self.common else 0.0


def choices(game: Game, sampled: Sampled, *, wanted: int, seed: int) -> list[Spot]:
    """Positions with a real choice from all parts of random games, each once."""
    rng = Random(seed_of(seed, 3))
    found: list[Spot] = []
    seen = set()
    for _ in range(30 * wanted):
        options, line = rng.choice(sampled.games)
        ply = rng.randrange(len(line.moves))
        state = line.states[ply]
        if state in seen or len(game.legal(state)) < LEAST_CHOICE:
            continue
        seen.add(state)
        found.append(Spot(options, Line(line.states[: ply + 1], line.moves[:ply])))
        if len(found) == wanted:
            break
    return found


def ask_all(
    event: Event,
    entrants: Sequence[PythonFile | ProgramFile],
    room: Room,
    *,
    seed: int,
    positions: int = POSITIONS,
    budget_s: float = BUDGET_S,
    tell: Callable[[float, str], None] = lambda share, text: None,
) -> tuple[list[Spot], list[Moves]]:
    """Everybody's moves in the same positions; None where a bot failed, or had no time left."""
    spots = choices(event.game, sample(event.game, event.options, seed=seed), wanted=positions, seed=seed)
    found = []
    for number, entrant in enumerate(entrants):
        tell(number / len(entrants), f"asking {number} of {len(entrants)}")
        # Everybody has dice of its own, so that two that only roll them do not agree.
        found.append(_moves(Asker(room, entrant, event), spots, seed_of(seed, 1_000_000 + number), budget_s))
    return spots, found


def _moves(asker: Asker, spots: Sequence[Spot], seed: int, budget_s: float) -> Moves:
    until, failures = time.monotonic() + budget_s, 0
    moves: list[int | None] = []
    for number, spot in enumerate(spots):
        if time.monotonic() > until or failures >= MOST_FAILURES:
            moves.append(None)
            continue
        answer = asker.ask(spot, seed=seed_of(seed, number) >> 1)
        failures += answer.failure is not None
        moves.append(answer.move)
    return tuple(moves)


def reference_moves(game: Game, spots: Sequence[Spot]) -> list[Moves]:
    """What our agents choose there."""
    found = []
    for name in REFERENCES:
        agent = make_agent(game, name)
        moves: list[int | None] = []
        for spot in spots:
            agent.forget()
            moves.append(agent.choose(spot.state).move)
        found.append(tuple(moves))
    return found


def trivial_moves(game: Game, spots: Sequence[Spot]) -> list[Moves]:
    """What anybody writes who takes the first legal move there is, or the last."""
    legal = [sorted(game.legal(spot.state)) for spot in spots]
    return [tuple(moves[0] for moves in legal), tuple(moves[-1] for moves in legal)]


def agreements(
    game: Game,
    spots: Sequence[Spot],
    bots: Sequence[Moves],
    references: Sequence[Moves] = (),
    templates: Sequence[Moves] = (),
) -> dict[tuple[int, int], Agreement]:
    """Of all pairs of bots; references are among the others that they are measured by.

    Two that agree with a template as much as with each other have it in common, and nothing else.
    """
    moves = [*bots, *references]
    teams = range(len(moves))
    legal = [len(game.legal(spot.state)) for spot in spots]
    blind = sum(1 / count for count in legal) / len(legal)
    rates = {(a, b): _rate(moves[a], moves[b]) for a in teams for b in teams if a < b}
    pairs = [(a, b) for a, b in rates if b < len(bots)]
    near = {team: sorted((_of(rates, team, other) for other in teams if other != team), reverse=True) for team in teams}
    sums = {team: sum(near[team]) for team in teams}
    found = {}
    for one, other in pairs:
        common = [at for at in range(len(spots)) if moves[one][at] is not None and moves[other][at] is not None]
        same = sum(moves[one][at] == moves[other][at] for at in common)
        per_position = [_crowd(moves, one, other, at, legal[at]) for at in common]
        expected = min(len(common), max(sum(per_position), len(common) * _by_habit(rates, sums, one, other, blind)))
        chance = 1.0
        if len(common) >= LEAST_COMMON:
            chance = min(1.0, len(pairs) * _tail(same, len(common), expected / len(common)))
        others = [near[team][NEAREST] for team in (one, other) if len(near[team]) > NEAREST]
        others += [min(_rate(moves[one], given), _rate(moves[other], given)) for given in templates]
        is_nearest = _clearly_more(same, len(common), max(others, default=0.0))
        found[one, other] = Agreement(len(common), same, expected, chance, chance < SURE and is_nearest)
    return found


def _rate(one: Moves, other: Moves) -> float:
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    return sum(a == b for a, b in pairs) / len(pairs) if pairs else 0.0


def _of(rates: dict[tuple[int, int], float], one: int, other: int) -> float:
    return rates[min(one, other), max(one, other)]


def _crowd(moves: Sequence[Moves], one: int, other: int, at: int, legal: int) -> float:
    """How likely somebody else chooses what one of the two chose; a random player is always among the others."""
    others = [moves[team][at] for team in range(len(moves)) if team not in (one, other) and moves[team][at] is not None]
    shares = [(others.count(moves[team][at]) + 1 / legal) / (len(others) + 1) for team in (one, other)]
    return sum(shares) / 2


def _by_habit(rates: dict[tuple[int, int], float], sums: dict[int, float], one: int, other: int, blind: float) -> float:
    """How often two would agree by how often each agrees with others: the product, by the mean of all the others.

    All of it beyond the agreement of blind players.
    """
    rest = len(sums) - 2
    if rest < 2:
        return 0.0
    rate = rates[one, other]
    habits = [(sums[team] - rate) / rest for team in (one, other)]
    among = sum(sums.values()) / 2 - sums[one] - sums[other] + rate
    usual = among / (rest * (rest - 1) / 2)
    if usual <= blind or min(habits) <= blind:
        return blind
    return min(0.95, blind + (habits[0] - blind) * (habits[1] - blind) / (usual - blind))


def _tail(same: int, of: int, rate: float) -> float:
    """The chance of so many or more, each with this chance: exact."""
    if rate >= 1:
        return 1.0
    if rate <= 0:
        return float(same == 0)
    ways = (math.lgamma(of + 1) - math.lgamma(k + 1) - math.lgamma(of - k + 1) for k in range(same, of + 1))
    each = (k * math.log(rate) + (of - k) * math.log1p(-rate) for k in range(same, of + 1))
    return min(1.0, sum(math.exp(way + one) for way, one in zip(ways, each, strict=True)))


def _clearly_more(same: int, of: int, rate: float) -> bool:
    """Whether so many are more than this rate gives, with 99 % of sureness."""
    if not of:
        return False
    spread = math.sqrt(max(rate * (1 - rate), 0.25 / of) / of)
    return same / of > rate + NormalDist().inv_cdf(1 - SURE) * spread

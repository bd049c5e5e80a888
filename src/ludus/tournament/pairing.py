"""Who plays whom, and how it went: what formats and the driver of a tournament tell each other.

A format is a generator: it yields a Round, is sent the Results of that round, and returns an Outcome
(outcome.py). Teams are 0 .. n-1 in seeded order; formats know no names.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple, Protocol

Sides = Literal["balanced", "coin"]
SIDES: tuple[Sides, ...] = ("balanced", "coin")


class Pairing(NamedTuple):
    """One game to be played. `first` sits in seat 0; games that differ in seats alone have the same `board`."""

    id: str  # unique and stable inside a tournament: "group/pool-3/r2/5-7/g1"
    stage: str
    pool: str  # empty where a stage has none
    round: int  # from 1
    first: int
    second: int
    board: int


class GameResult(NamedTuple):
    """A game as tables see it. A crashed one (the machine's failure, nobody's) counts for nothing."""

    pairing: Pairing
    points: tuple[Fraction, Fraction]  # of seat 0 and seat 1
    winner: int | None  # a team
    difference: int  # what breaks ties, as of block differences; seat 0's
    kind: str  # of the verdict
    status: Literal["played", "crashed"] = "played"


class Results(Protocol):
    """The results of the round that was yielded, in any order; each iteration begins anew and holds nothing."""

    def __iter__(self) -> Iterator[GameResult]: ...


@dataclass(frozen=True)
class Pool:
    """Teams that are ranked in one table."""

    name: str
    teams: tuple[int, ...]


@dataclass(frozen=True)
class Round:
    """Games that wait for nothing but the rounds before: they may be played in any order, or all at once.

    `pairings` is made anew on each iteration and never held. `pools` are the tables that the games count for;
    a ladder's pool is in the order of its rungs.
    """

    stage: str
    count: int
    pairings: Iterable[Pairing]
    pools: tuple[Pool, ...]


@dataclass(frozen=True)
class Repeatable:
    """An iterable that calls a generator again each time."""

    generate: Callable[[], Iterator[Pairing]]

    def __iter__(self) -> Iterator[Pairing]:
        return self.generate()


class Meeting(NamedTuple):
    """How two teams meet: how many games, and who has seat 0: in turns, or by a coin for every game."""

    games: int = 1
    sides: Sides = "balanced"
    seed: int = 0

    @property
    def boards(self) -> int:
        """How many start boards a meeting uses."""
        return self.games if self.sides == "coin" else (self.games + 1) // 2


def meet(
    pair: tuple[int, int], meeting: Meeting, *, stage: str, pool: str = "", round: int, board: int = 0
) -> Iterator[Pairing]:
    """The games of two teams; the first of the pair has seat 0 in the first, third ... unless a coin decides."""
    one, other = pair
    pair_name = f"{one}-{other}" if one < other else f"{other}-{one}"
    where = f"{stage}/{pool}/r{round}/{pair_name}" if pool else f"{stage}/r{round}/{pair_name}"
    for game in range(meeting.games):
        name = f"{where}/g{game + 1}"
        if meeting.sides == "coin":
            is_swapped, on = derived_seed(meeting.seed, f"coin/{name}") & 1 == 1, board + game
        else:
            is_swapped, on = game % 2 == 1, board + game // 2
        first, second = (other, one) if is_swapped else (one, other)
        yield Pairing(name, stage, pool, round, first, second, on)


def fairer_first(pair: tuple[int, int], begun: Counter[int]) -> tuple[int, int]:
    """The pair, first the one that has begun less often (its first seats less its second ones), and that is counted.

    For formats that do not know beforehand who will meet; with an even number of games it does not matter.
    """
    one, other = pair if begun[pair[0]] <= begun[pair[1]] else pair[::-1]
    begun[one] += 1
    begun[other] -= 1
    return one, other


def derived_seed(seed: int, text: str) -> int:
    """63 bits that depend on every bit of the tournament's seed and on what they are for, the same everywhere."""
    return int.from_bytes(hashlib.sha256(f"{seed}/{text}".encode()).digest()[:8], "big") >> 1


def drawn(teams: Iterable[int], *, seed: int, text: str) -> tuple[int, ...]:
    """The teams in an order by lot."""
    return tuple(sorted(teams, key=lambda team: (derived_seed(seed, f"{text}/{team}"), team)))

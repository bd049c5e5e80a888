"""Positions to ask a bot about, ordinary and rare, found in any game by playing at random and looking at the rules.

first        nobody has moved yet
reply        one move has been made
forced       there is one legal move
free         more legal moves than in the position before, and twice as many as is usual
again        the seat that moved last moves once more: a bonus
ending       the game can end with the next move
full         later than nine tenths of the longest game seen
ordinary     none of these
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from statistics import median
from typing import Any, NamedTuple

from ludus.referee.series import drawn_options
from ludus.rules import Game, Line, State, random_line
from ludus.search.seeds import seed_of

KINDS = {
    "first": "the first move",
    "reply": "the first reply",
    "forced": "one legal move",
    "free": "a free choice",
    "again": "a bonus move",
    "ending": "the next move can end it",
    "full": "a nearly full board",
    "ordinary": "ordinary positions",
}
GAMES, FEW_GAMES = 60, 24
LONGEST = 2000  # plies of a game that is looked through
FREELY = 2  # times the usual number of legal moves
TRIED = 12  # legal moves that are tried for one that ends the game


class Spot(NamedTuple):
    """A position that is not over, and the game that led to it."""

    options: dict[str, Any]
    line: Line
    kinds: tuple[str, ...] = ()

    @property
    def state(self) -> State:
        return self.line.states[-1]

    @property
    def kind(self) -> str:
        """What is rarest about it."""
        return self.kinds[0] if self.kinds else "ordinary"


class Sampled(NamedTuple):
    """Random games of an event, and what they are good for."""

    games: tuple[tuple[dict[str, Any], Line], ...]
    payoffs: dict[int, float]  # how often each came up, for either seat

    @property
    def mean_plies(self) -> float:
        return sum(len(line.moves) for _, line in self.games) / len(self.games)


def sample(game: Game, options: dict[str, Any], *, seed: int, games: int = GAMES) -> Sampled:
    """Random games, on fresh boards where the game draws them."""
    found = []
    payoffs: dict[int, float] = {}
    for number in range(games):
        board = drawn_options(game, options, seed_of(seed, number) >> 34)
        line = random_line(game, game.start(**board), Random(seed_of(seed, number)), LONGEST)
        found.append((board, line))
        for payoff in (game.result(line.states[-1]) or 0,):
            for either in (payoff, -payoff):
                payoffs[either] = payoffs.get(either, 0.0) + 1 / (2 * games)
    return Sampled(tuple(found), payoffs)


def find_spots(game: Game, sampled: Sampled, *, wanted: int, seed: int) -> list[Spot]:
    """So many positions of every kind, seats in turn where both have them, each position once; ordinary ones first."""
    rng = Random(seed_of(seed, 1))
    by_kind: dict[tuple[str, int], list[Spot]] = {}
    for spot in _all_spots(game, sampled):
        for kind in spot.kinds or ("ordinary",):
            by_kind.setdefault((kind, game.turn(spot.state)), []).append(spot)
    chosen: dict[State, Spot] = {}
    for kind in KINDS:
        seats = [by_kind.get((kind, seat), []) for seat in (0, 1)]
        for spots in seats:
            rng.shuffle(spots)
        mixed = [spot for pair in zip(*_padded(seats), strict=True) for spot in pair if spot is not None]
        fresh = (spot for spot in mixed if spot.state not in chosen)
        for _, spot in zip(range(1 if kind == "first" else wanted), fresh, strict=False):
            chosen[spot.state] = spot
    return sorted(chosen.values(), key=lambda spot: spot.kind != "ordinary")


def _padded(seats: list[list[Spot]]) -> list[list[Spot | None]]:
    most = max(map(len, seats))
    return [[*spots, *[None] * (most - len(spots))] for spots in seats]


def _all_spots(game: Game, sampled: Sampled) -> Iterator[Spot]:
    longest = max(len(line.moves) for _, line in sampled.games)
    legal = [[game.legal(state) for state in line.states[:-1]] for _, line in sampled.games]
    usual = median(len(moves) for moves_of_game in legal for moves in moves_of_game[1:])
    for (options, line), moves_of_game in zip(sampled.games, legal, strict=True):
        for ply, moves in enumerate(moves_of_game):
            is_free = ply > 0 and len(moves) > len(moves_of_game[ply - 1]) and len(moves) >= FREELY * usual
            kinds = tuple(_kinds(game, line, ply, moves, is_free=is_free, longest=longest))
            yield Spot(options, Line(line.states[: ply + 1], line.moves[:ply]), kinds)


def _kinds(game: Game, line: Line, ply: int, legal: list[int], *, is_free: bool, longest: int) -> Iterator[str]:
    """The rare things about a position, the rarest first."""
    state = line.states[ply]
    if ply == 0:
        yield "first"
        return
    if game.turn(state) == game.turn(line.states[ply - 1]):
        yield "again"
    if len(legal) == 1:
        yield "forced"
    if is_free:
        yield "free"
    if ply >= 0.9 * longest:
        yield "full"
    if ply >= 0.5 * len(line.moves) and any(game.result(game.play(state, move)) is not None for move in legal[:TRIED]):
        yield "ending"
    if ply == 1:
        yield "reply"

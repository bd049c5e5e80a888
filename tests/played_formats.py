"""Plays formats with made-up games: what a driver does, without bots."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from fractions import Fraction
from random import Random
from typing import NamedTuple

from ludus.tournament.outcome import Format, Outcome
from ludus.tournament.pairing import GameResult, Pairing, Round

Judge = Callable[[Pairing], GameResult]


class Played(NamedTuple):
    outcome: Outcome
    rounds: list[Round]
    results: list[GameResult]

    @property
    def pairings(self) -> list[Pairing]:
        return [result.pairing for result in self.results]

    @property
    def order(self) -> list[int]:
        return [place.team for place in self.outcome.placing]


def play(format: Format, judge: Judge, *, shuffle: Random | None = None) -> Played:
    """Every round played to its end; its results in order, or shuffled."""
    rounds, results = [], []
    try:
        current = next(format)
        while True:
            rounds.append(current)
            found = [judge(pairing) for pairing in current.pairings]
            assert len(found) == current.count
            results += found
            if shuffle:
                shuffle.shuffle(found)
            current = format.send(found)
    except StopIteration as stop:
        return Played(stop.value, rounds, results)


def result(
    pairing: Pairing, one: float | str, other: float | str, *, difference: int = 0, kind: str | None = None
) -> GameResult:
    """A game that was played to these points."""
    points = Fraction(str(one)), Fraction(str(other))
    winner = None if points[0] == points[1] else pairing.first if points[0] > points[1] else pairing.second
    return GameResult(pairing, points, winner, difference, kind or ("draw" if winner is None else "win"))


def crashed(pairing: Pairing) -> GameResult:
    return GameResult(pairing, (Fraction(0), Fraction(0)), None, 0, "crashed", "crashed")


def by_strength(order: Iterable[int]) -> Judge:
    """Who stands earlier in the order always wins."""
    rank = {team: place for place, team in enumerate(order)}

    def judge(pairing: Pairing) -> GameResult:
        is_won = rank[pairing.first] < rank[pairing.second]
        return result(pairing, int(is_won), int(not is_won), difference=1 if is_won else -1)

    return judge


def by_chance(seed: int, *, crashes: bool = False) -> Judge:
    """The same result for the same game, whenever it is played."""

    def judge(pairing: Pairing) -> GameResult:
        dice = Random(hashlib.sha256(f"{seed} {pairing.id}".encode()).digest())
        if crashes and dice.random() < 0.1:
            return crashed(pairing)
        points = dice.choice([(1, 0), (0, 1), (3, 0), (1, 2), ("0.5", "0.75"), ("0.25", "0.25"), ("0.1", "0.2")])
        kind = dice.choice(["win", "win", "timeout"]) if points[0] != points[1] else None
        return result(pairing, *points, difference=dice.randint(-4, 4), kind=kind)

    return judge

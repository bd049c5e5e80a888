"""What the exact solver asks and knows: bounds, questions, and the rooms that its threads work in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ludus.compile.bindings import HUGE
from ludus.compile.interface import Words
from ludus.rules import State
from ludus.search import proof, proof_numbers


class Bounds(NamedTuple):
    """What is proven of seat 0's payoff; huge numbers where nothing is."""

    least: int
    most: int

    def within(self, other: Bounds) -> Bounds:
        return Bounds(max(self.least, other.least), min(self.most, other.most))

    @property
    def is_exact(self) -> bool:
        return self.least == self.most

    def settles(self, claim: int) -> bool:
        """Whether it is known if the payoff is at least that much."""
        return self.least >= claim or self.most < claim


UNKNOWN = Bounds(-HUGE, HUGE)


class Room(NamedTuple):
    """What one thread works in: history or marks, and the words that `stopping` and `proof` lay out."""

    memory: Words
    words: Words


@dataclass
class Question:
    """Whether seat 0 gets at least the claim from a position, what is known of that, and who is at work on it."""

    state: State
    claim: int
    bounds: Bounds
    rooms: list[Room] = field(default_factory=list)

    @property
    def is_settled(self) -> bool:
        return self.bounds.settles(self.claim)


def new_rooms(threads: int, *, has_few_payoffs: bool, move_limit: int) -> list[Room]:
    """A room for each thread; proof numbers share the marks of where each thread is."""
    marks = np.zeros(proof_numbers.MARKS, np.int64)
    rooms = []
    for number in range(1, threads + 1):
        words = np.zeros(proof.SORTING + proof.ROWS * proof.MOST_PLIES * move_limit, np.int64)
        words[proof.THREAD], words[proof.ROW] = number, move_limit
        rooms.append(Room(marks if has_few_payoffs else np.zeros(2 * move_limit + 2, np.int64), words))
    return rooms

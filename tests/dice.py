"""Tournaments of dice for the tests of ratings: known strengths, the model's formula written down anew."""

from __future__ import annotations

import math
import random
from fractions import Fraction

from ludus.tournament.pairing import GameResult, Pairing

POINTS = {0: (Fraction(0), Fraction(1)), 1: (Fraction(1, 2), Fraction(1, 2)), 2: (Fraction(1), Fraction(0))}


def chances(elo_difference: float, *, seat: float = 0.0, draw: float = 0.0) -> list[float]:
    """Loss, draw and win of seat 0; `draw` is how many draws equals have for each win of one of them."""
    ratio = 10 ** ((elo_difference + seat) / 800)
    weights = [1 / ratio, draw, ratio]
    return [weight / sum(weights) for weight in weights]


def result(first: int, second: int, outcome: int, *, board: int = 0, status: str = "played") -> GameResult:
    """A game that seat 0 lost (0), drew (1) or won (2)."""
    pairing = Pairing(f"{first}-{second}/{board}", "league", "", 1, first, second, board)
    winner = (second, None, first)[outcome]
    return GameResult(pairing, POINTS[outcome], winner, outcome - 1, "draw" if outcome == 1 else "win", status)


def league(elo: list[float], *, games: int, seed: int, seat: float = 0.0, draw: float = 0.0) -> list[GameResult]:
    """Everybody against everybody, seats in turns, each two games on one board."""
    rng, found = random.Random(seed), []
    for one in range(len(elo)):
        for other in range(one):
            for game in range(games):
                first, second = (one, other) if game % 2 else (other, one)
                odds = chances(elo[first] - elo[second], seat=seat, draw=draw)
                (outcome,) = rng.choices((0, 1, 2), odds)
                found.append(result(first, second, outcome, board=game // 2))
    return found


def normal_field(teams: int, spread: float, seed: int) -> list[float]:
    """Strengths of mean 0."""
    rng = random.Random(seed)
    elo = [rng.gauss(0, spread) for _ in range(teams)]
    return [one - math.fsum(elo) / teams for one in elo]

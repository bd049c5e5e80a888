"""A rating on the course's scale, from games against the ladder. The scale: `random` has 500, 400 points are 10 : 1.

The rungs stand where games among themselves put them, once for each game: for our games these are in ladder.json,
which benchmarks/ladder.py writes; for others they are played on the spot. A bot's rating is the mean of what its
results leave likely, by Davidson's model (see ratings/bradley_terry.py), if before all of them any rating near the
ladder was about as likely as another.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ludus.course.ladder import RUNGS, Ladder, Played
from ludus.ratings.bradley_terry import ELO, Strengths, fit
from ludus.ratings.encounters import DRAW, LOSS, WIN, Encounters, Floats
from ludus.rules import GAMES_FOLDER, Game

FILE = Path(__file__).parent / "ladder.json"
ANCHOR = 500  # the rating of `random`
WIDTH = 800  # standard deviation of ratings before any game, around the middle of the ladder
RANGE, STEP = (-1500, 5000), 5
CONFIDENCE = 0.95

Results = Mapping[tuple[str, str], tuple[int, int, int]]
"""For each two rungs, the first in seat 0: how many games it lost, drew and won."""


class Rating(NamedTuple):
    """On the course's scale, with the interval that holds the truth in 95 of 100 cases."""

    value: float
    low: float
    high: float
    rungs: dict[str, float]  # where the ladder stands on the same scale
    games: int

    @property
    def error(self) -> float:
        return (self.high - self.low) / 2


class Scale(NamedTuple):
    """Where the rungs stand, what moving first is worth, and how often equals draw."""

    rungs: dict[str, float]
    seat_elo: float
    draw: float


def scale_of(among: Results) -> Scale:
    names = [name for name in RUNGS if any(name in pair for pair in among)]
    rows: list[tuple[int, int, int]] = []
    for (one, other), counts in among.items():
        for outcome, times in zip((LOSS, DRAW, WIN), counts, strict=True):
            rows += [(names.index(one), names.index(other), outcome)] * times
    first, second, outcomes = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    found: Strengths = fit(Encounters(len(names), first, second, outcomes, np.arange(len(rows), dtype=np.int64)))
    zero = found.elo[names.index("random")]
    return Scale(
        {name: float(elo - zero) + ANCHOR for name, elo in zip(names, found.elo, strict=True)},
        found.seat_elo,
        found.draw,
    )


def rate(played: Iterable[Played], scale: Scale) -> Rating | None:
    """The bot's rating, forfeits counted as the losses that they are; None where it finished no game."""
    games = list(played)
    if all(game.is_forfeit for game in games):
        return None
    ratings = np.arange(RANGE[0], RANGE[1] + STEP, STEP, dtype=np.float64)
    middle = (min(scale.rungs.values()) + max(scale.rungs.values())) / 2
    likely = -0.5 * ((ratings - middle) / WIDTH) ** 2
    for game in games:
        likely += _log_likelihood(ratings, game, scale)
    weights = np.exp(likely - likely.max())
    weights /= weights.sum()
    sums = weights.cumsum()
    low, high = (
        float(ratings[int(np.searchsorted(sums, part))]) for part in ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2)
    )
    return Rating(float((ratings * weights).sum()), low, high, scale.rungs, len(games))


def _log_likelihood(ratings: Floats, game: Played, scale: Scale) -> Floats:
    """Of the game's outcome, for each rating of the bot."""
    edge = scale.seat_elo if game.seat == 0 else -scale.seat_elo
    half = (ratings - scale.rungs[game.rung] + edge) / ELO / 2
    total = np.log(np.exp(half) + scale.draw + np.exp(-half))
    found: Floats = (half if game.outcome > 0 else -half if game.outcome < 0 else np.log(scale.draw)) - total
    return found


@cache
def _kept() -> dict[str, dict[str, list[int]]]:
    kept: dict[str, dict[str, list[int]]] = json.loads(FILE.read_text(encoding="utf-8"))
    return kept


def known_results(game: Game) -> Results | None:
    """How the rungs did against each other, where that was measured; None for games of others."""
    if not game.path.is_relative_to(GAMES_FOLDER) or game.name not in _kept():
        return None
    found: dict[tuple[str, str], tuple[int, int, int]] = {}
    for pair, (lost, drawn, won) in _kept()[game.name].items():
        one, _, other = pair.partition(" ")
        found[one, other] = (lost, drawn, won)
    return found


def played_results(ladder: Ladder, *, games: int) -> Results:
    """The same from games on the spot: each rung against the next."""
    found: dict[tuple[str, str], tuple[int, int, int]] = {}
    for one, other in pairwise(RUNGS):
        for first, second in ((one, other), (other, one)):
            outcomes = [ladder.play_rungs(first, second, number) for number in range(0, games, 2)]
            found[first, second] = (outcomes.count(-1), outcomes.count(0), outcomes.count(1))
    return found

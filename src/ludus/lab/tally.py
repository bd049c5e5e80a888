"""What a duel has shown so far: points, pairs, margins, and how the players used their time."""

from __future__ import annotations

import math
from array import array
from dataclasses import asdict, dataclass
from typing import Any

from ludus.lab.pair import Pair, Played
from ludus.ratings.duel import Bounds, Estimate, Pairs, estimate, log_likelihood_ratio


@dataclass(frozen=True)
class TimeUse:
    """How one player used its time; overshoot is what a move took beyond its limit."""

    moves: int
    seconds_a_move: float
    nodes_a_move: float
    nodes_per_second: float
    overshoot_mean_s: float
    overshoot_p99_s: float
    overshoot_max_s: float


@dataclass(frozen=True)
class DuelReport:
    """A duel that is over. Points, margins and Elo are those of the first player against the second."""

    game: str
    options: dict[str, Any]
    players: tuple[str, str]
    games: int
    wins: int
    draws: int
    losses: int
    pairs: Pairs
    estimate: Estimate
    mean_margin: float
    mean_plies: float
    first_seat_share: float  # of the points, whoever sat there
    sprt: Bounds | None
    ratio: float | None
    verdict: str | None  # "elo0" or "elo1" when the sequential test ended the duel
    is_interrupted: bool
    time_use: tuple[TimeUse, TimeUse]
    opening_plies: int
    seed: int
    workers: int
    has_own_cores: bool  # each worker had cores to itself, so that times mean something
    seconds: float

    def to_data(self) -> dict[str, Any]:
        """For JSON; what is infinite is null, and without a game whatever is a mean of games, as nothing is known."""
        data = asdict(self)
        data["estimate"] = {
            key: value if self.games > 0 and math.isfinite(value) else None for key, value in data["estimate"].items()
        }
        if self.games == 0:
            data |= dict.fromkeys(("mean_margin", "mean_plies", "first_seat_share"))
        if self.sprt is not None:
            data["sprt"] |= {"lower": self.sprt.lower, "upper": self.sprt.upper}
        return data


class Tally:
    """The pairs of a duel as they come in, in the order of their openings."""

    def __init__(self, sprt: Bounds | None = None) -> None:
        self.sprt = sprt
        self.counts = [0] * 5  # of pairs, by the doubled points of player 0
        self.wins = self.draws = self.losses = self.margins = self.plies = 0
        self.doubled_points_of_first_seat = 0
        self.seconds, self.overshoots = (array("d"), array("d")), (array("d"), array("d"))
        self.nodes = [0, 0]

    def add(self, pair: Pair) -> None:
        self.counts[sum(played.doubled_points for played in pair)] += 1
        for played in pair:
            self._add_game(played)

    def _add_game(self, played: Played) -> None:
        points = played.doubled_points
        self.wins, self.draws = self.wins + (points == 2), self.draws + (points == 1)
        self.losses += points == 0
        self.margins += played.margin
        self.plies += len(played.moves)
        self.doubled_points_of_first_seat += 2 - points if played.first else points
        for index, thoughts in enumerate(played.thoughts):
            self.seconds[index].extend(thoughts.seconds)
            self.overshoots[index].extend(thoughts.overshoots)
            self.nodes[index] += thoughts.nodes

    @property
    def games(self) -> int:
        return 2 * sum(self.counts)

    @property
    def pairs(self) -> Pairs:
        zero, half, one, more, two = self.counts
        return zero, half, one, more, two

    @property
    def estimate(self) -> Estimate:
        return estimate(self.pairs)

    @property
    def ratio(self) -> float | None:
        """The logarithm of the likelihood ratio of the sequential test, where there is one."""
        return None if self.sprt is None else log_likelihood_ratio(self.pairs, self.sprt)

    @property
    def verdict(self) -> str | None:
        """The hypothesis that the sequential test has accepted: elo0, elo1, or none yet."""
        return None if self.sprt is None or self.ratio is None else self.sprt.verdict(self.ratio)

    def time_use(self, player: int) -> TimeUse:
        seconds, overshoots = self.seconds[player], sorted(self.overshoots[player])
        moves, total = len(seconds), sum(seconds)
        return TimeUse(
            moves=moves,
            seconds_a_move=total / max(1, moves),
            nodes_a_move=self.nodes[player] / max(1, moves),
            nodes_per_second=self.nodes[player] / total if total > 0 else 0.0,
            overshoot_mean_s=sum(overshoots) / max(1, moves),
            overshoot_p99_s=quantile(overshoots, 0.99),
            overshoot_max_s=overshoots[-1] if overshoots else 0.0,
        )

    def report(self, **more: Any) -> DuelReport:
        """All of it, with what else is known of the duel."""
        return DuelReport(
            games=self.games,
            wins=self.wins,
            draws=self.draws,
            losses=self.losses,
            pairs=self.pairs,
            estimate=self.estimate,
            mean_margin=self.margins / max(1, self.games),
            mean_plies=self.plies / max(1, self.games),
            first_seat_share=self.doubled_points_of_first_seat / 2 / max(1, self.games),
            sprt=self.sprt,
            ratio=self.ratio,
            verdict=self.verdict,
            time_use=(self.time_use(0), self.time_use(1)),
            **more,
        )


def quantile(rising: list[float], share: float) -> float:
    """The least value that this share of the values does not exceed; 0 where there is none."""
    return rising[max(0, math.ceil(share * len(rising)) - 1)] if rising else 0.0

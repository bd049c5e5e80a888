"""What the table of a tournament is worth: the places that chance would have given just as well, and whose luck it was.

The format itself is played again, many times, with dice for games: in each replay with the strengths of another round
of the bootstrap, because nobody knows the true ones.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from random import Random
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from ludus.ratings.bootstrap import CONFIDENCE, Confidence, interval
from ludus.ratings.bradley_terry import ELO, Strengths
from ludus.ratings.encounters import DRAW, LOSS, WIN, Floats, Ints
from ludus.tournament.outcome import Format
from ludus.tournament.pairing import GameResult, Pairing

FormatMaker = Callable[[int], Format]  # from the seed of its draw
Simulator = Callable[[Pairing, Strengths, Random], GameResult]

LEAST_REPLAYS = 20
MOST_GAMES = 10_000  # more than these nobody will play to tell two teams apart
HALF = Fraction(1, 2)


class Score(NamedTuple):
    """What a game gave besides a winner, seat 0 first."""

    points: tuple[Fraction, Fraction]
    difference: int
    kind: str

    def mirrored(self) -> Score:
        return Score((self.points[1], self.points[0]), -self.difference, self.kind)


@dataclass(frozen=True, eq=False)
class Worth:
    """What came of the replays. `place_chance[team, p]` is the chance of place p + 1; places are by team, from 1."""

    replays: int
    place_low: Ints
    place_high: Ints
    place_chance: Floats
    reached: dict[str, Floats]  # by stage, in the order of play: each team's chance to play in it


class Apart(NamedTuple):
    """Of two teams: how likely the first is the better one, and how many more games between them would settle it."""

    superiority: float
    is_clear: bool
    more_games: int | None  # None: more than anybody would play
    is_connected: bool = True  # by games, of their own or through others

    def in_words(self, one: str, other: str) -> str:
        """One sentence for a report."""
        if self.is_clear:
            better, worse = (one, other) if self.superiority > 0.5 else (other, one)
            share = max(self.superiority, 1 - self.superiority)
            return f"{better} is better than {worse} ({'over 99.9%' if share > 0.999 else f'{share:.1%}'})"
        return f"{one} and {other} {self.open_question}"

    @property
    def open_question(self) -> str:
        """What is said of the two where it is not clear who is better."""
        if not self.is_connected:
            return "never met, not even through others"
        more = f"about {self.more_games} more games would" if self.more_games else "no sensible number of games would"
        return f"cannot be told apart; {more}"


def simulator(results: Iterable[GameResult]) -> Simulator:
    """Dice for games: who wins is up to the strengths; the score is that of some game of `results` won that way."""
    seen: dict[int, Counter[Score]] = {LOSS: Counter(), DRAW: Counter(), WIN: Counter()}
    for result in results:
        if result.status == "played":
            outcome = DRAW if result.winner is None else WIN if result.winner == result.pairing.first else LOSS
            seen[outcome][Score(result.points, result.difference, result.kind)] += 1
    for outcome, other in ((LOSS, WIN), (WIN, LOSS)):
        seen[outcome] = seen[outcome] or Counter({score.mirrored(): count for score, count in seen[other].items()})
    counted = [seen[outcome] or Counter([_plain(outcome)]) for outcome in (LOSS, DRAW, WIN)]
    scores = [(list(counter), list(accumulate(counter.values()))) for counter in counted]

    def simulate(pairing: Pairing, strengths: Strengths, rng: Random) -> GameResult:
        loss, draw, _ = strengths.chances(pairing.first, pairing.second)
        die = rng.random()
        outcome = LOSS if die < loss else DRAW if die < loss + draw else WIN
        winner = (pairing.second, None, pairing.first)[outcome]
        choices, cumulated = scores[outcome]
        (score,) = rng.choices(choices, cum_weights=cumulated)
        return GameResult(pairing, score.points, winner, score.difference, score.kind)

    return simulate


def _plain(outcome: int) -> Score:
    """A score for an outcome that never came up."""
    return Score((HALF * outcome, 1 - HALF * outcome), outcome - DRAW, "draw" if outcome == DRAW else "win")


def worth(
    make_format: FormatMaker,
    simulate: Simulator,
    confidence: Confidence,
    *,
    draw_seed: int | None = None,
    replays: int = 400,
    games_limit: int = 1_000_000,
    seed: int = 0,
) -> Worth:
    """Play the format again and again: with the draw of `draw_seed`, or where that is None, a new draw each time.

    No replay begins after `games_limit` games, but for the first few. Pure: the same for the same arguments.
    """
    teams = len(confidence.strengths.elo)
    places = np.zeros((teams, teams))
    reached: defaultdict[str, Floats] = defaultdict(lambda: np.zeros(teams))
    done = games = 0
    for number in range(replays):
        if number >= LEAST_REPLAYS and games >= games_limit:
            break
        rng = Random(f"{seed}/{number}")
        draw = rng.getrandbits(62)
        form = make_format(draw if draw_seed is None else draw_seed)
        placing, stages, played = _replay(form, simulate, confidence.sample(number), rng)
        for team, place in placing.items():
            places[team, place - 1] += 1
        for stage, present in stages.items():
            reached[stage][list(present)] += 1
        done, games = done + 1, games + played
    chance = places / max(done, 1)
    low, high = _place_interval(chance)
    return Worth(done, low, high, chance, {stage: count / done for stage, count in reached.items()})


def _replay(
    form: Format, simulate: Simulator, strengths: Strengths, rng: Random
) -> tuple[dict[int, int], dict[str, set[int]], int]:
    """One tournament of dice: the place of each team, who was in each stage, and how many games it took."""
    stages: dict[str, set[int]] = {}
    games = 0
    try:
        round_ = next(form)
        while True:
            results = [simulate(pairing, strengths, rng) for pairing in round_.pairings]
            games += len(results)
            present = stages.setdefault(round_.stage, set())
            present.update(team for pool in round_.pools for team in pool.teams)
            present.update(team for result in results for team in (result.pairing.first, result.pairing.second))
            round_ = form.send(results)
    except StopIteration as end:
        return {place.team: place.place for place in end.value.placing}, stages, games


def _place_interval(chance: Floats) -> tuple[Ints, Ints]:
    """The places that leave no more than 2.5 % on either side, for each team."""
    tail = (1 - CONFIDENCE) / 2 + 1e-9  # and what sums of floats are off by
    below = np.cumsum(chance, axis=1)
    above = np.cumsum(chance[:, ::-1], axis=1)[:, ::-1]
    return (below > tail).argmax(axis=1) + 1, chance.shape[1] - (above > tail)[:, ::-1].argmax(axis=1)


def luck_of_the_draw(actual: Worth, any_draw: Worth) -> dict[str, Floats]:
    """By stage and team: how much the draw as it was raised the chance to get there, over draws at random."""
    return {
        stage: actual.reached.get(stage, np.zeros_like(chance)) - chance for stage, chance in any_draw.reached.items()
    }


def apart(confidence: Confidence, one: int, other: int) -> Apart:
    """Can these two be told apart? If not, after how many more games between them, if the difference is what it seems.

    Games between two add information about their difference alone, so its precision grows by that of each game.
    """
    strengths = confidence.strengths
    superiority = float(confidence.superiority[one, other])
    is_clear = max(superiority, 1 - superiority) >= (1 + CONFIDENCE) / 2
    if strengths.island[one] != strengths.island[other]:
        return Apart(superiority, is_clear=False, more_games=None, is_connected=False)
    if is_clear:
        return Apart(superiority, is_clear, 0)
    reach = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    low, high = interval(confidence.round_elo[:, one] - confidence.round_elo[:, other])
    known = (2 * reach / float(high - low)) ** 2
    difference = float(strengths.elo[one] - strengths.elo[other])
    needed = (reach / difference) ** 2 if difference else math.inf
    pairs = (needed - known) / (_precision(strengths, one, other) + _precision(strengths, other, one))
    if pairs * 2 > MOST_GAMES:
        return Apart(superiority, is_clear, None)
    return Apart(superiority, is_clear, 2 * max(1, math.ceil(pairs)))


def _precision(strengths: Strengths, first: int, second: int) -> float:
    """What one game tells about a difference of strengths: one over the variance, in Elo."""
    loss, _, win = strengths.chances(first, second)
    return ((win + loss) / 4 - ((win - loss) / 2) ** 2) / ELO**2

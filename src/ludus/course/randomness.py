"""Does a bot play as if at random? Four tests against a uniform choice among the legal moves.

results   against random moves, does it win more, or less, than random moves do?
rank      in its games, is its move better, or worse, than a random legal move would be, by our engine?
spread    asked the same position with other dice, does it answer the same more often than chance?
tactics   does it solve more puzzles (tactics.py) than chance?

Each gives the probability that a uniform choice would look at least as far from uniform. A bot is said to play as if
at random only if none of them is below LEVEL, nor all together by Fisher's method, with enough to go by: it takes all
to accuse, and one to clear. A bot that always answers the same is never accused.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from random import Random
from statistics import NormalDist
from typing import Literal, NamedTuple

from ludus.course.asking import Answer
from ludus.course.tactics import Puzzle

LEVEL = 0.005  # each test misses a bot that is random so often
FEWEST_GAMES = 12  # against random moves; with less to go by, nobody is accused
FEWEST_RANKED, FEWEST_PAIRS, FEWEST_PUZZLES = 60, 24, 8
MANY_RANKED = 200  # choices, where a game has no puzzles
SIMULATED = 2000

Verdict = Literal["random", "chooses", "same", "unknown"]


class Ranked(NamedTuple):
    """A choice among moves of different worth: 0 is the worst rank, 1 the best, and a random move has 0.5."""

    rank: float
    variance: float  # of the rank of a random move


class Randomness(NamedTuple):
    """What the tests say; each probability is that of looking so little uniform by chance."""

    verdict: Verdict
    games: int  # against random moves, played to their end
    points: float  # in them: 1 for a win, a half for a draw
    results_probability: float
    ranked: int
    mean_rank: float
    rank_probability: float
    pairs: int  # of answers to the same position
    agreeing: int
    expected_agreeing: float
    spread_probability: float
    puzzles: int
    solved: int
    expected_solved: float
    tactics_probability: float
    together_probability: float

    @property
    def sentence(self) -> str:
        by = (
            f"{self.points:g} of {self.games} points against random moves (chance {self.games / 2:g}), "
            f"mean rank of its moves {self.mean_rank:.2f} (chance 0.50) over {self.ranked} choices, "
            f"{self.agreeing} of {self.pairs} repeated questions answered alike (chance {self.expected_agreeing:.1f})"
        )
        if self.puzzles:
            by += f", {self.solved} of {self.puzzles} puzzles solved (chance {self.expected_solved:.1f})"
        return {
            "random": f"it cannot be told from a random choice: {by}",
            "chooses": f"it chooses: {by}",
            "same": f"its moves are no better than random ones, but it draws no lots: {by}",
            "unknown": f"too little to go by: {by}",
        }[self.verdict]


def ranked(values: Mapping[int, int], move: int, seat: int) -> Ranked | None:
    """The rank of a move among all by what each is worth to seat 0; None where all are worth the same."""
    ordered = list(values.values())
    total = len(ordered)

    def rank(value: int) -> float:
        worse = sum(other < value if seat == 0 else other > value for other in ordered)
        return (worse + 0.5 * ordered.count(value)) / total

    variance = sum((rank(value) - 0.5) ** 2 for value in ordered) / total
    return Ranked(rank(values[move]), variance) if variance > 0 else None


def randomness_of(
    choices: Sequence[Ranked],
    repeated: Sequence[tuple[int, Sequence[int]]],
    solved: Sequence[tuple[Puzzle, Answer]],
    outcomes: Sequence[int],
    *,
    draws: float,
) -> Randomness:
    """What all that was seen of a bot says.

    `repeated` holds, for positions that were asked several times, how many moves were legal and the answers;
    `outcomes` are those of whole games against random moves, and `draws` is the share of draws among random games.
    """
    results_probability = _results_probability(outcomes, draws)
    rank_probability = _rank_probability(choices)
    pairs = sum(math.comb(len(answers), 2) for _, answers in repeated)
    agreeing = sum(_agreeing(answers) for _, answers in repeated)
    expected = sum(math.comb(len(answers), 2) / legal for legal, answers in repeated)
    spread_probability = _spread_probability(repeated, agreeing)
    right = sum(answer.move in puzzle.right for puzzle, answer in solved)
    chances = [puzzle.chance for puzzle, _ in solved]
    tactics_probability = _tactics_probability(chances, right)
    has_enough = (
        len(outcomes) >= FEWEST_GAMES
        and len(choices) >= FEWEST_RANKED
        and pairs >= FEWEST_PAIRS
        and (len(solved) >= FEWEST_PUZZLES or len(choices) >= MANY_RANKED)
    )
    is_same = 0 < pairs == agreeing
    by_worth = results_probability, rank_probability, tactics_probability
    together = _together(by_worth if is_same else (*by_worth, spread_probability))
    return Randomness(
        _verdict(min(*by_worth, together), spread_probability, is_same=is_same, has_enough=has_enough),
        len(outcomes),
        sum(outcome + 1 for outcome in outcomes) / 2,
        results_probability,
        len(choices),
        sum(choice.rank for choice in choices) / len(choices) if choices else 0.5,
        rank_probability,
        pairs,
        agreeing,
        expected,
        spread_probability,
        len(solved),
        right,
        sum(chances),
        tactics_probability,
        together,
    )


def _verdict(worth: float, spread: float, *, is_same: bool, has_enough: bool) -> Verdict:
    if worth < LEVEL:
        return "chooses"
    if spread < LEVEL:
        return "same" if is_same else "chooses"
    return "random" if has_enough else "unknown"


def _results_probability(outcomes: Sequence[int], draws: float) -> float:
    """Of points so far from the half, on either side, where both play at random."""
    likely = {0: 1.0}
    for _ in outcomes:
        grown: dict[int, float] = {}
        for total, chance in likely.items():
            for outcome, share in ((1, (1 - draws) / 2), (0, draws), (-1, (1 - draws) / 2)):
                grown[total + outcome] = grown.get(total + outcome, 0.0) + share * chance
        likely = grown
    away = abs(sum(outcomes))
    return min(1.0, sum(chance for total, chance in likely.items() if abs(total) >= away))


def _together(probabilities: Sequence[float]) -> float:
    """Of tests that are so unlikely together, by Fisher's method: the tail of a chi-squared distribution."""
    half = -sum(math.log(max(probability, 1e-300)) for probability in probabilities)
    return math.exp(-half) * sum(half**k / math.factorial(k) for k in range(len(probabilities)))


def _rank_probability(choices: Sequence[Ranked]) -> float:
    """On both sides: a bot that plays to lose does not play at random either."""
    if not choices:
        return 1.0
    spread = math.sqrt(sum(choice.variance for choice in choices))
    away = abs(sum(choice.rank - 0.5 for choice in choices)) / spread
    return 2 * (1 - NormalDist().cdf(away))


def _agreeing(answers: Sequence[int]) -> int:
    return sum(one == other for at, one in enumerate(answers) for other in answers[:at])


def _spread_probability(repeated: Sequence[tuple[int, Sequence[int]]], agreeing: int) -> float:
    """Of so many equal pairs, or more, by chance."""
    rng, as_many = Random(0), 0
    for _ in range(SIMULATED):
        drawn = sum(_agreeing([rng.randrange(legal) for _ in answers]) for legal, answers in repeated)
        as_many += drawn >= agreeing
    return (as_many + 1) / (SIMULATED + 1)


def _tactics_probability(chances: Sequence[float], solved: int) -> float:
    """Of so many solved, or more, by chance: the sum of unequal coins, exactly."""
    likely = [1.0]
    for chance in chances:
        likely = [
            (likely[k] * (1 - chance) if k < len(likely) else 0.0) + (likely[k - 1] * chance if k else 0.0)
            for k in range(len(likely) + 1)
        ]
    return min(1.0, sum(likely[solved:]))

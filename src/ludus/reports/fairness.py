"""What random games say about a game: is it fair, how long does it last, how much choice is there?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ludus.reports.plots import bar, histogram
from ludus.search.playouts import Sample

Z95 = 1.959964
WIDTH = 80
FEW = 1000  # games, below which the spread seen is no measure of the spread there is


def wilson(successes: float, trials: int) -> tuple[float, float]:
    """The 95 % interval of a proportion, good near 0 and 1 too (E. B. Wilson, 1927)."""
    share = successes / trials
    spread = Z95 * math.sqrt(share * (1 - share) / trials + Z95**2 / (4 * trials**2))
    middle, scale = share + Z95**2 / (2 * trials), 1 + Z95**2 / trials
    return max(0.0, round((middle - spread) / scale, 12)), min(1.0, (middle + spread) / scale)


def moments(counts: Mapping[int, int]) -> dict[str, float | int]:
    """Mean, spread and quantiles of a distribution given as counts."""
    total = sum(counts.values())
    mean = sum(value * times for value, times in counts.items()) / total
    variance = sum(times * (value - mean) ** 2 for value, times in counts.items()) / total
    return {
        "mean": round(mean, 4),
        "deviation": round(math.sqrt(variance), 4),
        "least": min(counts),
        "median": quantile(counts, 0.5),
        "p95": quantile(counts, 0.95),
        "most": max(counts),
    }


def quantile(counts: Mapping[int, int], share: float) -> int:
    """The smallest value that at least this share of the counts do not exceed."""
    wanted, seen = share * sum(counts.values()), 0
    for value in sorted(counts):
        seen += counts[value]
        if seen >= wanted:
            return value
    raise ValueError("there is nothing to count")


def first_score(sample: Sample) -> tuple[float, float, float]:
    """The first player's score (a draw is half a win) with its 95 % interval."""
    wins, draws, losses = sample.outcomes
    decided = wins + draws + losses
    score = (wins + draws / 2) / decided
    if decided < FEW:
        return score, *wilson(score * decided, decided)
    variance = (wins * (1 - score) ** 2 + draws * (0.5 - score) ** 2 + losses * score**2) / decided
    half = Z95 * math.sqrt(variance / decided)
    return score, max(0.0, score - half), min(1.0, score + half)


def widths_of(sample: Sample) -> dict[int, int]:
    return {width: int(times) for width, times in enumerate(sample.widths) if times}


def summary(name: str, sample: Sample, *, seed: int) -> dict[str, Any]:
    """The findings as plain data."""
    wins, draws, losses = sample.outcomes
    decided = wins + draws + losses
    score, *interval = first_score(sample)
    return {
        "game": name,
        "games": sample.games,
        "seed": seed,
        "first_player": {
            "wins": wins,
            "draws": draws,
            "losses": losses,
            "win_interval": wilson(wins, decided),
            "draw_interval": wilson(draws, decided),
            "loss_interval": wilson(losses, decided),
            "score": score,
            "score_interval": interval,
            "payoff": moments(sample.payoffs),
        },
        "length": {**moments(sample.lengths), "counts": sample.lengths},
        "branching": {**moments(widths_of(sample)), "counts": widths_of(sample)},
        "seconds": round(sample.seconds, 4),
        "games_per_second": round(sample.games / sample.seconds),
    }


def describe(title: str, sample: Sample, *, instance: str = "") -> list[str]:
    """The findings for a person, at most 80 columns wide; `instance` names the board where there are many."""
    lines = [f"{title}: {sample.games:,} random games, {sample.games / sample.seconds:,.0f} a second", ""]
    if instance:
        shown = f"On one board: {instance}"
        lines += [shown if len(shown) <= WIDTH else shown[: WIDTH - 1] + "…", ""]
    wins, draws, losses = sample.outcomes
    decided = wins + draws + losses
    lines.append("The first player")
    for name, times in (("wins", wins), ("draws", draws), ("loses", losses)):
        low, high = wilson(times, decided)
        share = times / decided
        lines.append(f"  {name:<6}{100 * share:6.2f} %  ({100 * low:.2f} to {100 * high:.2f})  {bar(share, 36)}")
    lines += [f"  {_verdict(sample)}", ""]
    payoff = moments(sample.payoffs)
    if payoff["most"] > 1 or payoff["least"] < -1:
        lines += [
            f"  Payoff {payoff['mean']:+.2f} on average, from {payoff['least']:+} to {payoff['most']:+}",
            "",
        ]
    length = moments(sample.lengths)
    lines.append(
        f"Length in moves: {length['mean']:.1f} on average, {length['least']} to {length['most']}, "
        f"half up to {length['median']}"
    )
    lines += [f"  {line}" for line in histogram(sample.lengths)]
    width = moments(widths_of(sample))
    lines += ["", f"Legal moves: {width['mean']:.1f} on average, {width['least']} to {width['most']}"]
    return lines + [f"  {line}" for line in histogram(widths_of(sample))]


def _verdict(sample: Sample) -> str:
    score, low, high = first_score(sample)
    range_ = f"{100 * low:.2f} to {100 * high:.2f}"
    if low <= 0.5 <= high:
        return f"Score {100 * score:.2f} % ({range_}): no advantage for either side can be seen."
    side = "first" if score > 0.5 else "second"
    size = abs(score - 0.5)
    word = "slight" if size < 0.02 else "clear" if size < 0.08 else "large"
    return f"Score {100 * score:.2f} % ({range_}): a {word} advantage for the {side} player."

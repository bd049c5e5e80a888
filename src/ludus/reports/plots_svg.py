"""Plots as rows of SVG that stretch with the page: positions are shares of the width, sizes are pixels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from ludus.reports.markup import Markup, element

ROW, AXIS = 31, 20  # pixels
FEW_TICKS = 5
BINS = 28


class Scale(NamedTuple):
    """From values to shares of a plot's width."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...] = ()
    is_log: bool = False

    def at(self, value: float) -> str:
        """Where a value stands, as CSS counts: 12.3%."""
        low, high, here = self.low, self.high, min(max(value, self.low), self.high)
        if self.is_log:
            low, high, here = math.log(low), math.log(high), math.log(here)
        share = (here - low) / (high - low) if high > low else 0.5
        return f"{2 + 96 * share:.2f}%"


def linear(low: float, high: float, *, finest: float = 0.0) -> Scale:
    """A scale with about five round ticks, none finer than said."""
    span = max(high - low, 1e-9)
    step = 10 ** math.floor(math.log10(span / FEW_TICKS))
    step = max(finest, step * next(factor for factor in (1, 2, 5, 10) if span / (step * factor) <= FEW_TICKS + 1))
    first, last = math.ceil(low / step), math.floor(high / step)
    values = [tick * step for tick in range(first, last + 1)]
    return Scale(low, high, tuple((value, f"{value:g}".replace("-", "−")) for value in values))


def by_tens(low_ms: float, high_ms: float) -> Scale:
    """Durations by powers of ten."""
    names = {0.1: "0.1 ms", 1: "1 ms", 10: "10 ms", 100: "0.1 s", 1000: "1 s", 1e4: "10 s", 1e5: "100 s", 1e6: "1000 s"}
    ticks = tuple((value, name) for value, name in names.items() if low_ms <= value <= high_ms)
    return Scale(low_ms, high_ms, ticks, is_log=True)


def interval_row(scale: Scale, low: float, high: float, middle: float, *, label: str, tone: str = "") -> Markup:
    """A bar from low to high with a dot on it."""
    y = ROW / 2
    return _row(
        scale,
        element("line", x1=scale.at(low), x2=scale.at(high), y1=y, y2=y, class_=f"bar {tone}".strip()),
        element("circle", cx=scale.at(middle), cy=y, r=4.5, class_=f"dot {tone}".strip()),
        label=label,
    )


def times_row(scale: Scale, shares: Sequence[float], limit: float, *, label: str, is_late: bool) -> Markup:
    """Times of one team: thin from the shortest to the longest, thick for nine tenths, a dot for the median."""
    least, low, middle, high, most = shares
    y, tone = ROW / 2, "late" if is_late else ""
    return _row(
        scale,
        element("line", x1=scale.at(least), x2=scale.at(most), y1=y, y2=y, class_=f"thin {tone}".strip()),
        element("line", x1=scale.at(low), x2=scale.at(high), y1=y, y2=y, class_="bar"),
        element("circle", cx=scale.at(middle), cy=y, r=4.5, class_="dot"),
        element("line", x1=scale.at(most), x2=scale.at(most), y1=y - 5, y2=y + 5, class_=f"end {tone}".strip()),
        element("line", x1=scale.at(limit), x2=scale.at(limit), y1=0, y2=ROW, class_="limit"),
        label=label,
    )


def axis(scale: Scale, *, limit: tuple[float, str] | None = None) -> Markup:
    """The ticks under the rows; hidden from screen readers, as the numbers stand beside each row."""
    ticks = [_tick(scale.at(value), name) for value, name in scale.ticks]
    if limit is not None:
        ticks = [_tick(scale.at(value), name) for value, name in scale.ticks if not _near(scale, value, limit[0])]
        ticks.append(_tick(scale.at(limit[0]), limit[1], "limit-text"))
    return element("svg", ticks, class_="plot axis", height=AXIS, width="100%", aria_hidden="true")


def histogram(values: Sequence[float], scale: Scale, limit: float, *, label: str) -> Markup:
    """How often each duration came up, on a scale of tens, with the limit drawn in."""
    height = 110
    counts = [0] * BINS
    low, high = math.log(scale.low), math.log(scale.high)
    for value in values:
        share = (math.log(min(max(value, scale.low), scale.high)) - low) / (high - low)
        counts[min(BINS - 1, int(share * BINS))] += 1
    most = max(counts) or 1
    bars = []
    for index, count in enumerate(counts):
        if count:
            edge = math.exp(low + (high - low) * index / BINS)
            tall = max(2.0, (height - 6) * count / most)
            tone = "late" if edge >= limit else "close" if edge >= 0.5 * limit else ""
            place = {"x": f"{2 + 96 * index / BINS:.2f}%", "width": f"{0.86 * 96 / BINS:.2f}%"}
            bars.append(element("rect", **place, y=height - tall, height=tall, rx=2, class_=f"column {tone}".strip()))
    line = element("line", x1=scale.at(limit), x2=scale.at(limit), y1=0, y2=height, class_="limit")
    drawn = element("svg", bars, line, class_="plot", height=height, width="100%", role="img", aria_label=label)
    return element("div", drawn, axis(scale, limit=(limit, "limit")), class_="histogram")


def _row(scale: Scale, *shapes: Markup, label: str) -> Markup:
    grid = [
        element("line", x1=scale.at(value), x2=scale.at(value), y1=0, y2=ROW, class_="grid-line")
        for value, _ in scale.ticks
    ]
    return element("svg", grid, *shapes, class_="plot", height=ROW, width="100%", role="img", aria_label=label)


def _tick(x: str, name: str, class_: str | None = None) -> Markup:
    return element("text", name, x=x, y=AXIS - 6, text_anchor="middle", class_=class_)


def _near(scale: Scale, one: float, other: float) -> bool:
    return abs(float(scale.at(one)[:-1]) - float(scale.at(other)[:-1])) < 12

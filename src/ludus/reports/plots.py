"""Small plots for the terminal."""

from __future__ import annotations

from collections.abc import Mapping

EIGHTHS = " ▏▎▍▌▋▊▉"


def bar(share: float, width: int) -> str:
    """A bar of `share` of the width, to an eighth of a character."""
    eighths = round(max(0.0, min(1.0, share)) * width * 8)
    return "█" * (eighths // 8) + (EIGHTHS[eighths % 8] if eighths % 8 else "")


def binned(counts: Mapping[int, int], bins: int) -> list[tuple[int, int, int]]:
    """Counts gathered into at most so many equal ranges: (first, last, count) each, gaps included."""
    low, high = min(counts), max(counts)
    step = -(-(high - low + 1) // bins)
    found = [0] * (-(-(high - low + 1) // step))
    for value, times in counts.items():
        found[(value - low) // step] += times
    return [(low + i * step, min(high, low + (i + 1) * step - 1), times) for i, times in enumerate(found)]


def histogram(counts: Mapping[int, int], *, bins: int = 12, width: int = 40) -> list[str]:
    """A line for each range of values: the range, a bar, and its share of the whole."""
    rows = binned(counts, bins)
    total, most = sum(counts.values()), max(times for _, _, times in rows)
    labels = [str(first) if first == last else f"{first}–{last}" for first, last, _ in rows]
    room = max(map(len, labels))
    return [
        f"{label:>{room}} {bar(times / most, width):<{width}} {100 * times / total:5.1f} %"
        for label, (_, _, times) in zip(labels, rows, strict=True)
    ]

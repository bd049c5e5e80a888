"""Rows and columns of a board found from its areas, and laid out in characters of a terminal.

Scaling coordinates would let marks drift from their cells. Instead every row or column of cells becomes a
*track* with a whole number of characters, and what lies between two tracks becomes a gap of one or none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

NEAR = 0.25  # board units; what is nearer to a track than this touches it


class Span(NamedTuple):
    """An area along one axis: where it lies in board units, and how many characters it wants."""

    low: float
    high: float
    wants: int

    @property
    def middle(self) -> float:
        return (self.low + self.high) / 2


@dataclass(frozen=True, slots=True)
class Axis:
    """Tracks with their first characters; `length` is the whole board along this axis."""

    tracks: tuple[Span, ...]
    starts: tuple[int, ...]
    length: int

    def end(self, index: int) -> int:
        return self.starts[index] + self.tracks[index].wants

    def inside(self, low: float, high: float) -> list[int]:
        """The tracks whose middle lies between two coordinates."""
        return [index for index, track in enumerate(self.tracks) if low < track.middle < high]

    def characters(self, low: float, high: float) -> tuple[int, int]:
        """The characters of an area, from the first up to but not including the last."""
        covered = self.inside(low, high) or [self.nearest((low + high) / 2)]
        return self.starts[covered[0]], self.end(covered[-1])

    def nearest(self, value: float) -> int:
        return min(range(len(self.tracks)), key=lambda index: abs(self.tracks[index].middle - value))

    def track_at(self, value: float) -> int | None:
        """The track that a coordinate lies in, None between tracks and outside."""
        return next((i for i, track in enumerate(self.tracks) if track.low <= value <= track.high), None)

    def at(self, value: float) -> int:
        """The character of a point: in its track, or in the gap that it lies in."""
        index = self.track_at(value)
        if index is not None:
            track = self.tracks[index]
            if abs(value - track.middle) < 0.01:
                return self.starts[index] + (track.wants - 1) // 2
            share = (value - track.low) / (track.high - track.low)
            return self.starts[index] + min(track.wants - 1, int(share * track.wants))
        after = next((i for i, track in enumerate(self.tracks) if value < track.low), None)
        return self.end(len(self.tracks) - 1) if after is None else self.starts[after] - 1

    def is_before(self, value: float) -> bool:
        """Whether a point lies well before the first track: on the rim."""
        return value < self.tracks[0].low - NEAR


def lay_out(
    spans: Iterable[Span],
    *,
    framed: Sequence[tuple[float, float]],
    has_marks_between: bool,
    before: int,
) -> Axis:
    """The axis for areas with these spans.

    A gap of one character goes where tracks lie apart, on both sides of every span in `framed` (for the
    frame), and everywhere when marks stand between cells. `before` characters are left for labels.
    """
    tracks = _tracks(list(spans)) or [Span(0.0, 1.0, 1)]
    bare = Axis(tuple(tracks), tuple(0 for _ in tracks), 0)
    gaps = {0, len(tracks)} if has_marks_between else set()
    for low, high in framed:
        covered = bare.inside(low, high)
        if covered:
            gaps |= {covered[0], covered[-1] + 1}
    starts: list[int] = []
    position = before + (1 if 0 in gaps else 0)
    for index, track in enumerate(tracks):
        if index:
            is_apart = track.low - tracks[index - 1].high >= NEAR
            position += 1 if is_apart or has_marks_between or index in gaps else 0
        starts.append(position)
        position += track.wants
    return Axis(bare.tracks, tuple(starts), position + (1 if len(tracks) in gaps else 0))


def _tracks(spans: list[Span]) -> list[Span]:
    """Narrow areas make tracks, areas with the same middle share one, areas across several make none."""
    tracks: list[Span] = []
    for span in sorted(spans, key=lambda span: (round(span.high - span.low, 6), span.low)):
        crossed = [i for i, track in enumerate(tracks) if span.low < track.middle < span.high]
        if len(crossed) > 1:
            continue
        if crossed and abs(tracks[crossed[0]].middle - span.middle) < NEAR:
            track = tracks[crossed[0]]
            low, high = min(track.low, span.low), max(track.high, span.high)
            tracks[crossed[0]] = Span(low, high, max(track.wants, span.wants))
        else:
            tracks.append(span)
    return sorted(tracks, key=lambda track: track.middle)

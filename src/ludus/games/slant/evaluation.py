r"""What a position of Loopless Slant is worth, by weights fitted to games (`benchmarks/tuning/slant.py`).

The points so far, and for the rest three sums of weights, as the side to move sees it:

    circles   each open circle by its number, the touches it wants, and the free cells from which each side can touch it
    tempi     cells that one side only, or both, can fill without closing a circle or letting the other close one
    closings  how many circles each side could close at once

Around a point, the "/" of the first seat touches it from two cells and the "\" of the second seat from the other two:

    \ | /       Cells are moved to the columns of points, 13 to a row,
    --o--       so that the four cells around all points are four shifts of one plane.
    / | \
"""

from __future__ import annotations

from ludus.games.slant.rules import State
from ludus.games.slant.weights import CIRCLES, CLOSINGS, TEMPI

BEST = "tricky"  # far more points from those who look a few plies ahead, and about as many from alpha-beta

ROW, THREE_ROWS = 13, 39  # bits of a plane of points
PLANE = (1 << 52) - 1
FIRST_ROW = (1 << 13) - 1
MOST_LEAD, MOST_SHARED, MOST_CLOSINGS = 6, 8, 3


def in_columns_of_points(cells: int) -> int:
    return cells & 0xFFF | (cells & 0xFFF000) << 1 | (cells & 0xFFF000000) << 2 | (cells & 0xFFF000000000) << 3


def weigh(circles: int, near: int, both_near: int, far: int, both_far: int, at: int) -> int:
    """The weights of a set of circles; near and far are those that the mover and the other can still touch."""
    if circles == 0:
        return 0
    none, some, all_ = circles & ~near, circles & near & ~both_near, circles & both_near
    return (
        CIRCLES[at] * (none & ~far).bit_count()
        + CIRCLES[at + 1] * (none & far & ~both_far).bit_count()
        + CIRCLES[at + 2] * (none & both_far).bit_count()
        + CIRCLES[at + 3] * (some & ~far).bit_count()
        + CIRCLES[at + 4] * (some & far & ~both_far).bit_count()
        + CIRCLES[at + 5] * (some & both_far).bit_count()
        + CIRCLES[at + 6] * (all_ & ~far).bit_count()
        + CIRCLES[at + 7] * (all_ & far & ~both_far).bit_count()
        + CIRCLES[at + 8] * (all_ & both_far).bit_count()
    )


def worth_of_circles(
    lo: int,
    hi: int,
    number_lo: int,
    number_hi: int,
    first: int,
    both_first: int,
    second: int,
    both_second: int,
    mover: int,
) -> int:
    """The weights of all open circles in one word of points."""
    if lo | hi == 0:
        return 0
    near, both_near = (first, both_first) if mover == 0 else (second, both_second)
    far, both_far = (second, both_second) if mover == 0 else (first, both_first)
    one, two = lo & ~hi, hi & ~lo
    return (
        weigh(one & number_lo & ~number_hi, near, both_near, far, both_far, 0)
        + weigh(one & number_hi & ~number_lo, near, both_near, far, both_far, 9)
        + weigh(one & number_hi & number_lo, near, both_near, far, both_far, 18)
        + weigh(two & ~number_lo, near, both_near, far, both_far, 27)
        + weigh(two & number_lo, near, both_near, far, both_far, 36)
        + weigh(lo & hi, near, both_near, far, both_far, 45)
    )


def touching_first(points: int, points_below: int) -> int:
    """The cells from which the first seat touches any of these points."""
    return points >> 1 | points >> ROW | (points_below & FIRST_ROW) << THREE_ROWS


def touching_second(points: int, points_below: int) -> int:
    """The cells from which the second seat touches any of these points."""
    return points | (points >> ROW | (points_below & FIRST_ROW) << THREE_ROWS) >> 1


def quiet_lead(first: int, second: int) -> int:
    """How many cells of one word are quiet for the first seat only, less those for the second only."""
    return (first & ~second).bit_count() - (second & ~first).bit_count()


def tempi_of(lead: int, shared: int) -> int:
    """The place in its table of a lead in own quiet cells, and of those that are quiet for both; many keep parity."""
    shared = shared if shared < MOST_SHARED else MOST_SHARED - 2 + (shared & 1)
    return MOST_SHARED * (min(max(lead, -MOST_LEAD), MOST_LEAD) + MOST_LEAD) + shared


def closings_of(mine: int, theirs: int) -> int:
    """The place in its table of the circles that the mover and the other could close at once."""
    return (MOST_CLOSINGS + 1) * min(mine, MOST_CLOSINGS) + min(theirs, MOST_CLOSINGS)


def guess_at_rest(circles: int, by_first: int, by_second: int, lead: int, shared: int, mover: int) -> int:
    """The three sums as the first seat sees them.

    They are: the weights of circles as the mover sees them, those that each seat could close, the first seat's lead
    in quiet cells, and the quiet cells of both.
    """
    if mover == 0:
        return circles + CLOSINGS[closings_of(by_first, by_second)] + TEMPI[tempi_of(lead, shared)]
    return -circles - CLOSINGS[closings_of(by_second, by_first)] - TEMPI[tempi_of(-lead, shared)]


def evaluate(s: State) -> int:
    """1000 times the points so far, and the guess at the rest."""
    free0, free1, free2 = in_columns_of_points(s.free0), in_columns_of_points(s.free1), in_columns_of_points(s.free2)
    # For every point, the free cell above it and to the right; the other three lie beside that.
    above0, above1 = free0 << ROW & PLANE, (free1 << ROW | free0 >> THREE_ROWS) & PLANE
    above2, above3 = (free2 << ROW | free1 >> THREE_ROWS) & PLANE, free2 >> THREE_ROWS
    left0, left1, left2 = free0 << 1, free1 << 1, free2 << 1
    # Points that the first seat can touch, and the second.
    first0, first1, first2, first3 = above0 | left0, above1 | left1, above2 | left2, above3
    second0, second1, second2, second3 = above0 << 1 | free0, above1 << 1 | free1, above2 << 1 | free2, above3 << 1
    lo0, lo1, lo2, lo3, hi0, hi1, hi2, hi3 = s[6:14]
    circles = worth_of_circles(
        lo0, hi0, s.number_lo0, s.number_hi0, first0, above0 & left0, second0, above0 << 1 & free0, s.mover
    )
    circles += worth_of_circles(
        lo1, hi1, s.number_lo1, s.number_hi1, first1, above1 & left1, second1, above1 << 1 & free1, s.mover
    )
    circles += worth_of_circles(
        lo2, hi2, s.number_lo2, s.number_hi2, first2, above2 & left2, second2, above2 << 1 & free2, s.mover
    )
    circles += worth_of_circles(lo3, hi3, s.number_lo3, s.number_hi3, first3, 0, second3, 0, s.mover)

    one0, one1, one2, one3 = lo0 & ~hi0, lo1 & ~hi1, lo2 & ~hi2, lo3 & ~hi3
    two0, two1, two2, two3 = hi0 & ~lo0, hi1 & ~lo1, hi2 & ~lo2, hi3 & ~lo3
    by_first = (one0 & first0).bit_count() + (one1 & first1).bit_count() + (one2 & first2).bit_count()
    by_first += (one3 & first3).bit_count()
    by_second = (one0 & second0).bit_count() + (one1 & second1).bit_count() + (one2 & second2).bit_count()
    by_second += (one3 & second3).bit_count()

    # A touch is not quiet where it closes a circle, or leaves one that the other can close.
    hot0, hot1, hot2, hot3 = one0 | two0 & second0, one1 | two1 & second1, one2 | two2 & second2, one3 | two3 & second3
    quiet0, quiet1 = free0 & ~touching_first(hot0, hot1), free1 & ~touching_first(hot1, hot2)
    quiet2 = free2 & ~touching_first(hot2, hot3)
    hot0, hot1, hot2, hot3 = one0 | two0 & first0, one1 | two1 & first1, one2 | two2 & first2, one3 | two3 & first3
    other0, other1 = free0 & ~touching_second(hot0, hot1), free1 & ~touching_second(hot1, hot2)
    other2 = free2 & ~touching_second(hot2, hot3)
    lead = quiet_lead(quiet0, other0) + quiet_lead(quiet1, other1) + quiet_lead(quiet2, other2)
    shared = (quiet0 & other0).bit_count() + (quiet1 & other1).bit_count() + (quiet2 & other2).bit_count()
    rest = guess_at_rest(circles, by_first, by_second, lead, shared, s.mover)
    return 1000 * (s.first_gain - s.second_gain) + rest

"""What a position of Extreme Tic-Tac-Toe is worth, by tables fitted to games (`benchmarks/tuning/extreme.py`).

Five things are looked up and added, in logits of seat 0's share of the 68 points:

    blocks    how far X and O are in each block, for corner, edge and centre blocks
    lines     for each of the twelve patterns of blocks and each side, how far it is in the four blocks
    targets   how far the mover and the other are in the block that the mover is sent to
    choice    where the mover may go anywhere: in how many blocks each side needs one cell only
    lead      the points of the blocks held, by the number of blocks that are still open

How far a side is in an open block is a grade: patterns without an opposing mark in which one cell is missing (up to
two such patterns count) and two are missing (up to four). An open block is 16 * grade of X + grade of O.
"""

from __future__ import annotations

import math
from pathlib import Path

from ludus.games.extreme.rules import FULL, IS_BONUS, PATTERNS, State, worth
from ludus.games.nested.nine_evaluation import read_weights

ONES = 0o111111111111  # of twelve numbers of three bits, one for each pattern


def all_counts() -> tuple[int, ...]:
    """Marks in each of the twelve patterns, for all sets of sixteen cells: built from the sets of fewer cells."""
    counts = [0]
    for cell in range(16):
        through = sum(1 << 3 * k for k, pattern in enumerate(PATTERNS) if pattern >> cell & 1)
        counts += [count + through for count in counts]
    return tuple(counts)


COUNTS = all_counts()
GRADES, HOPELESS = 16, 15  # 5 * patterns that lack one cell + patterns that lack two; or no pattern is left
OPEN_BLOCKS = GRADES * GRADES
X_HAS, O_HAS, NOBODY_HAS, BLOCK_STATES = OPEN_BLOCKS, OPEN_BLOCKS + 1, OPEN_BLOCKS + 2, OPEN_BLOCKS + 3
CORNER, EDGE, CENTRE = 0, BLOCK_STATES, 2 * BLOCK_STATES  # where the tables of each kind of block begin

# How far a side is in a block, as lines see it.
LOST, FAR, NEARER, NEAR, ONE_CELL, TWO_WAYS, HELD, STANDINGS = 0, 1, 2, 3, 4, 5, 6, 7
LINE_STATES = STANDINGS**4
OUTER, INNER, DIAMOND = 0, LINE_STATES, 2 * LINE_STATES  # where the tables of each kind of line begin
THEIRS = 16  # bits to the left of ours


def standing(grade: int) -> int:
    if grade == HOPELESS:
        return LOST
    if grade >= 5:
        return TWO_WAYS if grade >= 10 else ONE_CELL
    return (FAR, NEARER, NEARER, NEAR, NEAR)[grade]


STANDING = (
    *(standing(x) | standing(o) << THEIRS for x in range(GRADES) for o in range(GRADES)),
    HELD,
    HELD << THEIRS,
    LOST,
)
CHOICES = 9  # blocks in which each side needs one cell, 0, 1 or more
LEADS, LEAD_STEP = 17, 5  # of points, in steps; an odd step rounds leads of both sides alike
SIZES = (3 * BLOCK_STATES, 3 * LINE_STATES, 2 * 3 * OPEN_BLOCKS, 2 * CHOICES, 17 * LEADS)
BLOCKS, LINES, TARGETS, CHOICE, LEAD = read_weights(Path(__file__).with_name("weights.bin"), *SIZES)
# The kind of each block, as 0, 1, 2.
KINDS = (0, 1, 1, 0, 1, 2, 2, 1, 1, 2, 2, 1, 0, 1, 1, 0)

UNIT = 256  # a logit
FARTHEST = 8 * UNIT  # beyond that, a game is as good as won
MOST = 67_999  # thousandths, less than a win
POINTS = tuple(round(MOST * math.tanh(z / UNIT / 2)) for z in range(-FARTHEST, FARTHEST + 1))


def grade(own: int, other: int) -> int:
    """How far a side is in an open block, from both sides' counts of marks in its patterns."""
    alive = ONES & ~(other | other >> 1)
    lacks_one, lacks_two = (own & own >> 1 & alive).bit_count(), (own >> 1 & ~own & alive).bit_count()
    return HOPELESS if alive == 0 else 5 * min(lacks_one, 2) + min(lacks_two, 4)


def block_at(s: State, b: int, x_word: int, o_word: int) -> int:
    """The state of block b, whose cells stand in the given words."""
    if s.open >> b & 1 == 0:
        return X_HAS if s.x_won >> b & 1 else O_HAS if s.o_won >> b & 1 else NOBODY_HAS
    shift = 16 * (b % 3)
    x, o = COUNTS[x_word >> shift & FULL], COUNTS[o_word >> shift & FULL]
    return GRADES * grade(x, o) + grade(o, x)


def line(a: int, b: int, c: int, d: int, kind: int) -> int:
    """What four blocks in a pattern are worth to X, less what they are worth to O."""
    both = ((a * STANDINGS + b) * STANDINGS + c) * STANDINGS + d
    return LINES[kind + (both & (1 << THEIRS) - 1)] - LINES[kind + (both >> THEIRS)]


def lead_of(s: State) -> int:
    """The place of the lead in points in its table."""
    lead = (worth(s.x_won) - worth(s.o_won) + LEAD_STEP // 2) // LEAD_STEP + LEADS // 2
    return LEADS * s.open.bit_count() + min(max(lead, 0), LEADS - 1)


def target_of(s: State, block: int, b: int) -> int:
    """The place in its table of the block that the mover is sent to, as the mover sees it."""
    seen = block if s.mover == 0 else block % GRADES * GRADES + block // GRADES
    return (3 if s.bonus == IS_BONUS else 0) * OPEN_BLOCKS + KINDS[b] * OPEN_BLOCKS + seen


def choice_of(s: State, near: int) -> int:
    """The place in its table of a free choice; `near` counts the blocks where X (and, above, O) lacks one cell."""
    x, o = min(near & 31, 2), min(near >> THEIRS, 2)
    return (CHOICES if s.bonus == IS_BONUS else 0) + (3 * x + o if s.mover == 0 else 3 * o + x)


def is_near(pair: int) -> int:
    """1 where X lacks one cell of a block, and 1 above where O does."""
    x, o = pair & 7, pair >> THEIRS
    return (1 if ONE_CELL <= x <= TWO_WAYS else 0) | (1 if ONE_CELL <= o <= TWO_WAYS else 0) << THEIRS


def evaluate(s: State) -> int:
    a, b, c = block_at(s, 0, s.x0, s.o0), block_at(s, 1, s.x0, s.o0), block_at(s, 2, s.x0, s.o0)
    d, e, f = block_at(s, 3, s.x1, s.o1), block_at(s, 4, s.x1, s.o1), block_at(s, 5, s.x1, s.o1)
    g, h, i = block_at(s, 6, s.x2, s.o2), block_at(s, 7, s.x2, s.o2), block_at(s, 8, s.x2, s.o2)
    j, k, m = block_at(s, 9, s.x3, s.o3), block_at(s, 10, s.x3, s.o3), block_at(s, 11, s.x3, s.o3)
    n, p, q = block_at(s, 12, s.x4, s.o4), block_at(s, 13, s.x4, s.o4), block_at(s, 14, s.x4, s.o4)
    r = block_at(s, 15, s.x5, s.o5)
    total = LEAD[lead_of(s)] + BLOCKS[a] + BLOCKS[d] + BLOCKS[n] + BLOCKS[r]
    total += BLOCKS[EDGE + b] + BLOCKS[EDGE + c] + BLOCKS[EDGE + e] + BLOCKS[EDGE + h]
    total += BLOCKS[EDGE + i] + BLOCKS[EDGE + m] + BLOCKS[EDGE + p] + BLOCKS[EDGE + q]
    total += BLOCKS[CENTRE + f] + BLOCKS[CENTRE + g] + BLOCKS[CENTRE + j] + BLOCKS[CENTRE + k]
    sign = 1 if s.mover == 0 else -1
    if s.targets & s.targets - 1 == 0:
        t = s.targets.bit_length() - 1
        # One of sixteen names: the block is worked out again, which is quicker than to choose among them.
        x_word = s.x0 if t < 3 else s.x1 if t < 6 else s.x2 if t < 9 else s.x3 if t < 12 else s.x4 if t < 15 else s.x5
        o_word = s.o0 if t < 3 else s.o1 if t < 6 else s.o2 if t < 9 else s.o3 if t < 12 else s.o4 if t < 15 else s.o5
        total += sign * TARGETS[target_of(s, block_at(s, t, x_word, o_word), t)]
    a, b, c, d, e, f = STANDING[a], STANDING[b], STANDING[c], STANDING[d], STANDING[e], STANDING[f]
    g, h, i, j, k, m = STANDING[g], STANDING[h], STANDING[i], STANDING[j], STANDING[k], STANDING[m]
    n, p, q, r = STANDING[n], STANDING[p], STANDING[q], STANDING[r]
    if s.targets & s.targets - 1:
        near = is_near(a) + is_near(b) + is_near(c) + is_near(d) + is_near(e) + is_near(f) + is_near(g) + is_near(h)
        near += is_near(i) + is_near(j) + is_near(k) + is_near(m) + is_near(n) + is_near(p) + is_near(q) + is_near(r)
        total += sign * CHOICE[choice_of(s, near)]
    total += line(a, b, c, d, OUTER) + line(n, p, q, r, OUTER) + line(a, e, i, n, OUTER) + line(d, h, m, r, OUTER)
    total += line(e, f, g, h, INNER) + line(i, j, k, m, INNER) + line(b, f, j, p, INNER) + line(c, g, k, q, INNER)
    total += line(b, e, g, j, DIAMOND) + line(c, h, f, k, DIAMOND)
    total += line(i, p, f, k, DIAMOND) + line(m, q, g, j, DIAMOND)
    return POINTS[min(max(total, -FARTHEST), FARTHEST) + FARTHEST]

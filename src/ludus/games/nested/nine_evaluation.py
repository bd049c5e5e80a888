"""How a position of the 9x9 games looks to the side to move: sums of tables that were fitted to games.

Three things are looked up and added, in logits of the expected payoff:

    blocks    what stands in each block, seen so that all corner blocks look alike, all edge blocks, the centre
    lines     for each of the eight lines of blocks, how far each side is in its three blocks (27 grades a block)
    targets   what stands in the block that the mover is sent to, or that the choice is free

A block is a number in base 3, a digit for each cell: 0 empty, 1 mine, 2 theirs. There are three tables of 3 ** 9
blocks, for corner, edge and centre, one after the other; an entry is 32 * weight + grade.
"""

from __future__ import annotations

import math
import zlib
from array import array
from pathlib import Path

from ludus.games.nested.nine import FULL, HAS_LINE, LINES, State

BLOCK_STATES = 3**9
GRADES = 27  # of a block: MINE, THEIRS, and 5 * (how far we are) + (how far they are)
MINE, THEIRS = 25, 26
LINE_STATES = GRADES**3
UNIT = 256  # a logit
STEPS, STEP = 2048, 2  # of the table that turns logits into payoffs
CORNER, EDGE, CENTRE = 0, 1, 2

# The eight symmetries of a 3x3 square: where each cell goes.
TURNS = tuple(
    tuple(3 * r + c for r, c in cells)
    for cells in (
        [(r, c) for r in range(3) for c in range(3)],
        [(r, 2 - c) for r in range(3) for c in range(3)],
        [(2 - r, c) for r in range(3) for c in range(3)],
        [(2 - r, 2 - c) for r in range(3) for c in range(3)],
        [(c, r) for r in range(3) for c in range(3)],
        [(c, 2 - r) for r in range(3) for c in range(3)],
        [(2 - c, r) for r in range(3) for c in range(3)],
        [(2 - c, 2 - r) for r in range(3) for c in range(3)],
    )
)
KINDS = (CORNER, EDGE, CORNER, EDGE, CENTRE, EDGE, CORNER, EDGE, CORNER)  # of the nine blocks
FIRST_OF_KIND = (0, 1, 4)
# For each block a turn of the board that takes it to the first block of its kind.
TURN_OF = tuple(next(turn for turn in TURNS if turn[block] == FIRST_OF_KIND[KINDS[block]]) for block in range(9))


def in_base_3(nine: int, turn: tuple[int, ...]) -> int:
    return sum(3 ** turn[cell] for cell in range(9) if nine >> cell & 1)


# The digits of my stones in each block, beginning at the block's own table; theirs count twice, less that.
OURS = tuple(BLOCK_STATES * KINDS[b] + in_base_3(nine, TURN_OF[b]) for b in range(9) for nine in range(512))
DIGITS = tuple(in_base_3(nine, TURN_OF[b]) * 2 for b in range(9) for nine in range(512))


def how_far(mine: int, theirs: int) -> int:
    """How near a side is to a line of a block that it has not won: 0 two ways in one move, 1 one way, ... 4 never."""
    missing = [(line & ~mine).bit_count() for line in LINES if line & theirs == 0]
    if 1 in missing:
        return 0 if missing.count(1) > 1 else 1
    if 2 in missing:
        return 2 if missing.count(2) > 2 else 3
    return 3 if missing else 4


def grade_of(mine: int, theirs: int) -> int:
    """The grade of a block with these stones."""
    if HAS_LINE[mine]:
        return MINE
    if HAS_LINE[theirs]:
        return THEIRS
    return 5 * how_far(mine, theirs) + how_far(theirs, mine)


def read_weights(file: Path, *sizes: int) -> list[tuple[int, ...]]:
    """The tables of a file of 16-bit numbers, one after the other."""
    numbers = array("h", zlib.decompress(file.read_bytes()))
    assert len(numbers) == sum(sizes), f"{file} holds {len(numbers)} weights"
    begins = [sum(sizes[:k]) for k in range(len(sizes))]
    return [tuple(numbers[begin : begin + size]) for begin, size in zip(begins, sizes, strict=True)]


def payoff_curve(greatest: int) -> tuple[int, ...]:
    """Payoffs in thousandths for all steps of logits, strictly between the losses and the wins of the game."""
    return tuple(round(greatest * math.tanh(STEP * (k - STEPS // 2) / UNIT / 2)) for k in range(STEPS))


def payoff_of(total: int, curve: tuple[int, ...], mover: int) -> int:
    """Seat 0's payoff where the mover has that many units of a logit."""
    mine = curve[min(max(total // STEP + STEPS // 2, 0), STEPS - 1)]
    return mine if mover == 0 else -mine


def block_at(s: State, blocks: tuple[int, ...], b: int) -> int:
    """The entry of one block, weight and grade."""
    if b < 7:
        return blocks[OURS[512 * b + (s.mine_lo >> 9 * b & FULL)] + DIGITS[512 * b + (s.theirs_lo >> 9 * b & FULL)]]
    shift = 9 * (b - 7)
    return blocks[OURS[512 * b + (s.mine_hi >> shift & FULL)] + DIGITS[512 * b + (s.theirs_hi >> shift & FULL)]]


def logit(s: State, blocks: tuple[int, ...], lines: tuple[int, ...]) -> int:
    """The blocks and lines of a position, added up."""
    a, b, c = block_at(s, blocks, 0), block_at(s, blocks, 1), block_at(s, blocks, 2)
    d, e, f = block_at(s, blocks, 3), block_at(s, blocks, 4), block_at(s, blocks, 5)
    g, h, i = block_at(s, blocks, 6), block_at(s, blocks, 7), block_at(s, blocks, 8)
    total = (a >> 5) + (b >> 5) + (c >> 5) + (d >> 5) + (e >> 5) + (f >> 5) + (g >> 5) + (h >> 5) + (i >> 5)
    a, b, c, d, e, f, g, h, i = a & 31, b & 31, c & 31, d & 31, e & 31, f & 31, g & 31, h & 31, i & 31
    return (
        total
        + lines[729 * a + 27 * b + c]
        + lines[729 * g + 27 * h + i]
        + lines[729 * a + 27 * d + g]
        + lines[729 * c + 27 * f + i]
        + lines[LINE_STATES + 729 * d + 27 * e + f]
        + lines[LINE_STATES + 729 * b + 27 * e + h]
        + lines[2 * LINE_STATES + 729 * a + 27 * e + i]
        + lines[2 * LINE_STATES + 729 * c + 27 * e + g]
    )

"""What training knows of the 9x9 games: their symmetries, and how far each side is in each block."""

from __future__ import annotations

from ludus.games.nested.nine import State
from ludus.games.nested.nine_evaluation import GRADES, TURNS, block_at

# The grades of the blocks say what is won, and the phase where the mover may go.
UNSEEN = ("mine_won", "theirs_won", "open", "targets")
QUARTERS = 4
# How many blocks are open, in quarters of the game: up to 4, 6, 8, and all nine.
QUARTER = tuple(min(max(blocks.bit_count() - 3, 0) // 2, QUARTERS - 1) for blocks in range(512))
PHASES = 10 * QUARTERS


def turned_nine(nine: int, turn: tuple[int, ...]) -> int:
    """Nine bits, each in its new place."""
    return sum(1 << turn[k] for k in range(9) if nine >> k & 1)


def turned_cells(lo: int, hi: int, turn: tuple[int, ...]) -> tuple[int, int]:
    """The 81 cells in two words, each block and each cell in its new place."""
    board = lo | hi << 63
    new = 0
    for block in range(9):
        new |= turned_nine(board >> 9 * block & 0o777, turn) << 9 * turn[block]
    return new & (1 << 63) - 1, new >> 63


def symmetries(s: State) -> tuple[State, ...]:
    """The eight positions that differ from this one by a turn or a mirror only, this one first."""
    return tuple(
        State(
            *turned_cells(s.mine_lo, s.mine_hi, turn),
            *turned_cells(s.theirs_lo, s.theirs_hi, turn),
            turned_nine(s.mine_won, turn),
            turned_nine(s.theirs_won, turn),
            turned_nine(s.open, turn),
            turned_nine(s.targets, turn),
            s.mover,
        )
        for turn in TURNS
    )


def grade_words(s: State, blocks: tuple[int, ...]) -> tuple[int, int, int, int, int]:
    """The grade of each block as one bit of 27, two blocks to a word.

    `blocks` is the table of the evaluation: where it is asked too, the compiler looks everything up only once.
    """
    return (
        grade_bit(s, blocks, 0) | grade_bit(s, blocks, 1) << GRADES,
        grade_bit(s, blocks, 2) | grade_bit(s, blocks, 3) << GRADES,
        grade_bit(s, blocks, 4) | grade_bit(s, blocks, 5) << GRADES,
        grade_bit(s, blocks, 6) | grade_bit(s, blocks, 7) << GRADES,
        grade_bit(s, blocks, 8),
    )


def grade_bit(s: State, blocks: tuple[int, ...], b: int) -> int:
    return 1 << (block_at(s, blocks, b) & 31)


def phase(s: State) -> int:
    """The block that the mover must play in, or that there is a choice, in each quarter of the game."""
    block = 9 if s.targets & s.targets - 1 else s.targets.bit_length() - 1
    return QUARTERS * block + QUARTER[s.open]

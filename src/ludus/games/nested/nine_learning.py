"""What training knows of the 9x9 games: their symmetries, and how far each side is in each block."""

from __future__ import annotations

from ludus.games.nested.nine import FULL, State
from ludus.games.nested.nine_evaluation import BLOCK_STATES, GRADES, TURNS, in_base_3

IN_BASE_3 = tuple(in_base_3(nine, TURNS[0]) for nine in range(512))


def grades_in(blocks: tuple[int, ...]) -> tuple[int, ...]:
    """The grade of every block in base 3, out of the table of an evaluation; its first part is of a corner, unturned."""
    return tuple(entry & 31 for entry in blocks[:BLOCK_STATES])


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


def grade_words(s: State, grades: tuple[int, ...]) -> tuple[int, int, int, int, int]:
    """The grade of each block as one bit of 27, two blocks to a word; `grades` is that of every block in base 3."""
    return (
        grade_bit(s.mine_lo, s.theirs_lo, grades) | grade_bit(s.mine_lo >> 9, s.theirs_lo >> 9, grades) << GRADES,
        grade_bit(s.mine_lo >> 18, s.theirs_lo >> 18, grades)
        | grade_bit(s.mine_lo >> 27, s.theirs_lo >> 27, grades) << GRADES,
        grade_bit(s.mine_lo >> 36, s.theirs_lo >> 36, grades)
        | grade_bit(s.mine_lo >> 45, s.theirs_lo >> 45, grades) << GRADES,
        grade_bit(s.mine_lo >> 54, s.theirs_lo >> 54, grades) | grade_bit(s.mine_hi, s.theirs_hi, grades) << GRADES,
        grade_bit(s.mine_hi >> 9, s.theirs_hi >> 9, grades),
    )


def grade_bit(mine: int, theirs: int, grades: tuple[int, ...]) -> int:
    """The bit of the block in the lowest nine cells."""
    return 1 << grades[IN_BASE_3[mine & FULL] + 2 * IN_BASE_3[theirs & FULL]]

"""Extreme Tic-Tac-Toe: 4x4 blocks of 4x4 cells; rows, columns and diamonds win; a won block gives a bonus move.

A move is 16 * block + cell, blocks and cells counted row by row. Each side's 256 bits stand in six words of
three blocks each, so that a block never straddles two words:

    word w  bit 47               32                   16                    0
            | block 3 * w + 2     | block 3 * w + 1    | block 3 * w         |     (word 5: block 15 alone)

    one block, as bits of its sixteen:    0  1  2  3
                                          4  5  6  7
                                          8  9 10 11
                                         12 13 14 15
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ludus.games.nested.cells import cell_name, why_not_here

NAME = "Extreme Tic-Tac-Toe"
MOVES = 256
WORD = 48
FULL = 0xFFFF
CORNERS, EDGES, CENTRES = 0x9009, 0x6996, 0x0660  # of the sixteen blocks
# What wins, cells or blocks: rows, columns, diamonds. `has_pattern` looks for all at once.
PATTERNS = (
    *(0xF << 4 * row for row in range(4)),
    *(0x1111 << column for column in range(4)),
    *(0x0252 << corner for corner in (0, 1, 4, 5)),  # diamonds
)
WIN = 68  # the points of a won game, and the worth of all blocks together
NO_BONUS, MAY_EARN, IS_BONUS = 0, 1, 2


class State(NamedTuple):
    x0: int  # stones of X, the first seat
    x1: int
    x2: int
    x3: int
    x4: int
    x5: int
    o0: int  # stones of O
    o1: int
    o2: int
    o3: int
    o4: int
    o5: int
    x_won: int  # blocks won, sixteen bits
    o_won: int
    open: int  # blocks neither won nor full
    targets: int  # blocks that the next move may go to; none once the game is over
    mover: int  # the seat to move
    bonus: int  # NO_BONUS: rules without; MAY_EARN: a won block earns a move; IS_BONUS: this move is one


def start(bonus: bool = True) -> State:
    if type(bonus) is not bool:
        raise ValueError(f"bonus is true or false, not {str(bonus)[:20]!r}")
    return State(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, FULL, FULL, 0, MAY_EARN if bonus else NO_BONUS)


def instance(s: State) -> dict[str, Any]:
    return {"bonus": s.bonus != NO_BONUS}


def turn(s: State) -> int:
    return s.mover


def cells_of(three: int) -> int:
    """All cells of the blocks in a set of three."""
    return (three & 1 | (three & 2) << 15 | (three & 4) << 30) * FULL


def moves(s: State) -> tuple[int, int, int, int, int, int]:
    return (
        cells_of(s.targets & 7) & ~(s.x0 | s.o0),
        cells_of(s.targets >> 3 & 7) & ~(s.x1 | s.o1),
        cells_of(s.targets >> 6 & 7) & ~(s.x2 | s.o2),
        cells_of(s.targets >> 9 & 7) & ~(s.x3 | s.o3),
        cells_of(s.targets >> 12 & 7) & ~(s.x4 | s.o4),
        cells_of(s.targets >> 15 & 1) & ~(s.x5 | s.o5),
    )


def has_pattern(b: int) -> bool:
    """Whether sixteen bits hold a full row, column or diamond; the same for cells and for blocks."""
    rows = b & b >> 1 & b >> 2 & b >> 3 & 0x1111
    columns = b & b >> 4 & b >> 8 & b >> 12 & 0xF
    diamonds = b >> 1 & b >> 4 & b >> 6 & b >> 9 & 0x33  # named by the upper left corner of their 3x3
    return rows | columns | diamonds != 0


def play(s: State, m: int) -> State:
    block, cell = m // 16, m % 16
    word, shift = block // 3, 16 * (block % 3)
    index = word + 6 * s.mover  # of the word that gets the stone, among the twelve
    bit = 1 << shift + cell
    mine = (s[index] | bit) >> shift & FULL
    theirs = s[word + 6 - 6 * s.mover] >> shift & FULL
    x_won, o_won, still_open = s.x_won, s.o_won, s.open
    is_over, takes_block = False, has_pattern(mine)
    if takes_block:
        still_open &= ~(1 << block)
        if s.mover == 0:
            x_won |= 1 << block
            is_over = has_pattern(x_won)
        else:
            o_won |= 1 << block
            is_over = has_pattern(o_won)
    elif mine | theirs == FULL:
        still_open &= ~(1 << block)
    targets = 1 << cell & still_open
    if targets == 0:
        targets = still_open
    if is_over:
        targets = 0
    mover, bonus = 1 - s.mover, s.bonus
    if takes_block and bonus == MAY_EARN:
        mover, bonus = s.mover, IS_BONUS
    elif bonus == IS_BONUS:
        bonus = MAY_EARN
    return State(
        s.x0 | (bit if index == 0 else 0),
        s.x1 | (bit if index == 1 else 0),
        s.x2 | (bit if index == 2 else 0),
        s.x3 | (bit if index == 3 else 0),
        s.x4 | (bit if index == 4 else 0),
        s.x5 | (bit if index == 5 else 0),
        s.o0 | (bit if index == 6 else 0),
        s.o1 | (bit if index == 7 else 0),
        s.o2 | (bit if index == 8 else 0),
        s.o3 | (bit if index == 9 else 0),
        s.o4 | (bit if index == 10 else 0),
        s.o5 | (bit if index == 11 else 0),
        x_won,
        o_won,
        still_open,
        targets,
        mover,
        bonus,
    )


def worth(blocks: int) -> int:
    """The points of blocks when nobody has made a pattern of them."""
    return 6 * (blocks & CORNERS).bit_count() + 4 * (blocks & EDGES).bit_count() + 3 * (blocks & CENTRES).bit_count()


def result(s: State) -> int | None:
    """The difference of points."""
    if s.targets:
        return None
    if has_pattern(s.x_won):
        return WIN
    if has_pattern(s.o_won):
        return -WIN
    return worth(s.x_won) - worth(s.o_won)


def payoffs(_s: State) -> tuple[int, int]:
    return -WIN, WIN


def move_name(m: int) -> str:
    return cell_name(m, 4)


def why_not(s: State, m: int) -> str:
    block = m // 16
    word, bit = divmod(m, WORD)
    won = (s.x_won | s.o_won) >> block & 1
    return why_not_here(
        m,
        4,
        finished="won" if won else "full" if not s.open >> block & 1 else "",
        target_blocks=[b for b in range(16) if s.targets >> b & 1],
        is_taken=bool((s[word] | s[word + 6]) >> bit & 1),
    )

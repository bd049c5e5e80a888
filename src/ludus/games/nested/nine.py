"""The 9x9 board as bits, for the games that differ only in where a move sends the opponent.

A move is 9 * block + cell, blocks and cells counted row by row. 81 bits need two words: cells of blocks
0 to 6 are bits of the `lo` words, cells of blocks 7 and 8 bits of the `hi` words.

    lo  bit 62        54   45   36   27   18    9         0      hi  bit 17      9         0
        | block 6 | ... 5 | 4  | 3  | 2  | 1 | block 0 |            | block 8 | block 7 |

    one block, as bits of its nine:   0 1 2
                                      3 4 5
                                      6 7 8

The side to move is always "mine": `play` hands the board over by swapping the words.
"""

from __future__ import annotations

from typing import NamedTuple

from ludus.games.nested.cells import why_not_here

MOVES = 81
ALL_BLOCKS = 0o777
FULL = 0o777
LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
HAS_LINE = tuple(any(nine & line == line for line in LINES) for nine in range(512))
# The cells of a set of blocks, as the two words.
CELLS_LO = tuple(sum(FULL << 9 * b for b in range(7) if blocks >> b & 1) for blocks in range(512))
CELLS_HI = tuple(sum(FULL << 9 * b for b in range(2) if blocks >> b + 7 & 1) for blocks in range(512))


class State(NamedTuple):
    mine_lo: int  # stones of the side to move
    mine_hi: int
    theirs_lo: int  # stones of the other side
    theirs_hi: int
    mine_won: int  # blocks won, nine bits
    theirs_won: int
    open: int  # blocks neither won nor full
    targets: int  # blocks that the next move may go to; none once the game is over
    mover: int  # the seat to move


def empty_board() -> State:
    return State(0, 0, 0, 0, 0, 0, ALL_BLOCKS, ALL_BLOCKS, 0)


def moves(s: State) -> tuple[int, int]:
    return (
        CELLS_LO[s.targets] & ~(s.mine_lo | s.theirs_lo),
        CELLS_HI[s.targets] & ~(s.mine_hi | s.theirs_hi),
    )


def place(s: State, m: int, sent_to: int) -> State:
    """Put the mover's stone on m; the opponent goes to the open ones of the blocks `sent_to`, else to any."""
    block = m // 9
    lo, hi = s.mine_lo, s.mine_hi
    if block < 7:
        lo |= 1 << m
        mine = lo >> 9 * block & FULL
        theirs = s.theirs_lo >> 9 * block & FULL
    else:
        hi |= 1 << m - 63
        mine = hi >> 9 * (block - 7) & FULL
        theirs = s.theirs_hi >> 9 * (block - 7) & FULL
    won, still_open = s.mine_won, s.open
    if HAS_LINE[mine]:
        won |= 1 << block
        still_open &= ~(1 << block)
        if HAS_LINE[won]:
            return State(s.theirs_lo, s.theirs_hi, lo, hi, s.theirs_won, won, still_open, 0, 1 - s.mover)
    elif mine | theirs == FULL:
        still_open &= ~(1 << block)
    targets = sent_to & still_open
    if targets == 0:
        targets = still_open
    return State(s.theirs_lo, s.theirs_hi, lo, hi, s.theirs_won, won, still_open, targets, 1 - s.mover)


def stones(s: State) -> tuple[int, int]:
    """All stones of X and of O as bit sets over the 81 moves, for people's eyes."""
    mine, theirs = s.mine_lo | s.mine_hi << 63, s.theirs_lo | s.theirs_hi << 63
    return (mine, theirs) if s.mover == 0 else (theirs, mine)


def blocks_won(s: State) -> tuple[int, int]:
    """The blocks that X and that O hold, nine bits each."""
    return (s.mine_won, s.theirs_won) if s.mover == 0 else (s.theirs_won, s.mine_won)


def why_not(s: State, m: int) -> str:
    x, o = stones(s)
    block = 1 << m // 9
    won = (s.mine_won | s.theirs_won) & block
    return why_not_here(
        m,
        3,
        finished="won" if won else "full" if not s.open & block else "",
        target_blocks=[b for b in range(9) if s.targets >> b & 1],
        is_taken=bool((x | o) >> m & 1),
    )

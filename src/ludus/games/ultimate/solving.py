"""Ultimate Tic-Tac-Toe for exact solving: the same game, with all that no longer matters left out."""

from __future__ import annotations

from ludus.games.nested.nine import CELLS_HI, CELLS_LO, FULL, HAS_LINE, LINES, State
from ludus.games.ultimate.evaluation import evaluate
from ludus.games.ultimate.rules import MOVES, moves, play, result, start, turn

__all__ = ["MOVES", "State", "core", "evaluate", "moves", "payoffs", "play", "reduced", "result", "start", "turn"]

# Whether a side can still make a line among nine, given what the other side holds of them.
CAN_WIN = tuple(any(nine & line == 0 for line in LINES) for nine in range(512))
# The members of nine that would complete a line of those held; the ones held already may be among them.
COMPLETES = tuple(
    sum(1 << k for k in range(9) if any(line >> k & 1 and (nine | 1 << k) & line == line for line in LINES))
    for nine in range(512)
)
# The members of the lines that lie within a set of nine.
IN_LINES = tuple(
    sum(1 << k for k in range(9) if any(line >> k & 1 and nine & line == line for line in LINES)) for nine in range(512)
)


def reduced(s: State) -> State:
    """The position of this game that is worth as much as a position of the rules."""
    return s


def winnable(lo: int, hi: int) -> int:
    """The blocks in which these stones leave the other side a line."""
    return (
        CAN_WIN[lo & FULL]
        | CAN_WIN[lo >> 9 & FULL] << 1
        | CAN_WIN[lo >> 18 & FULL] << 2
        | CAN_WIN[lo >> 27 & FULL] << 3
        | CAN_WIN[lo >> 36 & FULL] << 4
        | CAN_WIN[lo >> 45 & FULL] << 5
        | CAN_WIN[lo >> 54 & FULL] << 6
        | CAN_WIN[hi & FULL] << 7
        | CAN_WIN[hi >> 9 & FULL] << 8
    )


def wins_at_once(s: State) -> bool:
    """Whether the mover has a move that ends the game."""
    blocks = COMPLETES[s.mine_won] & s.targets
    while blocks:
        block = (blocks & -blocks).bit_length() - 1
        blocks &= blocks - 1
        shift = 9 * block if block < 7 else 9 * (block - 7)
        mine = (s.mine_lo if block < 7 else s.mine_hi) >> shift & FULL
        theirs = (s.theirs_lo if block < 7 else s.theirs_hi) >> shift & FULL
        if COMPLETES[mine] & ~theirs & ~mine:
            return True
    return False


def payoffs(s: State) -> tuple[int, int]:
    """A side that has no line of blocks left to make cannot win; a move that wins at once does."""
    if wins_at_once(s):
        return (1, 1) if s.mover == 0 else (-1, -1)
    mine = HAS_LINE[s.mine_won | s.open & winnable(s.theirs_lo, s.theirs_hi)]
    theirs = HAS_LINE[s.theirs_won | s.open & winnable(s.mine_lo, s.mine_hi)]
    if s.mover == 0:
        return -1 if theirs else 0, 1 if mine else 0
    return -1 if mine else 0, 1 if theirs else 0


def core(s: State) -> State:
    """Stones matter in open blocks only, and where no line can be made any more, only that there is a stone.

    Won blocks matter as parts of lines that can still be made.
    """
    for_me, for_them = s.open & winnable(s.theirs_lo, s.theirs_hi), s.open & winnable(s.mine_lo, s.mine_hi)
    dead = s.open & ~for_me & ~for_them
    lo, hi = CELLS_LO[s.open], CELLS_HI[s.open]
    dead_lo, dead_hi = CELLS_LO[dead], CELLS_HI[dead]
    mine_lo, mine_hi = s.mine_lo & lo, s.mine_hi & hi
    theirs_lo, theirs_hi = s.theirs_lo & lo, s.theirs_hi & hi
    return State(
        mine_lo | theirs_lo & dead_lo,
        mine_hi | theirs_hi & dead_hi,
        theirs_lo & ~dead_lo,
        theirs_hi & ~dead_hi,
        s.mine_won & IN_LINES[s.mine_won | for_me],
        s.theirs_won & IN_LINES[s.theirs_won | for_them],
        s.open,
        s.targets,
        s.mover,
    )

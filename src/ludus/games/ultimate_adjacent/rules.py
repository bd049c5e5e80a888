"""Ultimate Tic-Tac-Toe, adjacent: a move sends the opponent to the blocks beside the one it names."""

from __future__ import annotations

from ludus.games.nested.cells import cell_name
from ludus.games.nested.nine import HAS_LINE, MOVES, State, empty_board, moves, place, why_not

__all__ = ["MOVES", "NAME", "State", "move_name", "moves", "payoffs", "play", "result", "start", "turn", "why_not"]

NAME = "Ultimate Tic-Tac-Toe, adjacent blocks"
# For each cell of a block, row by row, the set of blocks that it sends to.
SENDS_TO = tuple(
    sum(1 << block for block in blocks)
    for blocks in ((1, 3), (0, 2), (1, 5), (0, 6), (4,), (2, 8), (3, 7), (6, 8), (5, 7))
)
CENTRES_LO = 0o020_020_020_020_020_020_020
CENTRES_HI = 0o020_020


def start() -> State:
    return empty_board()


def turn(s: State) -> int:
    return s.mover


def play(s: State, m: int) -> State:
    return place(s, m, SENDS_TO[m % 9])


def result(s: State) -> int | None:
    """The difference of points: 3 for a line; else 1 for more blocks, or for more centre cells."""
    if s.targets:
        return None
    sign = 1 if s.mover else -1  # of what is good for the side that has just moved
    if HAS_LINE[s.theirs_won]:
        return 3 * sign
    lead = s.theirs_won.bit_count() - s.mine_won.bit_count()
    if lead == 0:
        lead = (
            (s.theirs_lo & CENTRES_LO).bit_count()
            + (s.theirs_hi & CENTRES_HI).bit_count()
            - (s.mine_lo & CENTRES_LO).bit_count()
            - (s.mine_hi & CENTRES_HI).bit_count()
        )
    if lead == 0:
        return 0
    return sign if lead > 0 else -sign


def payoffs(_s: State) -> tuple[int, int]:
    return -3, 3


def move_name(m: int) -> str:
    return cell_name(m, 3)

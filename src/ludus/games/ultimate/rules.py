"""Ultimate Tic-Tac-Toe: the cell of a move names the block that the opponent must play in."""

from __future__ import annotations

from ludus.games.nested.cells import cell_name
from ludus.games.nested.nine import HAS_LINE, MOVES, State, empty_board, moves, place, why_not

__all__ = ["MOVES", "NAME", "State", "move_name", "moves", "payoffs", "play", "result", "start", "turn", "why_not"]

NAME = "Ultimate Tic-Tac-Toe"


def start() -> State:
    return empty_board()


def turn(s: State) -> int:
    return s.mover


def play(s: State, m: int) -> State:
    return place(s, m, 1 << m % 9)


def result(s: State) -> int | None:
    if s.targets:
        return None
    if HAS_LINE[s.theirs_won]:  # only the side that has just moved can have made a line
        return 1 if s.mover else -1
    return 0


def payoffs(_s: State) -> tuple[int, int]:
    return -1, 1


def move_name(m: int) -> str:
    return cell_name(m, 3)

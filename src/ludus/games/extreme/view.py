"""What Extreme Tic-Tac-Toe looks like."""

from __future__ import annotations

from ludus.games.extreme.rules import IS_BONUS, WIN, WORD, State, has_pattern, result, worth
from ludus.games.nested.board_view import NAMES, Board, nested_view, to_move
from ludus.picture import View


def view(s: State) -> View:
    x = sum(word << WORD * index for index, word in enumerate(s[:6]))
    o = sum(word << WORD * index for index, word in enumerate(s[6:12]))
    board = Board(4, (x, o), (s.x_won, s.o_won), s.open, s.targets)
    status = _ending(s) or to_move(board, s.mover, is_bonus=s.bonus == IS_BONUS)
    return nested_view(board, status=status, is_line=has_pattern)


def _ending(s: State) -> str:
    payoff = result(s)
    if payoff is None:
        return ""
    x_worth, o_worth = worth(s.x_won), worth(s.o_won)
    if payoff == 0:
        return f"Draw, {x_worth}–{o_worth}"
    winner = NAMES[payoff < 0]
    if abs(payoff) == WIN and (has_pattern(s.x_won) or has_pattern(s.o_won)):
        return f"{winner} wins with a pattern, {WIN}–0"
    return f"{winner} wins on points, {max(x_worth, o_worth)}–{min(x_worth, o_worth)}"

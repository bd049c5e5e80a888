"""What Ultimate Tic-Tac-Toe with adjacent blocks looks like."""

from __future__ import annotations

from ludus.games.nested.board_view import NAMES
from ludus.games.nested.nine import blocks_won
from ludus.games.nested.nine_view import nine_view
from ludus.games.ultimate_adjacent.rules import State, result
from ludus.picture import View


def view(s: State) -> View:
    return nine_view(s, ending=_ending(s))


def _ending(s: State) -> str:
    payoff = result(s)
    if payoff is None:
        return ""
    if payoff == 0:
        return "Draw, 1–1"
    winner, (x_won, o_won) = NAMES[payoff < 0], blocks_won(s)
    if abs(payoff) == 3:
        return f"{winner} wins with a line, 3–0"
    decided_by = "centre cells" if x_won.bit_count() == o_won.bit_count() else "blocks"
    return f"{winner} wins on {decided_by}, 2–1"

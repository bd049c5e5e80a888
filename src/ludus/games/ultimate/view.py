"""What Ultimate Tic-Tac-Toe looks like."""

from __future__ import annotations

from ludus.games.nested.board_view import NAMES
from ludus.games.nested.nine_view import nine_view
from ludus.games.ultimate.rules import State, result
from ludus.picture import View


def view(s: State) -> View:
    payoff = result(s)
    if payoff is None:
        return nine_view(s, ending="")
    return nine_view(s, ending="Draw" if payoff == 0 else f"{NAMES[payoff < 0]} wins")

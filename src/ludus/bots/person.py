"""A person as a player: asked for a move as often as it takes, without a clock."""

from __future__ import annotations

import time
from collections.abc import Callable

from ludus.bots.player import Choice, Failure, Setup, Turn
from ludus.errors import MoveError
from ludus.sandbox.process import Evidence, Level, Spent

GOODBYES = ("quit", "resign", "q")

AskPerson = Callable[[Turn, str], "str | None"]
"""Shows the turn and a complaint about the last try; gives what the person typed, None when nobody is there."""


class Person:
    """Somebody at this terminal, or wherever `ask` finds them."""

    level: Level = "trusted"
    is_timed = False

    def __init__(self, ask: AskPerson, *, name: str = "human") -> None:
        self.ask, self.name = ask, name

    def begin(self, _setup: Setup) -> Failure | None:
        return None

    def choose(self, turn: Turn) -> Choice:
        complaint, begin = "", time.perf_counter()
        while True:
            text = self.ask(turn, complaint)
            spent = Spent(wall_s=time.perf_counter() - begin)
            if text is None or text.strip().lower() in GOODBYES:
                return Choice(None, Failure("protocol", f"{self.name} left the game"), spent)
            try:
                return Choice(turn.game.legal_move(turn.state, text.strip()), None, spent)
            except MoveError as error:
                complaint = str(error)

    def evidence(self) -> Evidence:
        return Evidence()

    def close(self) -> None:
        """People are not ended."""

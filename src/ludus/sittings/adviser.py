"""Hints and evaluations from a process of its own, so that nobody who looks at the screen waits for a search."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

from ludus.agents.analysis import Analysis
from ludus.rules import Game
from ludus.sittings.engine import Engine, Question, first_chance

__all__ = ["Adviser", "first_chance"]


class Adviser:
    """Thinks about positions of one game; whoever asks anew no longer waits for what was asked before."""

    def __init__(self, game: Game, options: dict[str, Any]) -> None:
        self.game, self.options = game, options
        self._engine: Engine | None = None

    def think(self, moves: list[int], *, turn: int, seconds: float, lines: int = 3) -> Future[Analysis]:
        """The best lines after the moves, where `turn` is to move."""
        if self._engine is None or not self._engine.is_alive:
            self._engine = Engine(self.game)
        names = [self.game.move_name(move) for move in moves]
        return self._engine.think(Question(names, turn, seconds, options=self.options, lines=lines))

    def close(self) -> None:
        """Nothing of it is left, at the latest with this process."""
        if self._engine is not None:
            self._engine.close()

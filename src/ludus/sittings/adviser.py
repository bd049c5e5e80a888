"""Hints and evaluations from a process of its own, so that nobody who looks at the screen waits for a search."""

from __future__ import annotations

import json
import sys
from concurrent.futures import Future
from typing import Any

from ludus.agents.analysis import Analysis, Variation
from ludus.errors import AgentError
from ludus.rules import GAMES_FOLDER, Game
from ludus.sandbox.process import Process
from ludus.sandbox.trusted import trusted_program
from ludus.sittings.desk import Desk

AGENT = "best"
LONGEST_S = 300.0  # the first start ever compiles the search


class Adviser:
    """Thinks about positions of one game, one after the other."""

    def __init__(self, game: Game, options: dict[str, Any]) -> None:
        self.game, self.options = game, options
        self._process: Process | None = None
        self._desk = Desk("adviser")

    def think(self, moves: list[int], *, turn: int, seconds: float, lines: int = 3) -> Future[Analysis]:
        """The best lines after the moves, where `turn` is to move."""
        names = [self.game.move_name(move) for move in moves]
        request = {"options": self.options, "moves": names, "seconds": seconds, "lines": lines}
        return self._desk.do(lambda: self._think(request, turn))

    def close(self) -> None:
        """Nothing of it is left, at the latest with this process."""
        self._desk.do(self._leave)
        self._desk.close()

    # ---- on the desk's thread

    def _think(self, request: dict[str, Any], turn: int) -> Analysis:
        if self._process is None or not self._process.is_alive:
            rules = self.game.name if self.game.path.is_relative_to(GAMES_FOLDER) else str(self.game.path)
            self._process = trusted_program([sys.executable, "-m", "ludus.sittings.advising", rules, AGENT])
        reply = self._process.ask(json.dumps(request).encode() + b"\n", limit_s=LONGEST_S)
        if reply.kind != "answer":
            said = self._process.evidence.stderr.strip().splitlines()
            self._leave()
            raise AgentError(f"no hint can be had: {said[-1][:200] if said else reply.reason}")
        found = json.loads(reply.answer)
        lines = tuple(
            Variation(tuple(one["line"]), one["score"], one["is_exact"], one["chance"]) for one in found["lines"]
        )
        return Analysis(AGENT, turn, lines, depth=found["depth"])

    def _leave(self) -> None:
        if self._process is not None:
            self._process.close()
        self._process = None


def first_chance(analysis: Analysis) -> float:
    """The chance of seat 0, 0 to 1."""
    chance = analysis.lines[0].chance
    return chance if analysis.turn == 0 else 1 - chance

"""What a move may still cost, for agents that spend it on several things one after the other."""

from __future__ import annotations

import time
from typing import TypedDict

from ludus.agents.agent import Budget


class Limits(TypedDict):
    seconds: float | None
    nodes: int | None


class Purse:
    """What is left of the budget for a move."""

    def __init__(self, budget: Budget) -> None:
        self.begin, self.spent, self.is_closed = time.perf_counter(), 0, False
        self.seconds, self.nodes = budget.thinking_seconds, budget.nodes

    def part(self, part: float = 1.0) -> Limits:
        """That part of what is left."""
        if self.is_closed:
            return {"seconds": 0.0, "nodes": 1}
        seconds = None if self.seconds is None else part * max(0.0, self.seconds - self.gone)
        nodes = None if self.nodes is None else max(1, int(part * (self.nodes - self.spent)))
        return {"seconds": seconds, "nodes": nodes}

    @property
    def is_empty(self) -> bool:
        is_late = self.seconds is not None and self.gone >= self.seconds
        return self.is_closed or is_late or (self.nodes is not None and self.spent >= self.nodes)

    @property
    def gone(self) -> float:
        return time.perf_counter() - self.begin

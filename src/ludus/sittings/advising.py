"""The process that thinks for hints and the evaluation bar: a line of JSON with a position in, its best lines out."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

from ludus.agents.agent import Budget
from ludus.agents.analysis import Analysis, Analyst
from ludus.agents.naming import make_agent
from ludus.rules import Game, follow, load_game


def answer(game: Game, agent: Any, request: dict[str, Any]) -> dict[str, Any]:
    """What is known of the position after so many seconds."""
    line = follow(game, game.start(**request["options"]), request["moves"])
    budget = Budget(seconds=request["seconds"])
    analysis = Analyst(game, agent, line.states[-1], lines=request["lines"], budget=budget).run()
    return {"lines": [_plain(analysis, number) for number in range(len(analysis.lines))], "depth": analysis.depth}


def _plain(analysis: Analysis, number: int) -> dict[str, Any]:
    line = analysis.lines[number]
    return {"line": list(line.line), "score": line.score, "is_exact": line.is_exact, "chance": line.chance}


def serve(rules: str, name: str, lines: Iterable[str]) -> None:
    game = load_game(rules)
    agent = make_agent(game, name)
    for text in lines:
        sys.stdout.write(json.dumps(answer(game, agent, json.loads(text))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve(sys.argv[1], sys.argv[2], iter(sys.stdin.readline, ""))

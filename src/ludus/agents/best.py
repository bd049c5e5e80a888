"""The strongest agent we have for a game, whatever it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludus.agents import naming
from ludus.networks.shipped import SHIPPED, shipped_file
from ludus.rules import Game

if TYPE_CHECKING:
    from ludus.agents.agent import Agent


def best_name(game: Game) -> str:
    """What the game's own `BEST` says; else alpha-beta with the network that lies beside the rules, or the evaluation.

    A network is shipped where duels say that it is stronger. Where there is neither, it is MCTS.
    """
    said: str | None = game.part("BEST", file="evaluation.py")
    if said is None and shipped_file(game) is not None:
        return f"alphabeta:net={SHIPPED}"
    return said or ("mcts" if game.guess is None else "alphabeta")


def best_agent(
    *, game: Game, name: str, seed: int = 0, time: float | None = None, nodes: int | None = None, threads: int = 1
) -> Agent:
    """That agent under the name it was asked for by."""
    given = {"time": time, "nodes": nodes, "threads": threads if threads != 1 else None}
    options = ",".join(f"{key}={value}" for key, value in given.items() if value is not None)
    agent = naming.make_agent(game, naming.amended(best_name(game), options), seed=seed)
    agent.name = name
    return agent

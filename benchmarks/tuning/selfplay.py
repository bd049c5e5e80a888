"""Games that a searcher plays against itself, as positions with what became of them: what evaluations are fitted to."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from random import Random
from typing import NamedTuple

import numpy as np

from ludus.agents.agent import Budget
from ludus.agents.naming import make_agent
from ludus.rules import Game, load_game
from ludus.search.cores import usable_cores


class Positions(NamedTuple):
    """One row a position: its fields, seat 0's payoff at the end, and the searcher's score in thousandths."""

    states: np.ndarray
    payoffs: np.ndarray
    scores: np.ndarray


def play_games(game: Game, agent_name: str, *, games: int, nodes: int, seed: int, options: Callable[[int], dict]) -> Positions:
    """Self-play from random openings, now and then with a random move, so that all kinds of positions occur."""
    states, payoffs, scores = [], [], []
    agent = make_agent(game, agent_name, seed=seed)
    for number in range(games):
        rng = Random(seed * 1_000_003 + number)
        state = game.start(**options(rng.randrange(1 << 30)))
        for _ in range(rng.randrange(2, 9)):
            if game.result(state) is None:
                state = game.play(state, rng.choice(game.legal(state)))
        rows = []
        while game.result(state) is None:
            if rng.random() < 0.03:
                state = game.play(state, rng.choice(game.legal(state)))
                continue
            found = agent.choose(state, Budget(nodes=nodes))
            rows.append((state, found.score))
            state = game.play(state, found.move)
        states += [row[0] for row in rows]
        scores += [row[1] for row in rows]
        payoffs += [game.result(state)] * len(rows)
        agent.forget()
    return Positions(np.array(states, np.int64), np.array(payoffs, np.int64), np.array(scores, np.int64))


def nothing(_seed: int) -> dict:
    return {}


def _batch(arguments: tuple) -> Positions:
    name, agent, games, nodes, seed, options = arguments
    return play_games(load_game(name), agent, games=games, nodes=nodes, seed=seed, options=options)


def self_play(
    name: str, agent: str, *, games: int, nodes: int, seed: int, options: Callable[[int], dict] = nothing
) -> Positions:
    """The same on all cores, in batches of a hundred games; the seed decides them."""
    begin = time.perf_counter()
    batches = [(name, agent, 100, nodes, seed * 100_000 + k, options) for k in range(-(-games // 100))]
    parts = []
    with ProcessPoolExecutor(usable_cores()) as pool:
        for done, part in enumerate(pool.map(_batch, batches), 1):
            parts.append(part)
            if done % 10 == 0 or done == len(batches):
                print(f"  {100 * done} games, {sum(len(p.states) for p in parts):,} positions, "
                      f"{time.perf_counter() - begin:.0f} s", flush=True)
    return Positions(*(np.concatenate(field) for field in zip(*parts, strict=True)))

"""How good the chances are that `ludus analyse` shows: predictions in quick games against what became of them.

    python benchmarks/chances.py slant --seconds 40

prints, for several values of SHARPNESS, the mean logarithmic loss of the chance to win (0.693 is a coin; less is
better), and for the one in use how often positions of a given chance were won.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections import defaultdict
from typing import NamedTuple

from ludus.agents import chances
from ludus.rules import Game, load_game
from ludus.search.deepening import AlphaBeta

OPTIONS = {"slant": {"m": 6}, "subtraction": {"low": 8, "high": 20}}  # boards on which a game is short
QUICK_NODES, THOROUGH_NODES, SHARE = 1_500, 20_000, 0.08
SHARPNESSES = (1.0, 1.5, 2.0, 3.0)


class Prediction(NamedTuple):
    score: int
    payoffs: chances.Payoffs


def played(game: Game, searcher: AlphaBeta, seed: int) -> list[tuple[Prediction, float]]:
    """The predictions of one game, each with what the first seat got: 1, one half or 0."""
    rng = random.Random(seed)
    has_boards = "seed" in game.options
    state = game.start(**OPTIONS.get(game.name, {}), **({"seed": seed} if has_boards else {}))
    for _ in range(rng.randint(0, 6)):
        state = game.play(state, rng.choice(game.legal(state)))
        if game.result(state) is not None:
            return []
    searcher.forget()
    predictions = []
    while (payoff := game.result(state)) is None:
        is_shown = rng.random() < SHARE
        found = searcher.search(state, nodes=THOROUGH_NODES if is_shown else QUICK_NODES)
        if is_shown and not found.is_exact:
            predictions.append(Prediction(found.score, chances.likely_payoffs(game, state)))
        state = game.play(state, found.move)
    return [(one, 0.5 if payoff == 0 else float(payoff > 0)) for one in predictions]


def loss(pairs: list[tuple[float, float]]) -> float:
    return -sum(won * math.log(chance) + (1 - won) * math.log(1 - chance) for chance, won in pairs) / len(pairs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--seconds", type=float, default=40.0)
    arguments = parser.parse_args()
    game = load_game(arguments.game)
    searcher = AlphaBeta(game, megabytes=16)
    played(game, searcher, 0)  # compiles
    end, seed, seen = time.perf_counter() + arguments.seconds, 0, list[tuple[Prediction, float]]()
    while time.perf_counter() < end:
        seen += played(game, searcher, seed)
        seed += 1
    print(f"{game.name}: {len(seen)} positions of {seed} games")
    used = chances.SHARPNESS
    for sharpness in SHARPNESSES:
        chances.SHARPNESS = sharpness
        pairs = [(chances.chance_to_win(*one), won) for one, won in seen]
        print(f"  sharpness {sharpness:g}: loss {loss(pairs):.4f}{'   (in use)' if sharpness == used else ''}")
    chances.SHARPNESS = used
    bins: dict[int, list[float]] = defaultdict(list)
    for one, won in seen:
        bins[int(10 * chances.chance_to_win(*one))].append(won)
    for tenth, won in sorted(bins.items()):
        print(f"  {10 * tenth:>3} to {10 * tenth + 10:>3} %: {100 * sum(won) / len(won):5.1f} % of {len(won)}")


if __name__ == "__main__":
    main()

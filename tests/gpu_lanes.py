"""Plays the same lanes on the cores and in the simulator of a graphics processor; says in JSON whether they agree.

python tests/gpu_lanes.py GAME [GAME ...]     with numba-cuda on PYTHONPATH and NUMBA_ENABLE_CUDASIM=1
"""

from __future__ import annotations

import json
import sys

import _numba_cuda_redirector  # noqa: F401  # what its .pth file would do

from ludus.rules import Game, load_game
from ludus.search.lanes import play_many, sample_on_gpu
from ludus.search.playouts import Sample, sample_games


def starts(game: Game, count: int) -> list[tuple[int, ...]]:
    """The first position and a few after it."""
    states = [game.start()]
    while len(states) < count:
        states.append(game.play(states[-1], game.legal(states[-1])[-1]))
    return states


def facts(sample: Sample) -> tuple[object, ...]:
    return sample.games, sample.payoffs, sample.lengths, sample.widths.tolist()


def compared(name: str) -> dict[str, object]:
    game = load_game(name)
    here, there = (play_many(game, starts(game, 3), 2, seed=5, device=device) for device in ("cpu", "gpu"))
    first, second = sample_games(game, game.start(), 4, seed=9), sample_on_gpu(game, game.start(), 4, seed=9)
    return {
        "game": game.name,
        "same_games": bool((here[0] == there[0]).all() and (here[1] == there[1]).all()),
        "same_sample": facts(first) == facts(second),
        "games": int(here[1].size),
        "plies": int(here[1].sum()),
    }


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        print(json.dumps(compared(argument)), flush=True)

"""The same rules on a graphics processor: in numba-cuda's simulator, which needs no such processor."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ludus.errors import LudusError, PositionError
from ludus.rules import game_names, load_game
from ludus.search.lanes import GAMES_A_LANE, play_many, seeds_of
from ludus.search.seeds import seed_of

SIMULATOR = Path(sys.prefix) / "gpu"  # where `make setup` puts numba-cuda
SCRIPT = Path(__file__).parent / "gpu_lanes.py"


@pytest.mark.skipif(not (SIMULATOR / "numba_cuda").is_dir(), reason="numba-cuda is not in the environment's folder gpu")
@pytest.mark.parametrize("names", [["ultimate", "slant"], ["ultimate-adjacent", "subtraction"], ["extreme"]])
def test_the_gpu_plays_the_very_games_of_the_cpu(names: list[str]) -> None:
    environment = os.environ | {"PYTHONPATH": str(SIMULATOR), "NUMBA_ENABLE_CUDASIM": "1", "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *names], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["game"] for one in found] == names
    assert all(one["same_games"] and one["same_sample"] and one["plies"] > one["games"] for one in found)


def test_without_a_gpu_a_sentence_says_so_and_the_processor_plays() -> None:
    command = [sys.executable, "-m", "ludus", "stats", "ultimate", "--games", "100", "--device", "gpu", "--json"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert json.loads(done.stdout)["games"] == 100
    assert done.stderr.count("\n") == 1 and "The processor plays" in done.stderr


@pytest.mark.parametrize("name", game_names())
def test_lanes_plain_and_compiled_play_the_same_games(name: str) -> None:
    game = load_game(name)
    states = [game.start(), game.play(game.start(), game.legal(game.start())[0])]
    plain, compiled = (play_many(game, states, 3, seed=3, compiled=way) for way in (False, True))
    assert (plain[0] == compiled[0]).all() and (plain[1] == compiled[1]).all()
    assert plain[0].shape == (2, 3) and (plain[1] > 0).all()


def test_the_batch_interface_gives_each_start_its_games() -> None:
    game = load_game("ultimate")
    count = 2 * GAMES_A_LANE + 5
    payoffs, lengths = play_many(game, [game.start()] * 3, count, seed=1)
    assert payoffs.shape == lengths.shape == (3, count)
    assert (lengths >= 17).all() and (lengths <= 81).all() and set(np.unique(payoffs)) <= {-1, 0, 1}
    assert (lengths[0] != lengths[1]).any()  # each start has random numbers of its own


def test_what_cannot_be_played_is_one_sentence() -> None:
    game = load_game("ultimate")
    state = game.start()
    while game.result(state) is None:
        state = game.play(state, game.legal(state)[0])
    with pytest.raises(PositionError, match="position 1: the game is over"):
        play_many(game, [game.start(), state], 1)
    with pytest.raises(LudusError, match="graphics processor"):
        play_many(game, [game.start()], 1, device="gpu")


def test_seeds_in_a_row_are_the_seeds_one_by_one() -> None:
    assert seeds_of(7, 5, first=3).tolist() == [seed_of(7, batch) for batch in range(3, 8)]

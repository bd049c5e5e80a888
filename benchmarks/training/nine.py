"""Make a network of a 9x9 game as the shipped one was made: rounds of games against itself, each with the last network.

    python benchmarks/training/nine.py ultimate --threads 16 --device gpu             # the whole of it
    python benchmarks/training/nine.py ultimate --share 0.01                          # the same in small, on two cores
    python benchmarks/training/nine.py ultimate-adjacent --threads 16 --device gpu    # ten minutes

It writes NAME.net; docs/reference/networks.md says what came of it. The network adds to the game's own evaluation.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import NamedTuple

from ludus.learn.examples import Examples
from ludus.learn.fitting import Lesson, Pupil, fit, mean_loss
from ludus.learn.self_play import NUMBER, Play, Player, Positions
from ludus.networks.files import save_network
from ludus.networks.inputs import find_shape
from ludus.networks.network import Network
from ludus.networks.symmetries import turns_of
from ludus.rules import Game, load_game
from ludus.search.cores import usable_cores

HELD_OUT = 50  # one game in so many


class Round(NamedTuple):
    """Games with the network of the round before, and what is learnt from them: anew, or on from that network."""

    positions: int
    hidden: int
    steps: int
    result_share: float
    nodes: int = 1000
    aside_per_mille: int = 0
    rate_of_going_on: float | None = None


ROUNDS = {
    "ultimate": (
        Round(4_000_000, 128, 6_000, 0.3),
        Round(5_000_000, 128, 10_000, 0.3),
        Round(10_000_000, 128, 50_000, 0.5),
        Round(14_500_000, 128, 30_000, 0.5, nodes=600, aside_per_mille=500, rate_of_going_on=7e-4),
        Round(35_000_000, 512, 140_000, 0.5, nodes=600, aside_per_mille=500),
    ),
    "ultimate-adjacent": (
        Round(1_500_000, 64, 6_000, 0.5),
        Round(14_000_000, 256, 53_000, 0.5, nodes=600, aside_per_mille=500),
    ),
}
BATCH, RATE = {"cpu": 16384, "gpu": 32768}, {"cpu": 4e-3, "gpu": 2e-3}
OPENING, RANDOM_PER_MILLE = 12, 30


def taught(
    game: Game, positions: Positions, plan: Round, device: str, before: Network | None, about: dict[str, object]
) -> Network:
    """A network for the positions; the loss of games that it has never seen is printed."""
    is_held_out = positions.facts[:, NUMBER] % HELD_OUT == 0
    shape = find_shape(game, hidden=plan.hidden, with_guess=True)
    pupil = Pupil(shape, spread=1000, seed=1, device=device)
    rate = RATE[device]
    if before is not None and plan.rate_of_going_on is not None:
        pupil.begin_with(before)
        rate = plan.rate_of_going_on
    turns = turns_of(game, shape)
    seen, unseen = (
        Examples(
            shape,
            Positions(positions.words[some], positions.facts[some]),
            spread=pupil.spread,
            result_share=plan.result_share,
            turns=turns,
        )
        for some in (~is_held_out, is_held_out)
    )
    fit(pupil, seen, Lesson(plan.steps, BATCH[device], rate))
    loss = mean_loss(pupil, unseen)
    print(f"hidden {plan.hidden}: loss of {len(unseen):,} positions not learnt from: {loss:.5f}", flush=True)
    return pupil.network(game, {**about, "positions": len(positions), "loss": round(loss, 5)})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=ROUNDS)
    parser.add_argument("--threads", type=int, default=usable_cores())
    parser.add_argument("--device", choices=("cpu", "gpu"), default="cpu")
    parser.add_argument("--share", type=float, default=1.0, help="of the positions and steps of the real run")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    game, network, begin = load_game(given.game), None, time.perf_counter()
    for number, whole in enumerate(ROUNDS[given.game], 1):
        plan = whole._replace(
            positions=int(whole.positions * given.share), steps=max(int(whole.steps * given.share), 100)
        )
        manner = Play(
            nodes=plan.nodes,
            opening=OPENING,
            random_per_mille=RANDOM_PER_MILLE,
            aside_per_mille=plan.aside_per_mille,
        )
        player = Player(game, network, threads=given.threads, manner=manner, seed=given.seed + number)
        positions = player.positions(plan.positions)
        print(f"round {number}: {len(positions):,} positions, {time.perf_counter() - begin:.0f} s", flush=True)
        network = taught(game, positions, plan, given.device, network, {"round": number})
        print(f"round {number}: taught, {time.perf_counter() - begin:.0f} s", flush=True)
    assert network is not None
    file = Path(f"{given.game}.net")
    save_network(network, file)
    print(f"{file}: {file.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()

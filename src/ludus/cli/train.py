"""`ludus train`: one command trains an evaluation for any game."""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path
from typing import Any

from ludus.cli.progress import saying_when_it_compiles
from ludus.errors import LudusError
from ludus.learn.fitting import why_no_gpu
from ludus.learn.training import Plan, Round, Training, planned, train
from ludus.ratings.duel import Estimate
from ludus.rules import Game, load_game
from ludus.search.cores import usable_cores

INTERRUPTED = 130
SECONDS_AN_HOUR = 3600
HEADINGS = "round   positions  positions/s    loss  held out   Elo against the untrained   time left\n"


def train_network(arguments: argparse.Namespace) -> int:
    game = load_game(arguments.game)
    file = Path(arguments.out or f"{game.name}.net")
    training = Training(game, _plan(arguments, game, file), file)
    stage = _Stage(is_shown=sys.stderr.isatty())
    training.on_stage = stage.show
    if not arguments.json:
        sys.stdout.write(_beginning(training) + "\n")
    rounds = train(training, is_resumed=arguments.resume)
    try:
        with saying_when_it_compiles(game.name):
            done = next(rounds, None)
        if done is not None and not arguments.json:
            sys.stdout.write(HEADINGS)
        while done is not None:
            stage.clear()
            sys.stdout.write((json.dumps(_data(done)) if arguments.json else _line(done, training)) + "\n")
            sys.stdout.flush()
            done = next(rounds, None)
    except KeyboardInterrupt:
        stage.clear()
        sys.stderr.write(f"ludus: stopped; {_kept(training)}\n")
        return INTERRUPTED
    if not arguments.json:
        sys.stdout.write(_ending(training, arguments.game) + "\n")
    return 0


class _Stage:
    """What is being done now, in a line that is written over, for whoever watches."""

    def __init__(self, *, is_shown: bool) -> None:
        self.is_shown = is_shown

    def show(self, text: str) -> None:
        if self.is_shown:
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()

    def clear(self) -> None:
        self.show("")


def _plan(arguments: argparse.Namespace, game: Game, file: Path) -> Plan:
    """What is asked for; what a training that goes on was asked for before, but for its length and what it runs on."""
    before = planned(file) if arguments.resume else None
    given = {"hidden": arguments.hidden, "seed": arguments.seed, "is_beside_own": arguments.beside_own or None}
    for key, value in given.items():
        if before is not None and value is not None and value != getattr(before, key):
            option = f"--{key.removeprefix('is_').replace('_', '-')}"
            raise LudusError(f"{file}: its training began with another {option}; it goes on without that option")
    if arguments.beside_own and game.guess is None:
        raise LudusError(f"{game.name} has no evaluation of its own for a network to stand beside")
    length: dict[str, Any] = {}
    if arguments.hours or arguments.positions:
        seconds = None if arguments.hours is None else SECONDS_AN_HOUR * arguments.hours
        length = {"seconds": seconds, "positions": arguments.positions}
    more = {
        "threads": arguments.threads or (usable_cores() if before is None else None),
        "duel_games": arguments.duel_games,
        **given,
    }
    known = {key: value for key, value in more.items() if value is not None}
    return (before or Plan())._replace(device=_device(arguments.device), **length, **known)


def _device(wanted: str) -> str:
    reason = why_no_gpu() if wanted == "gpu" else None
    if reason is not None:
        sys.stderr.write(f"ludus: {reason}; the network learns on the CPU\n")
    return "cpu" if reason is not None else wanted


def _beginning(training: Training) -> str:
    shape, plan = training.shape, training.plan
    length = f"{training.wanted:,} positions" if training.wanted else f"{plan.seconds or 0:.0f} seconds"
    return (
        f"{training.game.name}: {shape.rows} inputs, {shape.hidden} hidden numbers, {length}, "
        f"{plan.threads} threads; the network is written to {training.file}"
    )


def _kept(training: Training) -> str:
    if training.rounds == 0:
        return "the first round was not over, so there is nothing to go on with"
    return f"{training.file} is the network of round {training.rounds}, and --resume goes on from there"


def _ending(training: Training, called: str) -> str:
    if training.rounds == 0:
        return "nothing to do"
    return f"{training.file} is done. Try:\n    ludus duel {called} alphabeta:net={training.file} mcts"


def _line(done: Round, training: Training) -> str:
    return (
        f"{done.number:>5} {done.positions:>11,} {done.positions_per_second:>12,.0f} {done.loss:>7.4f} "
        f"{done.held_out_loss:>9.4f}   {_elo(done):<25}   {_clock(training.seconds_left)}"
    ).rstrip()


def _elo(done: Round) -> str:
    if done.duel is None:
        return ""
    low, high = done.duel.elo_low, done.duel.elo_high
    if math.isfinite(low) and math.isfinite(high):
        return f"{done.duel.elo:+.0f} ({low:+.0f} to {high:+.0f})"
    return f"above {low:+.0f}" if math.isfinite(low) else f"below {high:+.0f}" if math.isfinite(high) else "unknown"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def _data(done: Round) -> dict[str, Any]:
    """A round for JSON; what is infinite is null."""
    duel: Estimate | None = done.duel
    bounds = {} if duel is None else {"elo": duel.elo, "elo_low": duel.elo_low, "elo_high": duel.elo_high}
    finite = {key: value if math.isfinite(value) else None for key, value in bounds.items()}
    rest = {key: value for key, value in done._asdict().items() if key != "duel"}
    return {**rest, **finite, **({} if duel is None else {"share_of_points": duel.share})}

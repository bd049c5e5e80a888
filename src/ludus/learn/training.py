"""Training a network: rounds of games that it plays against itself, and of learning from them. For `ludus train`.

A round plays with the network of the round before, and is bigger and thinks longer than that one, up to a limit. The
network then learns from the newer half of all positions. Everything random follows from the seed and the number of the
round, so a training that was killed and resumed goes the way of one that was not.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

from ludus.compile.judging import UNIT, Shape
from ludus.errors import NetworkError
from ludus.learn.checkpoint import (
    Standing,
    folder_of,
    load_positions,
    load_standing,
    opened,
    save_positions,
    save_standing,
)
from ludus.learn.examples import Examples
from ludus.learn.fitting import Lesson, Pupil, fit, mean_loss
from ludus.learn.gauging import Gauge, usual_nodes
from ludus.learn.self_play import BANKED, IS_CLEAN, NUMBER, PAYOFF, SCORE, Play, Player, Positions
from ludus.networks.files import save_network
from ludus.networks.inputs import find_shape, noted
from ludus.networks.network import Network
from ludus.networks.symmetries import turns_of
from ludus.ratings.duel import Estimate
from ludus.rules import Game, random_line
from ludus.search.finding import SCALE
from ludus.search.seeds import seed_of

FIRST_ROUND, LARGEST_ROUND, ROUND_GROWTH = 8_000, 100_000, 1.5  # positions
FIRST_NODES, MOST_NODES, NODES_GROWTH = 200, 1000, 1.25  # of a search
LEAST_ROUND = 500  # positions that a last round is worth playing for
LEAST_WINDOW, WINDOW = 50_000, 1_000_000  # positions that the network learns from, where there are so many
PASSES = 16  # how often a position is looked at, on the average
# Of a step, and how large it is; small batches are quick on a CPU, as no thread waits for another.
BATCH, RATE = {"cpu": 512, "gpu": 8192}, {"cpu": 0.005, "gpu": 0.01}
LEAST_STEPS = 200
HELD_OUT = 20  # one game in so many is never learnt from
DUELS_AT_FIRST, DUEL_EVERY = (1, 2, 4), 4  # rounds after which there is a duel
LEAST_OPENING, MOST_OPENING, SHARE_OF_OPENING = 6, 16, 0.5  # random moves before a game, at most; of its length
LAST_RESULT_SHARE, RESULT_SHARE_DECAY = 0.3, 0.7  # of the targets that results make: at first all, then less and less
SURVEYED, MOST_PLIES = 32, 1000  # random games that say how long a game lasts
USUAL_POSITIONS, LEAST_POSITIONS = 1000, 250_000  # for each input and ply of a game; in all, where nobody says how many
SHARE_OF_SECONDS = 0.8  # of what is left of the time that the last round may be thought to take


class Plan(NamedTuple):
    """What a training is asked for. Without positions and seconds it is as long as the game is big."""

    hidden: int = 64
    is_beside_own: bool = False  # the game's own evaluation is added to what the network says
    positions: int | None = None
    seconds: float | None = None
    threads: int = 2
    device: str = "cpu"
    duel_games: int = 64
    seed: int = 0


class Round(NamedTuple):
    """What there is to say when a round is over."""

    number: int  # from 1
    positions: int  # of all rounds
    positions_per_second: float  # of self-play, in this round
    nodes: int  # of a search
    window: int  # positions learnt from
    loss: float
    held_out_loss: float
    duel: Estimate | None
    duel_games: int
    seconds: float  # of all rounds
    share: float  # of the plan


class Training:
    """A training in a folder of its own: what was learnt so far, and what it was learnt from."""

    def __init__(self, game: Game, plan: Plan, file: Path) -> None:
        self.game, self.plan, self.file, self.folder = game, plan, file, folder_of(file)
        self.shape = find_shape(game, hidden=plan.hidden, with_guess=plan.is_beside_own)
        self.turns = turns_of(game, self.shape)
        self.plies = _usual_plies(game)
        self.pupil: Pupil | None = None
        has_first = game.guess is None or self.shape.has_guess  # else the game's own evaluation plays the first round
        self.network: Network | None = blank(game, self.shape) if has_first else None
        self.knows_nothing = game.guess is None
        self.window: dict[int, Positions] = {}  # by round
        self.rounds, self.positions, self.seconds, self.pace = 0, 0, 0.0, 0.0
        self.gauge: Gauge | None = None
        self.on_stage: Callable[[str], None] = lambda text: None  # hears what is being done

    @property
    def wanted(self) -> int | None:
        """The positions of the whole training, where it does not go by the clock."""
        if self.plan.seconds is not None:
            return None
        usual = max(LEAST_POSITIONS, USUAL_POSITIONS * self.shape.rows * self.plies)
        return self.plan.positions or usual

    @property
    def share(self) -> float:
        """How much of the plan is done."""
        if self.plan.seconds is not None:
            return min(1.0, self.seconds / self.plan.seconds)
        return min(1.0, self.positions / (self.wanted or 1))

    @property
    def seconds_left(self) -> float:
        """About how long the rest will take."""
        if self.plan.seconds is not None:
            return max(0.0, self.plan.seconds - self.seconds)
        return max(0, (self.wanted or 0) - self.positions) / self.pace if self.pace else 0.0

    def recall(self) -> None:
        """Go on from what the folder holds."""
        standing = load_standing(self.folder)
        if standing is None:
            return
        about = standing.about
        if about.get("game") != self.game.name or about.get("shape") != _in_json(self.shape):
            sentence = f"the training of {str(about.get('game'))[:40]!r}, or of other rules; it cannot be gone on with"
            raise NetworkError(f"{self.folder}: {sentence}")
        width = len(noted(self.game, self.game.start()))
        try:
            self.rounds, self.positions = int(about["rounds"]), int(about["positions"])
            self.seconds, self.pace = float(about["seconds"]), float(about["pace"])
            self.pupil = self._new_pupil(float(about["spread"]))
            self.pupil.recall(standing.pupil)
        except (KeyError, TypeError, ValueError):
            raise NetworkError(f"{self.folder}: damaged; delete the folder and begin again") from None
        self.window = {number: load_positions(self.folder, number, width=width) for number in standing.kept}
        self.network = self.pupil.network(self.game, self._about())
        self.knows_nothing = False

    def next_size(self) -> int:
        """How many positions the next round plays; 0 when the training is over."""
        size = int(min(LARGEST_ROUND, FIRST_ROUND * ROUND_GROWTH**self.rounds))
        if self.plan.seconds is not None:
            left = self.plan.seconds - self.seconds
            if self.pace:
                size = min(size, int(SHARE_OF_SECONDS * left * self.pace))
            return size if left > 0 and size >= LEAST_ROUND else 0
        left_positions = (self.wanted or 0) - self.positions
        return min(size, left_positions) if left_positions >= min(LEAST_ROUND, self.wanted or 0) else 0

    def round(self, size: int) -> Round:
        """Play, learn, save. At the end all that was made is on the disk; before that, nothing of it counts."""
        begin, number = time.monotonic(), self.rounds
        nodes = int(min(MOST_NODES, FIRST_NODES * NODES_GROWTH**number))
        self.on_stage(f"round {number + 1}: playing {size:,} positions")
        played = self._play(number, size, nodes)
        playing = time.monotonic() - begin
        if self.pupil is None:
            self.pupil = self._new_pupil(spread_of(played))
        self.window[number] = without_ignorance(played, self.shape.greatest) if self.knows_nothing else played
        self.knows_nothing = False
        self._forget_older_half(len(played))
        self.on_stage(f"round {number + 1}: learning")
        loss, held_out_loss = self._learn(self.pupil, number, len(played))
        self.rounds, self.positions = number + 1, self.positions + len(played)
        self.network = self.pupil.network(self.game, self._about())
        before = self.seconds
        self.seconds = before + time.monotonic() - begin
        self.pace = len(played) / (self.seconds - before)
        duel = self._duel(self.network)
        self.seconds = before + time.monotonic() - begin
        done = Round(
            number=self.rounds,
            positions=self.positions,
            positions_per_second=len(played) / playing,
            nodes=nodes,
            window=sum(map(len, self.window.values())),
            loss=loss,
            held_out_loss=held_out_loss,
            duel=duel,
            duel_games=0 if self.gauge is None or duel is None else self.gauge.games,
            seconds=self.seconds,
            share=self.share,
        )
        self._save(number)
        return done

    def save_network(self) -> None:
        """Write the network file, once there is something in it."""
        if self.pupil is not None and self.network is not None:
            save_network(self.network, self.file)

    def _save(self, number: int) -> None:
        assert self.pupil is not None
        save_positions(self.folder, number, self.window[number])
        about = {
            "game": self.game.name,
            "shape": _in_json(self.shape),
            "plan": self.plan._asdict(),
            "rounds": self.rounds,
            "positions": self.positions,
            "seconds": self.seconds,
            "pace": self.pace,
            "spread": self.pupil.spread,
        }
        save_standing(self.folder, Standing(about, self.pupil.memory(), tuple(self.window)))
        self.save_network()

    def _play(self, number: int, size: int, nodes: int) -> Positions:
        opening = max(LEAST_OPENING, min(MOST_OPENING, round(self.plies * SHARE_OF_OPENING)))
        manner = Play(nodes=nodes, opening=opening)
        seed = seed_of(self.plan.seed, number) >> 1
        player = Player(self.game, self.network, threads=self.plan.threads, manner=manner, seed=seed)
        return player.positions(size)

    def _learn(self, pupil: Pupil, number: int, played: int) -> tuple[float, float]:
        """Look at the window; the losses after it, of games learnt from and of those held out."""
        window = Positions(*(np.concatenate(parts) for parts in zip(*self.window.values(), strict=True)))
        is_held_out = window.facts[:, NUMBER] % HELD_OUT == 0
        share = LAST_RESULT_SHARE + (1 - LAST_RESULT_SHARE) * RESULT_SHARE_DECAY**number
        taught, tested = (
            Examples(
                self.shape,
                Positions(window.words[rows], window.facts[rows]),
                spread=pupil.spread,
                result_share=share,
                turns=self.turns,
            )
            for rows in (~is_held_out, is_held_out)
        )
        batch, rate = BATCH[pupil.device], RATE[pupil.device]
        steps = max(LEAST_STEPS, PASSES * played // batch)
        fit(pupil, taught, Lesson(steps, batch, rate, seed_of(self.plan.seed, number)))
        return mean_loss(pupil, taught), mean_loss(pupil, tested)

    def _forget_older_half(self, played: int) -> None:
        """Keep the newest rounds that are half of all positions, but no more than fit and no less than are of use."""
        wanted = max(LEAST_WINDOW, min(WINDOW, (self.positions + played) // 2))
        for number in sorted(self.window):
            rest = sum(len(positions) for other, positions in self.window.items() if other > number)
            if rest < wanted:
                break
            del self.window[number]

    def _duel(self, network: Network) -> Estimate | None:
        is_due = self.rounds in DUELS_AT_FIRST or self.rounds % DUEL_EVERY == 0 or self.next_size() == 0
        if self.plan.duel_games == 0 or not is_due:
            return None
        if self.gauge is None:
            nodes = usual_nodes(self.game)
            self.gauge = Gauge(self.game, games=self.plan.duel_games, nodes=nodes, threads=self.plan.threads)
        self.on_stage(f"round {self.rounds}: {self.gauge.games} games against the untrained agent")
        return self.gauge.estimate(network)

    def _new_pupil(self, spread: float) -> Pupil:
        plan = self.plan
        return Pupil(self.shape, spread=spread, seed=plan.seed, device=plan.device, threads=plan.threads)

    def _about(self) -> dict[str, Any]:
        """How the network came to be; nothing that differs when the same training is done again."""
        return {"positions": self.positions, "rounds": self.rounds, "seed": self.plan.seed}


def train(training: Training, *, is_resumed: bool) -> Iterator[Round]:
    """The rounds of a training as they end. Whoever stops listening, or is killed, loses the running round at most."""
    with opened(training.folder, is_resumed=is_resumed):
        if is_resumed:
            training.recall()
            training.save_network()
        while size := training.next_size():
            yield training.round(size)


def planned(file: Path) -> Plan | None:
    """The plan of the training in the folder beside a file, where there is one that has finished a round."""
    standing = load_standing(folder_of(file))
    try:
        return None if standing is None else Plan(**standing.about["plan"])
    except (KeyError, TypeError):
        raise NetworkError(f"{folder_of(file)}: damaged; delete the folder and begin again") from None


def blank(game: Game, shape: Shape) -> Network:
    """A network that guesses that the rest is even, and beside a guess of the game says what that says."""
    return Network(
        game=game.name,
        fields=tuple(game.module.State._fields),
        shape=shape,
        rows=np.zeros((shape.rows, shape.hidden), np.int16),
        begin=np.zeros(shape.hidden, np.int16),
        outputs=np.zeros((shape.phases, shape.hidden), np.int16),
        rest=((0, UNIT if shape.has_guess else 0),) * shape.phases,
        unit=SCALE,
    )


def spread_of(positions: Positions) -> float:
    """How far apart the margins to come lie: their standard deviation in thousandths."""
    to_come = positions.facts[:, PAYOFF].astype(np.float64) - positions.facts[:, BANKED]
    return max(float(to_come.std()), 1.0)


def without_ignorance(positions: Positions, greatest: int) -> Positions:
    """What can be learnt from a search that knew nothing: wins and losses that it saw, and how clean games ended."""
    facts = positions.facts.copy()
    is_seen = (np.abs(facts[:, SCORE]) >= SCALE * greatest) & (greatest > 0)
    facts[:, SCORE] = np.where(is_seen, facts[:, SCORE], facts[:, PAYOFF])
    is_known = is_seen | (facts[:, IS_CLEAN] == 1)
    return Positions(positions.words[is_known], facts[is_known])


def _in_json(shape: Shape) -> dict[str, Any]:
    return {key: list(value) if isinstance(value, tuple) else value for key, value in shape._asdict().items()}


def _usual_plies(game: Game) -> int:
    """How long random games last, on the average."""
    rng = Random(0)
    lines = [random_line(game, game.start(), rng, MOST_PLIES) for _ in range(SURVEYED)]
    return max(1, sum(len(line.moves) for line in lines) // SURVEYED)

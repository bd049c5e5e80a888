"""Random games by the million: what a game is like before anybody has learnt to play it."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from ludus.compile.bits import now_ns, plain
from ludus.compile.interface import Words, count, load, moves, pick, play, result
from ludus.compile.link import link
from ludus.errors import PositionError, RulesError
from ludus.rules import Game, State
from ludus.search.cores import usable_cores
from ludus.search.seeds import seed_of

u64 = np.uint64
Seeds = NDArray[np.uint64]

BATCH = 1024  # games of one call; part of what a seed means, so the same compiled and plain
LONGEST = 5_000_000  # plies after which a game is given up; the longest game of subtraction takes three million
LOOK_EVERY = 4095  # plies between two looks at the clock inside a game, a mask of bits
UNFINISHED = -(1 << 62)  # instead of a payoff
STOP, DEADLINE = 0, 1  # of the control array


def scramble(x: np.uint64) -> np.uint64:
    """The next state of a 64-bit xorshift generator; its upper half is what is used."""
    x ^= x << u64(13)
    x ^= x >> u64(7)
    return x ^ x << u64(17)


def random_below(x: np.uint64, limit: int) -> int:
    """A number in 0 .. limit - 1 out of the upper half of a random word, without a division."""
    return plain((x >> u64(32)) * u64(limit) >> u64(32))


def playout(state: State, rng: Seeds) -> int:
    """Seat 0's payoff of one random game; `rng` moves on."""
    x = rng[0]
    payoff = result(state)
    while payoff is None:
        x = scramble(x)
        legal = moves(state)
        state = play(state, pick(legal, random_below(x, count(legal))))
        payoff = result(state)
    rng[0] = x
    return payoff


def sum_of_games(root: Words, games: int, rng: Seeds) -> int:
    """Entry point: the sum of seat 0's payoffs over random games."""
    total = 0
    for _ in range(games):
        total += playout(load(root, 0), rng)
    return total


def survey(root: Words, longest: int, control: Words, rng: Seeds, payoffs: Words, lengths: Words, widths: Words) -> int:
    """Entry point: play as many random games as `payoffs` has room for; how many were played.

    control[STOP] may be raised by anybody, control[DEADLINE] is a time of `now_ns`. `widths[k]` counts the
    positions with k legal moves. A game that cannot go on, or does not end, gets UNFINISHED and is the last one.
    """
    x = rng[0]
    for game in range(payoffs.size):
        if control[STOP] != 0 or now_ns() > control[DEADLINE]:
            return game
        state = load(root, 0)
        payoff = result(state)
        plies = 0
        while payoff is None and plies < longest:
            x = scramble(x)
            legal = moves(state)
            width = count(legal)
            widths[width] += 1
            if width == 0:
                break
            state = play(state, pick(legal, random_below(x, width)))
            payoff = result(state)
            plies += 1
            if plies & LOOK_EVERY == 0 and (control[STOP] != 0 or now_ns() > control[DEADLINE]):
                return game
        lengths[game] = plies
        payoffs[game] = UNFINISHED if payoff is None else payoff
        if payoff is None:
            return game + 1
    rng[0] = x
    return plain(payoffs.size)


@dataclass(frozen=True)
class Sample:
    """What random games were like: how often each payoff and length came up; `widths[k]` positions had k moves."""

    games: int
    seconds: float
    payoffs: dict[int, int]
    lengths: dict[int, int]
    widths: NDArray[np.int64]

    @property
    def outcomes(self) -> tuple[int, int, int]:
        """Games that the first seat won, drew and lost."""
        wins = sum(n for payoff, n in self.payoffs.items() if payoff > 0)
        losses = sum(n for payoff, n in self.payoffs.items() if payoff < 0)
        return wins, sum(self.payoffs.values()) - wins - losses, losses


def sample_games(
    game: Game,
    state: State,
    games: int,
    *,
    seed: int = 0,
    threads: int | None = None,
    compiled: bool | None = None,
    longest: int = LONGEST,
    on_progress: Callable[[int], None] = lambda games: None,
) -> Sample:
    """Random games from a state that is not over, on all cores; the seed decides them, however many threads there are.

    A game that does not end, or cannot go on, is a RulesError.
    """
    if game.result(state) is not None:
        raise PositionError("the game is over: there is nothing to play")
    entry = link(game, survey, compiled=compiled)
    root = np.array(state, np.int64)
    control = np.array([0, np.iinfo(np.int64).max], np.int64)
    is_compiled = hasattr(entry, "py_func")
    workers = (threads or usable_cores()) if is_compiled else 1
    widest = 64 * len(game.words(state))  # whatever MOVES says: compiled code must never write past the end

    def play_batch(index: int) -> tuple[Words, Words, Words]:
        size = max(0, min(BATCH, games - index * BATCH))
        payoffs, lengths = np.zeros(size, np.int64), np.zeros(size, np.int64)
        widths = np.zeros(widest + 1, np.int64)
        rng = np.array([seed_of(seed, index)], np.uint64)
        played = int(entry(root, longest, control, rng, payoffs, lengths, widths))
        return payoffs[:played], lengths[:played], widths

    payoffs: dict[int, int] = {}
    lengths: dict[int, int] = {}
    widths = np.zeros(widest + 1, np.int64)
    play_batch(-(-games // BATCH))  # an empty batch: it compiles, before the clock starts
    begin, done = time.perf_counter(), 0
    batches = iter(range(-(-games // BATCH)))
    with ThreadPoolExecutor(workers) as pool:
        waiting: set[Future[tuple[Words, Words, Words]]] = set()
        try:
            while True:
                waiting |= {pool.submit(play_batch, i) for i in islice(batches, 3 * workers - len(waiting))}
                if not waiting:
                    break
                ready, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in ready:
                    some_payoffs, some_lengths, some_widths = future.result()
                    if UNFINISHED in some_payoffs:
                        how = (
                            f"had not ended after {longest} moves" if some_lengths[-1] >= longest else "could not go on"
                        )
                        raise RulesError(f"a random game {how}; run ludus check-game", path=game.path)
                    tally(payoffs, some_payoffs)
                    tally(lengths, some_lengths)
                    widths += some_widths
                    done += some_payoffs.size
                on_progress(done)
        except BaseException:
            control[STOP] = 1
            raise
    seconds = time.perf_counter() - begin
    return Sample(done, seconds, dict(sorted(payoffs.items())), dict(sorted(lengths.items())), widths)


def tally(counts: dict[int, int], values: Words | NDArray[np.int32]) -> None:
    """Add how often each value occurs."""
    for value, times in zip(*np.unique(values, return_counts=True), strict=True):
        counts[int(value)] = counts.get(int(value), 0) + int(times)

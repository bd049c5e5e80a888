"""Random games in lanes, from many starts at once: on all cores, or by the hundred million on a graphics processor.

A lane plays its games one after the other from one start, with random numbers of its own. Lanes know nothing of each
other, so the same seed gives the same games wherever they are played.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.bits import count_up, plain
from ludus.compile.gpu import gpu_kernel, run_lanes, why_no_gpu
from ludus.compile.interface import Words, count, load, moves, pick, play, result
from ludus.compile.link import link, wrapping
from ludus.errors import LudusError, PositionError, RulesError
from ludus.rules import Game, State
from ludus.search.cores import usable_cores
from ludus.search.playouts import BATCH, LONGEST, Sample, Seeds, random_below, scramble, tally
from ludus.search.seeds import seed_of

Device = Literal["cpu", "gpu"]
Small = NDArray[np.int32]
GAMES_A_LANE = 64
MOST_LANES = 1 << 17  # of 1024 games at a time: a gigabyte of payoffs and lengths
ENDLESS = -(1 << 31)  # instead of the payoff of a game that does not end or cannot go on


def seeds_of(seed: int, count: int, *, first: int = 0) -> Seeds:
    """`seed_of` of so many batches, from the first on."""
    return np.fromiter((seed_of(seed, first + batch) for batch in range(count)), np.uint64, count)


class Lanes(NamedTuple):
    """What every game of every lane came to: payoffs and lengths [lane, game], and how often each width was met."""

    payoffs: Small
    lengths: Small
    widths: Words


def play_lane(
    lane: int, roots: Words, starts: int, games: int, total: int, longest: int, seeds: Seeds,
    payoffs: Small, lengths: Small, widths: Words,
) -> None:  # fmt: skip
    """The games of one lane; lane by lane they make up `total` for each start. Games of all lanes stand side by side,
    so that threads of a graphics processor write to neighbouring places.

    A lane does not wait for the game of its neighbour: the next game begins in the step in which one ends.
    """
    lanes = plain(seeds.size)
    lanes_of_a_start = lanes // starts
    here = min(games, total - lane % lanes_of_a_start * games)
    offset = lane // lanes_of_a_start * (plain(roots.size) // starts)
    state = load(roots, offset)
    x = seeds[lane]
    game, plies = 0, 0
    while game < here:
        x = scramble(x)
        legal = moves(state)
        width = count(legal)
        if widths.size > 0:
            count_up(widths, width)
        if width == 0 or plies >= longest:
            payoffs[game * lanes + lane] = ENDLESS
            lengths[game * lanes + lane] = plies
            return
        state = play(state, pick(legal, random_below(x, width)))
        plies += 1
        payoff = result(state)
        if payoff is not None:
            payoffs[game * lanes + lane] = payoff
            lengths[game * lanes + lane] = plies
            state = load(roots, offset)
            game += 1
            plies = 0


def play_lanes(
    begin: int, end: int, roots: Words, starts: int, games: int, total: int, longest: int, seeds: Seeds,
    payoffs: Small, lengths: Small, widths: Words,
) -> None:  # fmt: skip
    """Entry point: the lanes from `begin` up to `end`."""
    for lane in range(begin, end):
        play_lane(lane, roots, starts, games, total, longest, seeds, payoffs, lengths, widths)


def play_many(
    game: Game,
    states: Sequence[State],
    games: int,
    *,
    seed: int = 0,
    device: Device = "cpu",
    compiled: bool | None = None,
) -> tuple[Small, Small]:
    """Payoffs and lengths [start, game] of so many random games from each of the states, none of which is over."""
    for number, state in enumerate(states):
        if game.result(state) is not None:
            raise PositionError(f"position {number}: the game is over: there is nothing to play")
    roots = np.array(states, np.int64).reshape(-1)
    if not states or games <= 0:
        return np.zeros((len(states), max(0, games)), np.int32), np.zeros((len(states), max(0, games)), np.int32)
    lanes_of_a_start = -(-games // GAMES_A_LANE)
    seeds = seeds_of(seed, len(states) * lanes_of_a_start)
    played = run(
        game, roots, len(states), GAMES_A_LANE, games, seeds, device=device, compiled=compiled, counts_widths=False
    )
    shape = (len(states), lanes_of_a_start * GAMES_A_LANE)
    return played.payoffs.reshape(shape)[:, :games], played.lengths.reshape(shape)[:, :games]


def sample_on_gpu(
    game: Game, state: State, games: int, *, seed: int = 0, on_progress: Callable[[int], None] = lambda games: None
) -> Sample:
    """The very games of `sample_games` with this seed, played on a graphics processor: a batch there is a lane here."""
    if game.result(state) is not None:
        raise PositionError("the game is over: there is nothing to play")
    root, batches = np.array(state, np.int64), -(-games // BATCH)
    payoffs: dict[int, int] = {}
    lengths: dict[int, int] = {}
    widths = np.zeros(64 * len(game.words(state)) + 1, np.int64)
    run(game, root, 1, 1, 1, seeds_of(seed, 1), device="gpu")  # it compiles, before the clock starts
    begin = time.perf_counter()
    for first in range(0, batches, MOST_LANES):
        seeds = seeds_of(seed, min(MOST_LANES, batches - first), first=first)
        here = min(games - first * BATCH, seeds.size * BATCH)
        played = run(game, root, 1, BATCH, here, seeds, device="gpu")
        is_played = played.lengths > 0  # the last lane may have room to spare
        tally(payoffs, played.payoffs[is_played])
        tally(lengths, played.lengths[is_played])
        widths += played.widths
        on_progress(first * BATCH + here)
    seconds = time.perf_counter() - begin
    return Sample(games, seconds, dict(sorted(payoffs.items())), dict(sorted(lengths.items())), widths)


def run(
    game: Game,
    roots: Words,
    starts: int,
    games: int,
    total: int,
    seeds: Seeds,
    *,
    device: Device,
    longest: int = LONGEST,
    compiled: bool | None = None,
    counts_widths: bool = True,
) -> Lanes:
    """One lane for each seed, as many for each start; a game that does not end is a RulesError."""
    lanes = seeds.size
    payoffs, lengths = np.zeros(lanes * games, np.int32), np.zeros(lanes * games, np.int32)
    widths = np.zeros(64 * len(game.words(game.start())) + 1 if counts_widths else 0, np.int64)
    rest = (roots, starts, games, total, longest, seeds, payoffs, lengths)
    if device == "gpu":
        _on_gpu(game, lanes, (*rest, widths))
    else:
        widths += _on_cores(game, lanes, rest, widths.size, compiled=compiled)
    if ENDLESS in payoffs:
        raise RulesError("a random game does not end or cannot go on; run ludus check-game", path=game.path)
    shape = (games, lanes)
    return Lanes(payoffs.reshape(shape).T, lengths.reshape(shape).T, widths)


def _on_gpu(game: Game, lanes: int, rest: tuple[object, ...]) -> None:
    reason = why_no_gpu()
    if reason is not None:
        raise LudusError(f"no game can be played on a graphics processor here: {reason}")
    run_lanes(gpu_kernel(game, play_lane, len(rest)), lanes, *rest)


def _on_cores(game: Game, lanes: int, rest: tuple[object, ...], widest: int, *, compiled: bool | None) -> Words:
    """The lanes in as many parts as there are cores; how often each width was met."""
    entry = wrapping(link(game, play_lanes, compiled=compiled))
    parts = usable_cores() if hasattr(entry, "py_func") else 1
    edges = [lanes * part // parts for part in range(parts + 1)]

    def play_part(part: int) -> Words:
        widths = np.zeros(widest, np.int64)  # of its own: threads would lose counts
        entry(edges[part], edges[part + 1], *rest, widths)
        return widths

    with ThreadPoolExecutor(parts) as pool:
        return sum(pool.map(play_part, range(parts)), np.zeros(widest, np.int64))

"""What bounds the speed of random games: two experiments that take away one obstacle each. For `speed.py`.

The same game over and over: after a few times the processor foresees every branch, so what is gained is the
price of branches that random games make it guess wrong. Two games in one loop: a ply of one need not wait for
the other, so what is gained is time spent waiting; nothing, if the processor had its hands full anyway.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ludus.compile.interface import Words, count, load, moves, pick, play, result
from ludus.compile.link import link
from ludus.rules import load_game
from ludus.search.playouts import Seeds, playout, random_below, scramble, survey
from rates import SEED, Instance, in_turns

OTHER_SEEDS = (123456789123456789, 987654321987654321, 5555555555555)


@dataclass(frozen=True)
class Limits:
    """How many times as fast random games would run with one obstacle less; 1.0 is no gain."""

    title: str
    all_branches_foreseen: float
    two_games_at_once: float


def random_games(root: Words, games: int, rng: Seeds) -> int:
    """Entry point: what the experiments are compared with."""
    total = 0
    for _ in range(games):
        total += playout(load(root, 0), rng)
    return total


def same_game_again(root: Words, games: int, rng: Seeds) -> int:
    """Entry point: the game that the seed rng[1] gives, as often as asked."""
    total = 0
    for _ in range(games):
        rng[0] = rng[1]
        total += playout(load(root, 0), rng)
    return total


def two_at_once(root: Words, games: int, rng: Seeds) -> int:
    """Entry point: random games in pairs, ply by ply; the longer one of a pair is finished alone."""
    total = 0
    for _ in range(games // 2):
        x, y = rng[0], rng[1]
        one, other = load(root, 0), load(root, 0)
        payoff, other_payoff = result(one), result(other)
        while payoff is None and other_payoff is None:
            x, y = scramble(x), scramble(y)
            legal, other_legal = moves(one), moves(other)
            one = play(one, pick(legal, random_below(x, count(legal))))
            other = play(other, pick(other_legal, random_below(y, count(other_legal))))
            payoff, other_payoff = result(one), result(other)
        rng[0], rng[1] = x, y
        total += playout(one, rng) + playout(other, rng)
    return total


def limits_of(instance: Instance, rounds: int) -> Limits:
    """Both experiments with one instance. Games differ in length, so the same game is compared ply by ply."""
    game = load_game(instance.game)
    root = np.array(game.start(**instance.options), np.int64)
    usual, again, pairs = (link(game, entry) for entry in (random_games, same_game_again, two_at_once))
    counted = link(game, survey)
    control = np.array([0, np.iinfo(np.int64).max], np.int64)

    def plies(games: int, seed: int) -> int:
        lengths = np.zeros(games, np.int64)
        widths = np.zeros(64 * len(game.words(game.start())) + 1, np.int64)
        rng = np.array([seed], np.uint64)
        counted(root, np.iinfo(np.int64).max, control, rng, np.zeros(games, np.int64), lengths, widths)
        return int(lengths.sum())

    games = instance.games
    works = [
        lambda: usual(root, games, np.array([SEED, 0], np.uint64)),
        lambda: pairs(root, games, np.array([SEED, OTHER_SEEDS[0]], np.uint64)),
        *(lambda seed=seed: again(root, games, np.array([seed, seed], np.uint64)) for seed in OTHER_SEEDS),
    ]
    seconds, in_pairs, *repeated = in_turns(works, rounds)
    repeated_plies = games * sum(plies(1, seed) for seed in OTHER_SEEDS)
    foreseen = (seconds / plies(games, SEED)) / (sum(repeated) / repeated_plies)
    return Limits(instance.title, foreseen, seconds / in_pairs)

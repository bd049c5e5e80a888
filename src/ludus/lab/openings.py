"""Openings for paired games: short random beginnings, or fresh boards where a game draws its own. Seeded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from ludus.errors import LudusError
from ludus.rules import Game, State, random_line
from ludus.search.seeds import seed_of

SURVEYED = 16  # random games that tell how long a game lasts
SHARE_OF_GAME, MOST_PLIES = 1 / 15, 6  # of a game may be random before its players take over
ATTEMPTS, NEW_ATTEMPTS = 1000, 50  # to find an opening that is not over, and one that has not been yet
SEEDS_A_PAIR = 8  # the first is the opening's, the others are for its players


@dataclass(frozen=True)
class Opening:
    """A start of the game and the moves that are made before the players begin."""

    number: int
    options: dict[str, Any]
    moves: tuple[int, ...]


def draws_its_board(game: Game, options: dict[str, Any]) -> bool:
    """Whether, with these options, the start depends on an option `seed` that is not among them."""
    if "seed" not in game.options or "seed" in options:
        return False
    return len({game.start(**options, seed=seed) for seed in range(4)}) > 1


def usual_plies(game: Game, options: dict[str, Any]) -> int:
    """How many random moves make games differ and leave them open: none where each board is a fresh one."""
    if draws_its_board(game, options):
        return 0
    rng, start = Random(0), game.start(**options)
    longest = round(2 * MOST_PLIES / SHARE_OF_GAME)
    plies = sum(len(random_line(game, start, rng, longest).moves) for _ in range(SURVEYED))
    return max(1, min(MOST_PLIES, round(SHARE_OF_GAME * plies / SURVEYED)))


def openings(game: Game, options: dict[str, Any], *, plies: int, seed: int) -> Iterator[Opening]:
    """Openings without end, never one that is over, none twice as long as new ones are found.

    The same game, options, plies and seed give the same openings.
    """
    is_fresh = draws_its_board(game, options)
    seen: set[State] = set()
    number = 0
    while True:
        rng = Random(seed_of(seed, SEEDS_A_PAIR * number))
        opening, state = _draw(game, options, rng, number, plies, is_fresh=is_fresh)
        for _ in range(NEW_ATTEMPTS):
            if state not in seen:
                break
            opening, state = _draw(game, options, rng, number, plies, is_fresh=is_fresh)
        seen.add(state)
        yield opening
        number += 1


def _draw(
    game: Game, options: dict[str, Any], rng: Random, number: int, plies: int, *, is_fresh: bool
) -> tuple[Opening, State]:
    for _ in range(ATTEMPTS):
        board = {**options, "seed": rng.getrandbits(31)} if is_fresh else options
        line = random_line(game, game.start(**board), rng, plies)
        if len(line.moves) == plies and game.result(line.states[-1]) is None:
            return Opening(number, board, line.moves), line.states[-1]
    raise LudusError(f"{game.name}: no opening of {plies} random moves was found that leaves the game open")

"""Two players, many pairs of games, all cores: which one is stronger, by how much, and how sure is that?

from ludus.lab.duel import duel
report = duel(load_game("ultimate"), "best", "mcts", games=100, budget=Budget(seconds=0.1))
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from ludus.agents.agent import Budget
from ludus.lab.crew import Crew
from ludus.lab.openings import openings, usual_plies
from ludus.lab.pair import Named, Pair, PlayerFactory, Setting
from ludus.lab.tally import DuelReport, Tally
from ludus.ratings.duel import Bounds
from ludus.rules import GAMES_FOLDER, Game
from ludus.search.cores import usable_cores

GAMES, BUDGET = 100, Budget(seconds=0.1)


def duel(
    game: Game,
    one: str | PlayerFactory,
    other: str | PlayerFactory,
    *,
    games: int = GAMES,
    budget: Budget = BUDGET,
    opening_plies: int | None = None,
    options: dict[str, Any] | None = None,
    sprt: Bounds | None = None,
    seed: int = 0,
    workers: int | None = None,
    on_pair: Callable[[Pair, Tally], None] = lambda pair, tally: None,
    on_compiling: Callable[[], None] = lambda: None,
) -> DuelReport:
    """Play `games` games (an odd number counts as one more), or fewer when the sequential test is decided.

    A player is the name of an agent or a function that makes one. Every game starts afresh: with node budgets, the
    same seed gives the same report, times apart, on any number of workers. `on_pair` hears of every pair in the
    order of the openings, `on_compiling` of machine code that is not in the cache. An interrupt (Ctrl-C)
    ends the duel, and what is known by then is reported.
    """
    begin = time.perf_counter()
    given = dict(options or {})
    game.start(**given)  # whatever is wrong with the options is said before any work
    first, second = (Named(player) if isinstance(player, str) else player for player in (one, other))
    cores = max(1, *(getattr(factory, "threads", 1) for factory in (first, second)))
    plies = usual_plies(game, given) if opening_plies is None else opening_plies
    name = game.name if game.path.is_relative_to(GAMES_FOLDER) else str(game.path)
    pairs = max(1, (games + 1) // 2)
    to_play = islice(openings(game, given, plies=plies, seed=seed), pairs)
    number = min(workers or usable_cores() // cores or 1, pairs)
    crew = Crew(Setting(name, (first, second), budget, seed), number, cores=cores, on_compiling=on_compiling)
    tally, is_interrupted = Tally(sprt), False
    try:
        crew.prepare()
        for pair in in_order(crew.play(to_play)):
            tally.add(pair)
            on_pair(pair, tally)
            if tally.verdict is not None:
                break
    except KeyboardInterrupt:
        is_interrupted = True
    finally:
        crew.disband()
    return tally.report(
        game=game.name,
        options=given,
        players=crew.names,
        is_interrupted=is_interrupted,
        opening_plies=plies,
        seed=seed,
        workers=len(crew.workers),
        has_own_cores=crew.has_own_cores,
        seconds=time.perf_counter() - begin,
    )


def in_order(pairs: Iterator[Pair]) -> Iterator[Pair]:
    """Pairs by the numbers of their openings, from 0 on.

    Taken as they end, the short ones would come first, and a test that stops early would see too many of them.
    """
    early: dict[int, Pair] = {}
    number = 0
    for pair in pairs:
        early[pair[0].opening.number] = pair
        while number in early:
            yield early.pop(number)
            number += 1

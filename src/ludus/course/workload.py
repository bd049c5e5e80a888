"""How much a check asks of a bot, by how fast it is: said before, so that nobody waits without knowing for what."""

from __future__ import annotations

from typing import NamedTuple

QUICK_S, FULL_S = 34.0, 420.0  # that a check may take where it can choose, without compiling
WITHIN_S, LEAST_S = 45.0, 10.0  # of a quick check, compiling included: later no game begins; but so long they may
RUNG_S = 0.01  # that a rung thinks about a move; these are twice what a PC of 2020 takes
LOOKING_S = 0.002  # of our engine at one of its moves
BLUNDER_S = 0.1  # at a candidate for a blunder
MOST_MOMENTS = 600  # that the engine looks at
QUICK_SCALE_S, FULL_SCALE_S = 8.0, 60.0  # for the scale of a game that is not ours
NEIGHBOURS, MOST_ON_THE_SPOT = 5, 20


class Workload(NamedTuple):
    """What is asked. Games are against each rung, half of them in each seat where they are even."""

    positions: int  # of each kind
    puzzles: int  # of each kind
    repeated: int  # positions that are asked again
    times: int  # each of them
    games: dict[str, int]  # by rung
    nodes: int  # of the engine for a candidate of a blunder; 0 for no engine and no rating: is it valid, no more
    seconds: float = 0.0  # that all of it may take


def _all(games: int) -> dict[str, int]:
    return dict.fromkeys(("random", "greedy", "minimax", "alphabeta", "mcts", "best"), games)


VALIDITY = Workload(2, 0, 2, 1, {"random": 2}, 0)  # compiles nothing: for whoever checks a hundred bots
BRIEF = Workload(2, 3, 6, 4, {"random": 16}, 20_000)  # enough to tell a bot that plays at random
QUICK = (
    Workload(6, 6, 8, 4, {**_all(4), "random": 20}, 100_000),
    Workload(4, 5, 7, 4, {**_all(2), "random": 12}, 100_000),
    Workload(3, 4, 5, 4, {**_all(1), "random": 2}, 60_000),
    Workload(3, 3, 4, 4, {"random": 2, "greedy": 1, "alphabeta": 1, "best": 1}, 60_000),
    Workload(2, 3, 4, 3, {"random": 2, "alphabeta": 1}, 60_000),
    Workload(1, 2, 3, 3, {"random": 2}, 60_000),
)
FULL = (
    Workload(12, 12, 12, 4, _all(20), 400_000),
    Workload(12, 12, 12, 4, {**_all(10), "random": 12}, 400_000),
    Workload(8, 8, 8, 4, {**_all(6), "random": 12}, 400_000),
    Workload(6, 6, 7, 4, _all(4), 400_000),
    Workload(4, 5, 6, 4, _all(2), 400_000),
)


class Pace(NamedTuple):
    """How fast a bot is: for a move, and to be started and ended."""

    move_s: float
    start_s: float


def workload(pace: Pace, moves_a_game: float, *, spent_s: float, kinds: int, is_quick: bool) -> Workload:
    """The most that fits beside what is spent already, or the least there is."""
    sizes, budget_s = (QUICK, QUICK_S) if is_quick else (FULL, FULL_S)
    for size in sizes:
        made = size._replace(seconds=_seconds(size, pace, moves_a_game, kinds))
        if made.seconds + spent_s <= budget_s:
            break
    return made


def _seconds(size: Workload, pace: Pace, moves_a_game: float, kinds: int) -> float:
    """From here on: two games against random are over."""
    asked = size.positions * kinds + 5 * size.puzzles + size.repeated * (size.times + 1)
    games = sum(size.games.values()) - 2
    moves, thinking = games * moves_a_game, (games + 2 - size.games["random"]) * moves_a_game * RUNG_S
    engine = LOOKING_S * min(moves, MOST_MOMENTS) + 10 * BLUNDER_S * size.nodes / 100_000
    return asked * (pace.move_s + pace.start_s) + moves * pace.move_s + games * pace.start_s + thinking + engine


def games_on_the_spot(plies_a_game: float, *, is_quick: bool) -> int:
    """Of each two neighbours on the ladder, where nobody has measured how strong they are: as many as time allows."""
    seconds = (QUICK_SCALE_S if is_quick else FULL_SCALE_S) / (NEIGHBOURS * plies_a_game * RUNG_S)
    return max(2, min(MOST_ON_THE_SPOT, 2 * int(seconds / 2)))

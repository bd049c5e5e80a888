"""How much a check asks of a bot, by how fast it is: said before, so that nobody waits without knowing for what."""

from __future__ import annotations

from typing import NamedTuple

QUICK_S, FULL_S = 34.0, 420.0  # that a check may take where it can choose
RUNG_S = 0.02  # that a rung thinks about a move
LOOKING_S = 0.004  # of our engine at one of its moves
BLUNDER_S = 0.4  # at a candidate for a blunder


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
BRIEF = Workload(2, 3, 6, 4, {"random": 4}, 20_000)  # enough to tell a bot that plays at random
QUICK = (
    Workload(6, 6, 8, 4, _all(4), 100_000),
    Workload(4, 5, 7, 4, _all(2), 100_000),
    Workload(3, 4, 5, 4, {**_all(1), "random": 2}, 60_000),
    Workload(3, 3, 4, 4, {"random": 2, "greedy": 1, "alphabeta": 1, "best": 1}, 60_000),
    Workload(2, 3, 4, 3, {"random": 2, "alphabeta": 1}, 60_000),
    Workload(1, 2, 3, 3, {"random": 2}, 60_000),
)
FULL = (
    Workload(12, 12, 12, 4, _all(20), 400_000),
    Workload(12, 12, 12, 4, _all(10), 400_000),
    Workload(8, 8, 8, 4, _all(6), 400_000),
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
    moves = games * moves_a_game
    engine = LOOKING_S * moves + 10 * BLUNDER_S * size.nodes / 100_000
    return asked * (pace.move_s + pace.start_s) + moves * pace.move_s + games * pace.start_s + moves * RUNG_S + engine

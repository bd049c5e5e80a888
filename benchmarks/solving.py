"""How far the exact solver gets, and how fast: every claim that the documentation makes about it.

    python benchmarks/solving.py                  # all of it, some minutes
    python benchmarks/solving.py slant ultimate   # the parts whose names begin so

Ultimate positions stand 20 plies before the end of a game: of random games, and of games between Monte Carlo searches
of 2000 iterations. Each is solved from an empty table: value, all best moves, and a line.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from ludus.rules import Game, State, load_game, random_line
from ludus.search.cores import usable_cores
from ludus.search.mcts import Mcts
from ludus.search.solver import Solution, Solver, warm
from ludus.search.tabled import Tabled

LIMIT_S = 10.0
PLIES_LEFT = 20
BUSY = "--busy" in sys.argv


def solve_all(title: str, game: Game, states: list[State], *, limit_s: float, threads: int) -> None:
    """Solve each position as `ludus solve` does; print how long that took, by the clock and in time of the cores."""
    warm(game, states[0])
    found: list[Solution] = []
    cpu_s: list[float] = []
    for state in states:
        solver = Solver(game, megabytes=1024, threads=threads, is_growing=True)
        begin = time.process_time()
        found.append(solve_within(solver, state, limit_s, begin))
        cpu_s.append(time.process_time() - begin)
    solved = sum(solution.is_exact for solution in found)
    values = sum(solution.value is not None for solution in found)
    print(
        f"{title:<42} {solved:>4} of {len(states):<4} value {values:>4}   {spread([one.seconds for one in found])}"
        f"   of the cores: {spread(cpu_s)}   {max(solution.nodes for solution in found):>12,} nodes",
        flush=True,
    )


def solve_within(solver: Solver, state: State, limit_s: float, begin_cpu_s: float) -> Solution:
    """Solve within a limit by the clock; or, with --busy, within the time of the cores that the clock would give."""
    if not BUSY:
        return solver.solve(state, seconds=limit_s)
    most_s = begin_cpu_s + solver.threads * limit_s
    return solver.solve(state, on_progress=lambda _: solver.stop() if time.process_time() > most_s else None)


def spread(seconds: list[float]) -> str:
    ordered = sorted(seconds)
    return f"median {ordered[len(ordered) // 2]:.3f} p90 {ordered[int(0.9 * len(ordered))]:.3f} max {ordered[-1]:.3f} s"


def slant(threads: int, samples: int) -> None:
    game = load_game("slant")
    boards = [game.start(m=4, seed=seed) for seed in range(10 * samples)]
    solve_all("slant 4x4, random boards", game, boards, limit_s=LIMIT_S, threads=threads)
    rng = random.Random(1)
    full = [game.start(circles=[[rng.randint(1, 3) for _ in range(5)] for _ in range(5)]) for _ in range(samples)]
    solve_all("slant 4x4, a circle at every point", game, full, limit_s=LIMIT_S, threads=threads)
    boards = [game.start(m=6, seed=seed) for seed in range(samples)]
    solve_all("slant 6x6, random boards, 60 s", game, boards, limit_s=60.0, threads=threads)


def tic_tac_toe(threads: int, samples: int) -> None:
    from ludus.games.nested.nine import LINES  # noqa: PLC0415

    source = f"""
from typing import NamedTuple
MOVES, LINES = 9, {LINES}
class State(NamedTuple):
    x: int
    o: int
    mover: int
def start(): return State(0, 0, 0)
def turn(s): return s.mover
def moves(s): return 511 & ~(s.x | s.o)
def play(s, m): return State(s.x | 1 << m, s.o, 1) if s.mover == 0 else State(s.x, s.o | 1 << m, 0)
def has_line(nine):
    for line in LINES:
        if nine & line == line:
            return True
    return False
def result(s): return 1 if has_line(s.x) else -1 if has_line(s.o) else 0 if s.x | s.o == 511 else None
"""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "tictactoe.py"
        path.write_text(source)
        game = load_game(path)
        solve_all("tic-tac-toe, a rules file", game, [game.start()], limit_s=LIMIT_S, threads=threads)


def subtraction(threads: int, samples: int) -> None:
    game, rng = load_game("subtraction"), random.Random(1)
    boards = [game.start(board=[[12] * 3] * 3), *(game.start(low=1, high=12, seed=seed) for seed in range(samples))]
    solve_all("subtraction, numbers up to 12", game, boards, limit_s=LIMIT_S, threads=threads)
    tabled = Tabled(game)
    tabled.warm()
    planned = sorted(tabled.plan(game.start(seed=rng.randrange(1 << 30))).megabytes for _ in range(400))
    print(
        f"tables of 400 boards of 50 to 99: median {planned[200]:.0f} MB, p99 {planned[396]:.0f} MB, "
        f"greatest {planned[-1]:.0f} MB"
    )
    for numbers in ((12, 12), (20, 20), (30, 30), (40, 40), (50, 99), (50, 99), (50, 99)):
        state = game.start(low=numbers[0], high=numbers[1], seed=rng.randrange(1 << 30))
        begin, begin_cpu = time.perf_counter(), time.process_time()
        plan = tabled.plan(state)
        tabled.build(plan)
        wall, cpu, entries = time.perf_counter() - begin, time.process_time() - begin_cpu, plan.entries
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
        print(
            f"  {numbers[0]}..{numbers[1]}: {entries:>13,} entries in {wall:6.2f} s ({cpu:6.2f} s of one core, "
            f"{1e9 * cpu / entries:5.2f} ns each), value {tabled.value(state):+d}, process {memory:,.0f} MB",
            flush=True,
        )


def before_the_end(game: Game, lines: Iterator[list[State]], samples: int) -> list[State]:
    found: list[State] = []
    while len(found) < samples:
        states = next(lines)
        if len(states) > PLIES_LEFT:
            found.append(states[-1 - PLIES_LEFT])
    return found


def random_games(game: Game, rng: random.Random) -> Iterator[list[State]]:
    while True:
        yield list(random_line(game, game.start(), rng).states)


def good_games(game: Game, rng: random.Random) -> Iterator[list[State]]:
    """Games between Monte Carlo searches from random openings."""
    player = Mcts(game, megabytes=64, seed=5)
    while True:
        states = list(random_line(game, game.start(), rng, rng.randrange(2, 8)).states)
        player.forget()
        while game.result(states[-1]) is None:
            states.append(game.play(states[-1], player.search(states[-1], iterations=2000).move))
        yield states


def ultimate_random(threads: int, samples: int) -> None:
    game = load_game("ultimate")
    states = before_the_end(game, random_games(game, random.Random(1)), samples)
    solve_all(
        f"ultimate, {PLIES_LEFT} plies before the end, random games", game, states, limit_s=LIMIT_S, threads=threads
    )


def ultimate_good(threads: int, samples: int) -> None:
    game = load_game("ultimate")
    states = before_the_end(game, good_games(game, random.Random(1)), samples)
    solve_all(
        f"ultimate, {PLIES_LEFT} plies before the end, good games", game, states, limit_s=LIMIT_S, threads=threads
    )


def ultimate_late(threads: int, samples: int) -> None:
    game = load_game("ultimate")
    states = list(states_with_room(game, random.Random(2), samples))
    solve_all(f"ultimate, at most {PLIES_LEFT} plies to come", game, states, limit_s=LIMIT_S, threads=threads)


def states_with_room(game: Game, rng: random.Random, samples: int) -> Iterator[State]:
    """The first position of each random game from which at most PLIES_LEFT more moves are possible."""
    from ludus.games.nested.nine import CELLS_HI, CELLS_LO  # noqa: PLC0415

    found = 0
    while found < samples:
        for s in random_line(game, game.start(), rng).states:
            free = (CELLS_LO[s.open] & ~(s.mine_lo | s.theirs_lo)).bit_count()  # type: ignore[attr-defined]
            free += (CELLS_HI[s.open] & ~(s.mine_hi | s.theirs_hi)).bit_count()  # type: ignore[attr-defined]
            if free <= PLIES_LEFT and game.result(s) is None:
                found += 1
                yield s
                break


PARTS: dict[str, Callable[[int, int], None]] = {
    "slant": slant,
    "tic-tac-toe": tic_tac_toe,
    "subtraction": subtraction,
    "ultimate-random": ultimate_random,
    "ultimate-good": ultimate_good,
    "ultimate-late": ultimate_late,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", help=f"any of {', '.join(PARTS)}, or how they begin")
    parser.add_argument("--threads", type=int, default=usable_cores())
    parser.add_argument("--samples", type=int, default=100, help="positions of each kind")
    parser.add_argument("--busy", action="store_true", help="the limit is time of the cores: for a machine at work")
    arguments = parser.parse_args()
    asked = tuple(arguments.parts)
    for name, part in PARTS.items():
        if not asked or name.startswith(asked):
            part(arguments.threads, arguments.samples)


if __name__ == "__main__":
    main()

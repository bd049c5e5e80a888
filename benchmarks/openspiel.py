"""OpenSpiel's MCTSBot (C++) beside our searches on `ultimate`: are the rules the same, and how fast is each?

    .venv/bin/pip install -e '.[bench]'
    .venv/bin/python benchmarks/openspiel.py [--games 1000] [--rounds 5]

Its `ultimate_tic_tac_toe` asks a player who may play anywhere for the block first and for the cell after that: two
actions, which are one move of ours. As a player, it gets its time limit for each of the two, so that it never thinks
less than it may. Its constant of exploration is the one of OpenSpiel's own examples.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from random import Random
from statistics import geometric_mean, median
from typing import Any

import pyspiel

from ludus.agents.agent import Budget
from ludus.rules import Game, State, load_game, random_line
from ludus.search.finding import Finding
from ludus.search.mcts import Mcts

ENDLESS = 1 << 30  # simulations
EXPLORATION = 2.0
MEGABYTES = 2000
REQUIRED = 10.0  # times OpenSpiel's simulations per second
SEARCHED_PLIES = (0, 10, 20, 30)  # of the positions that are searched for speed
OUR_SIMULATIONS, THEIR_SIMULATIONS = 400_000, 40_000  # about half a second each


def new_bot(*, seed: int, simulations: int = ENDLESS, seconds: float = -1.0) -> Any:
    rollouts = pyspiel.RandomRolloutEvaluator(1, seed)
    return pyspiel.MCTSBot(
        pyspiel.load_game("ultimate_tic_tac_toe"),
        rollouts,
        EXPLORATION,
        simulations,
        MEGABYTES,
        True,  # it proves what it can, as ours does
        seed,
        False,
        max_wall_clock_time=seconds,
    )


def play_there(theirs: Any, move: int) -> None:
    """Our move as the one or two actions that it is in OpenSpiel."""
    block, cell = divmod(move, 9)
    if asks_for_block(theirs):
        theirs.apply_action(block)
    theirs.apply_action(cell)


def asks_for_block(theirs: Any) -> bool:
    return "Local board" not in theirs.action_to_string(theirs.current_player(), theirs.legal_actions()[0])


def legal_there(theirs: Any) -> list[int]:
    """The legal moves, in our numbers, of a state of OpenSpiel."""
    if theirs.is_terminal():
        return []
    if not asks_for_block(theirs):
        return sorted(forced_block(theirs) * 9 + cell for cell in theirs.legal_actions())
    found = []
    for block in theirs.legal_actions():
        child = theirs.clone()
        child.apply_action(block)
        found += [block * 9 + cell for cell in child.legal_actions()]
    return sorted(found)


def forced_block(theirs: Any) -> int:
    """The block that the next cell is chosen in, as its actions are written: "Local board 4: x(1,1)"."""
    text = theirs.action_to_string(theirs.current_player(), theirs.legal_actions()[0])
    return int(text.removeprefix("Local board ").partition(":")[0])


def games_that_agree(number: int, *, seed: int) -> int:
    """Random games in both engines at once: how many had the same moves at every ply and the same result."""
    game, rng = load_game("ultimate"), Random(seed)
    return sum(_agrees(game, rng) for _ in range(number))


def _agrees(game: Game, rng: Random) -> bool:
    ours, theirs = game.start(), pyspiel.load_game("ultimate_tic_tac_toe").new_initial_state()
    while True:
        legal = game.legal(ours)
        if legal != legal_there(theirs) or (not legal) != theirs.is_terminal():
            return False
        if not legal:
            return float(game.result(ours) or 0) == theirs.returns()[0]
        if game.turn(ours) != theirs.current_player():
            return False
        move = rng.choice(legal)
        ours = game.play(ours, move)
        play_there(theirs, move)


@dataclass(frozen=True)
class OpenSpielFactory:
    """Makes OpenSpiel's MCTSBot as a player for the lab."""

    seconds: float

    def __call__(self, game: Game, seed: int) -> OpenSpielPlayer:
        return OpenSpielPlayer(game, seed, self.seconds)


class OpenSpielPlayer:
    """MCTSBot with so many seconds for each decision, whatever the budget of others is."""

    def __init__(self, game: Game, seed: int, seconds: float) -> None:
        self.game, self.seconds = game, seconds
        self.name = f"openspiel:time={seconds:g}"
        self.bot = new_bot(seed=seed % (1 << 31), seconds=seconds)
        self.forget()

    def forget(self) -> None:
        self.ours: State = self.game.start()
        self.theirs = pyspiel.load_game("ultimate_tic_tac_toe").new_initial_state()

    def stop(self) -> None:
        raise NotImplementedError  # nobody can

    def choose(self, state: State, budget: Budget = Budget()) -> Finding:  # noqa: B008
        begin = time.perf_counter()
        way = way_to(self.game, self.ours, state)
        assert way is not None, "no moves lead from the position before to this one"
        for move in way:
            play_there(self.theirs, move)
        self.ours = state
        simulations, after = 0, self.theirs.clone()
        chosen: list[int] = []
        for _ in range(1 + asks_for_block(after)):
            root = self.bot.mcts_search(after)
            simulations += root.explore_count
            chosen.append(root.best_child().action)
            if asks_for_block(after):
                after.apply_action(chosen[-1])
        block = chosen[0] if len(chosen) == 2 else forced_block(self.theirs)
        move = 9 * block + chosen[-1]
        return Finding(move, 0, False, (move,), 0, simulations, time.perf_counter() - begin)


def way_to(game: Game, here: State, there: State) -> list[int] | None:
    """Legal moves that lead from one position to another, in any order that does; None if there are none."""
    if here == there:
        return []
    wanted = stones(there)
    for move in game.legal(here):
        child = game.play(here, move)
        if all(has & ~may == 0 for has, may in zip(stones(child), wanted, strict=True)):
            rest = way_to(game, child, there)
            if rest is not None:
                return [move, *rest]
    return None


def stones(state: Any) -> tuple[int, int]:
    """The stones of seat 0 and of seat 1."""
    mine, theirs = state.mine_lo | state.mine_hi << 63, state.theirs_lo | state.theirs_hi << 63
    return (theirs, mine) if state.mover else (mine, theirs)


@dataclass(frozen=True)
class Race:
    """Simulations per second of CPU time from one position, of both engines."""

    plies: int
    ours: float
    theirs: float

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs


def race(plies: int, *, rounds: int, seed: int) -> Race:
    """Both search one position in turns on this thread; the median round counts."""
    game = load_game("ultimate")
    line = random_line(game, game.start(), Random(seed), plies)
    theirs = pyspiel.load_game("ultimate_tic_tac_toe").new_initial_state()
    for move in line.moves:
        play_there(theirs, move)
    searcher = Mcts(game, megabytes=512, seed=seed)
    searcher.search(line.states[-1], iterations=10_000)
    ours_rates, theirs_rates = [], []
    for index in range(rounds):
        searcher.forget()
        begin = time.thread_time()
        found = searcher.search(line.states[-1], iterations=OUR_SIMULATIONS)
        ours_rates.append(found.nodes / (time.thread_time() - begin))
        bot = new_bot(seed=index, simulations=THEIR_SIMULATIONS)
        begin = time.thread_time()
        root = bot.mcts_search(theirs)
        theirs_rates.append(root.explore_count / (time.thread_time() - begin))
    return Race(plies, median(ours_rates), median(theirs_rates))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000, help="random games played in both engines (1000)")
    parser.add_argument("--rounds", type=int, default=5, help="of the race (5)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    agreed = games_that_agree(arguments.games, seed=arguments.seed)
    print(f"rules: {agreed} of {arguments.games} random games agree in every legal move, turn and result")
    print(f"{'plies':>6} {'ours/s':>12} {'OpenSpiel/s':>12} {'ratio':>7}   at least {REQUIRED:g} is demanded")
    races = [race(plies, rounds=arguments.rounds, seed=arguments.seed) for plies in SEARCHED_PLIES]
    for one in races:
        print(f"{one.plies:>6} {one.ours:>12,.0f} {one.theirs:>12,.0f} {one.ratio:>7.1f}")
    overall = geometric_mean(one.ratio for one in races)
    print(f"{'mean':>6} {'':>12} {'':>12} {overall:>7.1f}")
    return int(agreed < arguments.games or overall < REQUIRED)


if __name__ == "__main__":
    sys.exit(main())

"""One opening played twice, sides swapped, with every move timed: the work of one process of the lab."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from ludus.agents.agent import Agent, Budget, begin_game, warm_up
from ludus.agents.naming import make_agent, parse_agent
from ludus.compile.agreement import compiling
from ludus.errors import LudusError
from ludus.lab.openings import SEEDS_A_PAIR, Opening
from ludus.rules import Game, State, load_game
from ludus.search.seeds import seed_of

LONGEST = 100_000  # plies of a game

PlayerFactory = Callable[[Game, int], Agent]
"""Makes a player of a game from a seed. It crosses to other processes, so it is picklable, and hashable."""


@dataclass(frozen=True)
class Named:
    """Makes the agent of a name. `alphabeta@./old.py` thinks by the rules, and so by the evaluation, of that file."""

    text: str

    def __call__(self, game: Game, seed: int) -> Agent:
        name, at, rules = self.text.partition("@")
        own = load_game(rules) if at else game
        if own.module.State._fields != game.module.State._fields or own.move_limit != game.move_limit:
            raise LudusError(f"{rules[:60]}: its states or moves are not those of {game.name}, so it cannot play it")
        agent = make_agent(own, name, seed=seed)
        agent.name = self.text
        return agent

    @property
    def threads(self) -> int:
        """How many cores it wants; a name that is none is an AgentError."""
        return int(parse_agent(self.text.partition("@")[0])[1].get("threads", 1))


@dataclass(frozen=True)
class Setting:
    """What all pairs of a duel have in common."""

    game: str  # a name or a path
    factories: tuple[PlayerFactory, PlayerFactory]
    budget: Budget
    seed: int


@dataclass(frozen=True)
class Thoughts:
    """What one player spent in one game: seconds of each move, beyond its limit, and nodes of all moves."""

    seconds: tuple[float, ...]
    overshoots: tuple[float, ...]
    nodes: int


@dataclass(frozen=True)
class Played:
    """A game between the players 0 and 1 of a duel; `first` is the player in seat 0."""

    opening: Opening
    first: int
    moves: tuple[int, ...]  # those of the opening included
    result: int  # seat 0's payoff
    thoughts: tuple[Thoughts, Thoughts]  # of player 0 and of player 1

    @property
    def margin(self) -> int:
        """Player 0's payoff."""
        return -self.result if self.first else self.result

    @property
    def doubled_points(self) -> int:
        """Player 0's points, doubled: 2 for a win, 1 for a draw."""
        return (self.margin > 0) - (self.margin < 0) + 1


Pair = tuple[Played, Played]


def prepare(setting: Setting) -> tuple[str, str]:
    """Make both players of this process, compile what they need, and say what they are called."""
    _, (one, other) = _seated(setting)
    return one.name, other.name


def play_pair(setting: Setting, opening: Opening) -> Pair:
    """The opening with player 0 in seat 0, and once more with player 1 there."""
    return _play(setting, opening, first=0), _play(setting, opening, first=1)


@lru_cache(maxsize=1)
def _seated(setting: Setting) -> tuple[Game, tuple[Agent, Agent]]:
    """The game and both players, made once in each process; their first move, which may load code, is behind them."""
    game = load_game(setting.game)
    with compiling(game):
        one, other = (make(game, setting.seed) for make in setting.factories)
        for player in (one, other):
            warm_up(player, game.start())
    return game, (one, other)


def _play(setting: Setting, opening: Opening, *, first: int) -> Played:
    game, players = _seated(setting)
    for index, player in enumerate(players):
        if reseed := getattr(player, "reseed", None):
            reseed(seed_of(setting.seed, SEEDS_A_PAIR * opening.number + 1 + 2 * first + index))
    spent: tuple[list[tuple[float, float]], list[tuple[float, float]]] = ([], [])
    nodes, moves = [0, 0], list(opening.moves)
    state = game.start(**opening.options)
    for move in opening.moves:
        state = game.play(state, move)
    for player in players:
        begin_game(player, state)
    while (result := game.result(state)) is None:
        if len(moves) >= LONGEST:
            raise LudusError(f"{game.name}: a game had not ended after {LONGEST} moves")
        mover = game.turn(state) ^ first
        move, seconds, looked_at = _ask(game, players[mover], state, setting.budget)
        limit = setting.budget.within(getattr(players[mover], "limits", Budget())).seconds
        spent[mover].append((seconds, 0.0 if limit is None else max(0.0, seconds - limit)))
        nodes[mover] += looked_at
        moves.append(move)
        state = game.play(state, move)
    one, other = (
        Thoughts(tuple(s for s, _ in moments), tuple(o for _, o in moments), count)
        for moments, count in zip(spent, nodes, strict=True)
    )
    return Played(opening, first, tuple(moves), result, (one, other))


def _ask(game: Game, player: Agent, state: State, budget: Budget) -> tuple[int, float, int]:
    """The player's move, how long it took, and the nodes it says it looked at."""
    begin = time.perf_counter()
    found = player.choose(state, budget)
    seconds = time.perf_counter() - begin
    if found.move not in game.legal(state):
        raise RuntimeError(f"{player.name} answers the illegal move {found.move} in {state}")
    return found.move, seconds, found.nodes

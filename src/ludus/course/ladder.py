"""Opponents of rising strength for a bot that is checked: agents of ours that look at so many positions, no clock.

A rung's first move is drawn at random, so that no two games of deterministic players are the same; beyond that, each
game is one of the event, from its start, under its referee.
"""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

from ludus.agents.agent import Agent
from ludus.agents.best import best_name
from ludus.agents.naming import amended, make_agent
from ludus.bots.entrants import Entrant
from ludus.bots.player import Choice, Failure, Player, Setup, Turn
from ludus.bots.room import Room
from ludus.events.event import Event
from ludus.referee.fair import play_fairly
from ludus.referee.game import Judged, Pitch, play_game
from ludus.referee.series import BOARDS, drawn_options
from ludus.rules import Game, Line
from ludus.sandbox.process import Evidence, Level, Spent
from ludus.search.seeds import seed_of

RUNGS = {
    "random": "random",
    "greedy": "greedy",
    "minimax": "minimax:depth=3",
    "alphabeta": "alphabeta:nodes=20000,mb=16",
    "mcts": "mcts:nodes=2000,mb=64",
    "best": "nodes=100000,mb=64",  # options of the best agent that there is for a game
}
TITLES = {
    "random": "any legal move",
    "greedy": "one move ahead",
    "minimax": "three plies",
    "alphabeta": "20,000 positions a move",
    "mcts": "2,000 playouts a move",
    "best": "100,000 positions a move",
}
RANDOM_MOVES = 1  # of a rung, at the beginning of each of its games


def agent_name(game: Game, rung: str) -> str:
    """The agent that a rung is in a game."""
    return amended(best_name(game), RUNGS[rung]) if rung == "best" else RUNGS[rung]


class Sparring:
    """A rung as a player: it stays between games, and takes no time from anybody."""

    level: Level = "trusted"
    is_timed = False

    def __init__(self, agent: Agent, name: str) -> None:
        self.agent, self.name = agent, name
        self.rng, self.moves = Random(0), 0

    def begin(self, setup: Setup) -> Failure | None:
        if reseed := getattr(self.agent, "reseed", None):
            reseed(setup.seed)
        self.agent.forget()
        self.rng, self.moves = Random(setup.seed), 0
        return None

    def choose(self, turn: Turn) -> Choice:
        self.moves += 1
        if self.moves <= RANDOM_MOVES:
            return Choice(self.rng.choice(turn.game.legal(turn.state)), None, Spent())
        found = self.agent.choose(turn.state)
        return Choice(found.move, None, Spent(wall_s=found.seconds))

    def evidence(self) -> Evidence:
        return Evidence()

    def close(self) -> None:
        """It stays."""


class Played(NamedTuple):
    """A game of the bot against a rung."""

    rung: str
    number: int  # of the games against this rung, from 1
    seat: int  # of the bot
    options: dict[str, Any]
    judged: Judged
    evidence: Evidence  # of the bot, whatever happened

    @property
    def outcome(self) -> int:
        """1 for a win of the bot, 0 for a draw, -1 for a loss."""
        winner = self.judged.verdict.winner
        if winner is None:
            return 0
        return 1 if winner == self.seat else -1

    @property
    def is_forfeit(self) -> bool:
        return self.judged.verdict.seat == self.seat

    def line(self, game: Game) -> Line:
        states = [self.judged.start]
        for move in self.judged.moves:
            states.append(game.play(states[-1], move))
        return Line(tuple(states), self.judged.moves)


class Ladder:
    """The rungs of one event; each is made when it is first needed, which may compile its search."""

    def __init__(self, event: Event, *, seed: int) -> None:
        self.event, self.seed = event, seed
        self._rungs: dict[str, Sparring] = {}

    def rung(self, name: str) -> Sparring:
        if name not in self._rungs:
            self._rungs[name] = Sparring(make_agent(self.event.game, agent_name(self.event.game, name)), name)
        return self._rungs[name]

    def pitch(self, rung: str, number: int) -> Pitch:
        """The board and the dice of a game; games that differ in seats alone have the same board."""
        game = self.event.game
        place = 1000 * list(RUNGS).index(rung)
        options = drawn_options(game, self.event.options, seed_of(self.seed, BOARDS + place + number // 2) >> 34)
        return Pitch(game, options, self.event.control, seed_of(self.seed, place + number) >> 1)

    def play(self, room: Room, entrant: Entrant, rung: str, number: int) -> Played:
        """A game of a bot against a rung; the bot begins in games of even number."""
        pitch, seat, opponent = self.pitch(rung, number), number % 2, self.rung(rung)
        made: list[Player] = []

        def seat_players(cores: set[int] | None) -> tuple[Player, Player]:
            room.cores = cores
            made.append(room.player(entrant, pitch.game, who=0, seed=pitch.player_seed(seat)))
            return (made[-1], opponent) if seat == 0 else (opponent, made[-1])

        judged = play_fairly(pitch, seat_players).judged
        room.cores = None
        return Played(rung, number + 1, seat, pitch.options, judged, made[-1].evidence())

    def play_rungs(self, one: str, other: str, number: int) -> int:
        """A game of two rungs, `one` in seat 0: its outcome for that seat, 1, 0 or -1."""
        pitch = self.pitch(one, number)
        judged = play_game(pitch, (self.rung(one), self.rung(other)))
        winner = judged.verdict.winner
        return 0 if winner is None else 1 - 2 * winner

"""A player who looks a few plies ahead, as plain minimax does, found quickly: what an opponent is taken for."""

from __future__ import annotations

import time

import numpy as np

from ludus.rules import Game, State
from ludus.search import alphabeta as ab
from ludus.search.deepening import AlphaBeta, warm
from ludus.search.minimax import MoveValues
from ludus.search.pace import Pace
from ludus.search.smaller import ANSWERING, smaller_game
from ludus.search.stopping import ABORTED, FOREVER, NODES

MOST_ANSWERS = ab.MOST_BANNED
MEGABYTES = 1 / 16  # of table: it is emptied for every position


class ShallowPlayer:
    """The moves that `minimax:depth=N` would choose among, without going through every line as that does.

    Where `answering.py` beside the rules tells a position in fewer words, with the same guesses, it looks there.
    """

    def __init__(self, game: Game, depth: int, pace: Pace | None = None) -> None:
        self.game, self.depth, self.pace = game, depth, pace
        self.nodes, self.is_stopped = 0, False  # of all searches
        self.own = _Looker(game)
        told = smaller_game(game, ANSWERING)
        self.brief = None if told is None else _Looker(told)

    def warm(self) -> None:
        """Compile what it looks with, or load it from the cache."""
        for looker in self._lookers():
            warm(looker.game)
            looker.values.of(looker.game.start(), 1)

    def answers(
        self, state: State, *, depth: int | None = None, nodes: int = FOREVER, deadline: int = FOREVER
    ) -> list[int]:
        """The best moves of a position that is not over, the first MOST_ANSWERS of them; none if a limit came first.

        Those of that depth, or else of every depth that it may reach in its time. Of moves that are the same to it,
        one stands for all.
        """
        looker, told = self._told(state)
        found, last_node = dict[int, None](), self.nodes + nodes
        for ahead in self.depths(state) if depth is None else (depth,):
            best, spent = looker.best(told, ahead, min(max(1, last_node - self.nodes), FOREVER), deadline)
            self.nodes += spent
            if not best:
                return []
            found.update(dict.fromkeys(best))
        return [self._original(looker, state, move) for move in found]

    def depths(self, state: State) -> tuple[int, ...]:
        """How deep it may look here."""
        return (self.depth,) if self.pace is None else self.pace.depths(self.game, state, self.depth)

    def after_answers(
        self, state: State, seat: int, *, depth: int | None = None, nodes: int = FOREVER, deadline: int = FOREVER
    ) -> list[State]:
        """Where its moves lead until that seat is to move, or the game is over; none if a limit came first.

        As with answers, the first MOST_ANSWERS of them: a turn of several moves may end in very many ways.
        """
        self.is_stopped, last_node = False, self.nodes + nodes
        ends, waiting = list[State](), [state]
        while waiting and len(ends) < MOST_ANSWERS:
            here = waiting.pop()
            if self.game.result(here) is not None or self.game.turn(here) == seat:
                ends.append(here)
                continue
            if self.is_stopped or self.nodes >= last_node or time.monotonic_ns() >= deadline:
                return []
            answers = self.answers(here, depth=depth, nodes=last_node - self.nodes, deadline=deadline)
            if not answers:
                return []
            waiting += [self.game.play(here, move) for move in reversed(answers)]
        return ends

    def promises(self, state: State, depth: int) -> dict[int, int]:
        """What plain minimax of that depth says of every move: seat 0's payoff in thousandths."""
        looker, told = self._told(state)
        looker.values.begin()
        values = looker.values.of(told, depth)
        self.nodes += looker.values.nodes
        return {self._original(looker, state, move): value for move, value in values.items()}

    def forget(self) -> None:
        for looker in self._lookers():
            looker.searcher.forget()

    def stop(self) -> None:
        """Make a search that runs in another thread come to its end."""
        self.is_stopped = True
        for looker in self._lookers():
            looker.searcher.stop()

    def _lookers(self) -> list[_Looker]:
        return [self.own] if self.brief is None else [self.own, self.brief]

    def _told(self, state: State) -> tuple[_Looker, State]:
        """Who looks at a position, and the position as it is told there."""
        told = None if self.brief is None else self.brief.game.module.reduced(state)
        return (self.own, state) if self.brief is None or told is None else (self.brief, told)

    def _original(self, looker: _Looker, state: State, move: int) -> int:
        return move if looker is self.own else looker.game.module.original(state, move)


class _Looker:
    """Minimax of one game, by alpha-beta for the best moves, plain for what all of them are worth."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.searcher = AlphaBeta(game, megabytes=MEGABYTES, is_selective=False)
        self.values = MoveValues(game)

    def best(self, state: State, depth: int, nodes: int, deadline: int) -> tuple[list[int], int]:
        """The best moves at that depth, none if a limit came first; and nodes."""
        searcher = self.searcher
        searcher.table[:] = 0  # what another root knows deeper would be better than minimax of this depth
        searcher.set_out(nodes, deadline)
        room = searcher.rooms[0].words
        root, best = np.array(state, np.int64), list[int]()
        if depth > 2:  # half as deep first sorts the moves
            searcher.at_depth(root, depth // 2)
        score = as_good = searcher.at_depth(root, depth)
        while as_good >= score and len(best) < MOST_ANSWERS and not room[ABORTED]:
            best.append(int(room[ab.BEST]))
            searcher.ban(best)  # and ask whether any other is as good
            as_good = searcher.at_depth(root, depth, score - 1, score)
        return ([] if room[ABORTED] else best), int(room[NODES])

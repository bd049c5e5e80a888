"""A player who looks a few plies ahead, as plain minimax does, found quickly: what an opponent is taken for."""

from __future__ import annotations

import numpy as np

from ludus.rules import Game, State
from ludus.search import alphabeta as ab
from ludus.search.deepening import AlphaBeta
from ludus.search.stopping import ABORTED, FOREVER, NODES

MOST_ANSWERS = ab.MOST_BANNED
MEGABYTES = 0.25  # of table: it is emptied for every position


class ShallowPlayer:
    """The moves that `minimax:depth=N` would choose among, without going through every line as that does."""

    def __init__(self, game: Game, depth: int) -> None:
        self.game, self.depth = game, depth
        self.searcher = AlphaBeta(game, megabytes=MEGABYTES, is_selective=False)
        self.nodes = 0  # of all searches

    def answers(self, state: State, *, nodes: int = FOREVER, deadline: int = FOREVER) -> list[int]:
        """The best moves of a position that is not over, the first MOST_ANSWERS of them; none if a limit came first."""
        searcher = self.searcher
        searcher.table[:] = 0  # what another root knows deeper would be better than minimax of this depth
        searcher.set_out(nodes, deadline)
        room = searcher.rooms[0].words
        root, best = np.array(state, np.int64), list[int]()
        if self.depth > 2:  # half as deep first sorts the moves: a quarter fewer nodes in all
            searcher.at_depth(root, self.depth // 2)
        score = as_good = searcher.at_depth(root, self.depth)
        while as_good >= score and len(best) < MOST_ANSWERS and not room[ABORTED]:
            best.append(int(room[ab.BEST]))
            searcher.ban(best)  # and ask whether any other is as good
            as_good = searcher.at_depth(root, self.depth, score - 1, score)
        self.nodes += int(room[NODES])
        return [] if room[ABORTED] else best

    def after_answers(self, state: State, seat: int, *, nodes: int = FOREVER, deadline: int = FOREVER) -> list[State]:
        """Where its moves lead until that seat is to move, or the game is over; none if a limit came first."""
        if self.game.result(state) is not None or self.game.turn(state) == seat:
            return [state]
        children = [self.game.play(state, move) for move in self.answers(state, nodes=nodes, deadline=deadline)]
        ends = [self.after_answers(child, seat, nodes=nodes, deadline=deadline) for child in children]
        return [state for part in ends for state in part] if all(ends) else []

    def forget(self) -> None:
        self.searcher.forget()

    def stop(self) -> None:
        """Make a search that runs in another thread come to its end."""
        self.searcher.stop()

"""A player who looks a few plies ahead, as plain minimax does, found quickly: what an opponent is taken for."""

from __future__ import annotations

import numpy as np

from ludus.rules import Game, State
from ludus.search import alphabeta as ab
from ludus.search.deepening import FOREVER, AlphaBeta


class ShallowPlayer:
    """All moves that `minimax:depth=N` would choose among, without going through every line as that does."""

    def __init__(self, game: Game, depth: int, *, compiled: bool | None = None) -> None:
        self.game, self.depth = game, depth
        self.searcher = AlphaBeta(game, megabytes=1, is_selective=False, compiled=compiled)
        self.nodes = 0  # of all searches

    def answers(self, state: State, deadline: int = FOREVER) -> list[int]:
        """The best moves of a position that is not over, the first 32 of them; none if the deadline came first."""
        searcher = self.searcher
        searcher.table[:] = 0  # what another root knows deeper would be better than minimax of this depth
        searcher.set_out(FOREVER, deadline)
        counts = searcher.rooms[0].counts
        root, best = np.array(state, np.int64), list[int]()
        if self.depth > 2:  # half as deep first sorts the moves: a quarter fewer nodes in all
            searcher.at_depth(root, self.depth // 2)
        score = searcher.at_depth(root, self.depth)
        as_good = score
        while as_good >= score and len(best) < ab.MOST_BANNED and not counts[ab.ABORTED]:
            best.append(int(counts[ab.BEST]))
            searcher.ban(best)  # and ask whether any other is as good
            as_good = searcher.at_depth(root, self.depth, score - 1, score)
        self.nodes += int(counts[ab.NODES])
        return [] if counts[ab.ABORTED] else best

    def after_answers(self, state: State, seat: int, *, deadline: int = FOREVER) -> list[State]:
        """Where its moves lead until that seat is to move, or the game is over; none if the deadline came first."""
        if self.game.result(state) is not None or self.game.turn(state) == seat:
            return [state]
        answers = self.answers(state, deadline)
        after = (self.after_answers(self.game.play(state, move), seat, deadline=deadline) for move in answers)
        return [end for ends in after for end in ends]

    def forget(self) -> None:
        self.searcher.forget()

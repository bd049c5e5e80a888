"""A smaller game of the same worth, where a game brings one beside its rules, and alpha-beta on it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from ludus.rules import Game, State
from ludus.search.deepening import AlphaBeta, Judgement, warm
from ludus.search.finding import SCALE, Finding, require_a_move
from ludus.search.stopping import FOREVER
from ludus.search.table import NO_MOVE

# Beside the rules; moves are sorted otherwise for proofs than for guesses, and answers need all that guesses depend on.
PROVING, GUESSING, ANSWERING = "solving.py", "guessing.py", "answering.py"


@cache
def smaller_game(game: Game, file: str = PROVING) -> Game | None:
    """The game of the same worth in the file of that name beside the rules, where there is another one."""
    module = None if game.path.name == file else game.beside(file)
    if module is None or not hasattr(module, "reduced"):
        return None
    return Game(game.name, module, game.path.with_name(file))


class SmallerAlphaBeta:
    """Alpha-beta on the smaller game of `guessing.py` for positions that have one, on the game itself for others.

    Such a file is a rules module with two functions more: `reduced(s)` gives its position for one of the rules, None
    if it has none, and `original(s, m)` the move of the rules for one of its own moves there.
    """

    def __init__(
        self, searcher: AlphaBeta, *, megabytes: int = 64, threads: int = 1, compiled: bool | None = None
    ) -> None:
        self.game, self.own = searcher.game, searcher
        self.small: AlphaBeta | None = None
        small = smaller_game(self.game, GUESSING)
        if small is not None:
            if compiled is not False:
                warm(small)
            self.small = AlphaBeta(small, megabytes=megabytes, threads=threads, compiled=compiled)
        self.last: tuple[State, State | None] = (), None  # a position and its smaller one: they are asked for in turn

    def search(self, state: State, *, nodes: int | None = None, seconds: float | None = None) -> Finding:
        """The best move, as `AlphaBeta.search` finds it; depth and nodes are those of the game that was searched."""
        require_a_move(self.game, state)
        begin = time.perf_counter()
        reduced = self._reduced(state)
        if self.small is None or reduced is None:
            return self.own.search(state, nodes=nodes, seconds=seconds)
        payoff = self.small.game.result(reduced)
        if payoff is not None:  # nothing matters any more
            move = self.game.legal(state)[0]
            return Finding(move, SCALE * payoff, True, (move,), 1, 1, time.perf_counter() - begin)
        left = None if seconds is None else max(0.0, seconds - (time.perf_counter() - begin))
        found = self.small.search(reduced, nodes=nodes, seconds=left)
        line = tuple(self._line(self.small.game, state, found.line))
        return replace(found, move=line[0], line=line)

    def judge(self, state: State, *, nodes: int, deadline: int = FOREVER) -> Judgement:
        """What a position is worth by a search of few nodes, as `AlphaBeta.judge` says it."""
        reduced = self._reduced(state)
        if self.small is None or reduced is None:
            return self.own.judge(state, nodes=nodes, deadline=deadline)
        payoff = self.small.game.result(reduced)
        if payoff is not None:
            return Judgement(SCALE * payoff, True, 1, NO_MOVE)
        found = self.small.judge(reduced, nodes=nodes, deadline=deadline)
        if found.move == NO_MOVE:
            return found
        return found._replace(move=self.small.game.module.original(state, found.move))

    def proves_win(self, state: State, *, nodes: int, deadline: int = FOREVER) -> tuple[bool, int]:
        """Whether the mover wins, as `AlphaBeta.proves_win` says it."""
        reduced = self._reduced(state)
        if self.small is None or reduced is None:
            return self.own.proves_win(state, nodes=nodes, deadline=deadline)
        payoff = self.small.game.result(reduced)
        if payoff is not None:
            return (payoff if self.small.game.turn(reduced) == 0 else -payoff) > 0, 1
        return self.small.proves_win(reduced, nodes=nodes, deadline=deadline)

    def alike(self, state: State) -> tuple[int, ...]:
        """The same for positions that are worth the same: that of the smaller game, where there is one."""
        reduced = self._reduced(state)
        return state if reduced is None else reduced

    def _reduced(self, state: State) -> State | None:
        """The position of the smaller game, where there is one."""
        if self.small is None:
            return None
        if state is not self.last[0]:
            self.last = state, self.small.game.module.reduced(state)
        return self.last[1]

    def _line(self, small: Game, state: State, line: tuple[int, ...]) -> Iterator[int]:
        for move in line:
            own: int = small.module.original(state, move)
            yield own
            state = self.game.play(state, own)

    def get_ready(self) -> None:
        """Write to the table that positions need before a move does: the first time, memory takes a while."""
        (self.own if self.small is None else self.small).forget()

    def forget(self) -> None:
        """Empty the tables; one that was never used takes no memory, and should not begin to."""
        for searcher in (self.own, self.small):
            if searcher is not None and searcher.age > 0:
                searcher.forget()

    def stop(self) -> None:
        self.own.stop()
        if self.small is not None:
            self.small.stop()

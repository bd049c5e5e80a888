"""The agent `pijuns`: the documented bot "Filthy Pijuns" for `extreme`, after its report."""

from __future__ import annotations

import time as clock
from typing import Any, cast

import numpy as np

from ludus.agents import pijuns_search as search
from ludus.agents.agent import Budget
from ludus.compile.link import link
from ludus.errors import AgentError
from ludus.games.extreme.rules import WIN as WIN_POINTS
from ludus.games.extreme.rules import State as ExtremeState
from ludus.rules import Game, State
from ludus.search.finding import SCALE, Finding, require_a_move
from ludus.search.stopping import ABORTED, FOREVER, NODES, STOP, deadline_in, is_over, set_limits

ITS_OWN_SECONDS = 15.0  # a move, of the sixteen that its event allows
FIRST_DEPTH = 3
# Of its tables of scores: larger ones leave the cache and cost more than they save.
BLOCK_ENTRIES, BOARD_ENTRIES = 1 << 15, 1 << 15
ZOBRIST_SEED = 2018


class PijunsAgent:
    """Alpha-beta to depth 3, then 4, and so on; the move of the last iteration that was finished counts.

    Moves are tried in the order of blocks and cells. A leaf is worth the board score of the bot's own marks: those
    of the opponent count only in that they spoil patterns. Its report says no more of the end of a game than that
    a win is best: so a won game is above every score, a lost one below, and one without a pattern is worth its
    board score. `marks=both` takes the opponent's board score off, which makes it stronger.
    """

    def __init__(
        self,
        *,
        game: Game,
        name: str,
        seed: int = 0,  # nothing in it is random
        time: float | None = None,
        nodes: int | None = None,
        marks: str = "own",
    ) -> None:
        if game.module.State._fields != ExtremeState._fields:
            raise AgentError(f"agent {name[:60]!r}: it plays extreme only, not {game.name}")
        if marks not in ("own", "both"):
            raise ValueError(f"marks is {marks[:20]!r}; own or both was expected")
        self.game, self.name, self.counts_both = game, name, marks == "both"
        self.limits = Budget(time, nodes)
        self.search_to = link(game, search.search_to)
        self.zobrist = search.new_keys(ZOBRIST_SEED)
        self.blocks, self.boards = np.zeros(2 * BLOCK_ENTRIES, np.int64), np.zeros(2 * BOARD_ENTRIES, np.int64)
        self.undo = np.zeros(search.UNDO * search.MOST_PLIES, np.int64)
        self.room = np.zeros(search.ROOM, np.int64)
        self.forget()
        self.choose(game.start(), Budget(nodes=1))  # compiles
        self.forget()

    def choose(self, state: State, budget: Budget = Budget()) -> Finding:  # noqa: B008
        require_a_move(self.game, state)
        begin = clock.perf_counter()
        legal = self.game.legal(state)
        limits = budget.within(self.limits).for_moves(len(legal))
        if limits == Budget():
            limits = Budget(seconds=ITS_OWN_SECONDS)
        seconds = limits.thinking_seconds
        deadline = deadline_in(seconds)
        nodes = FOREVER if limits.nodes is None else limits.nodes
        set_limits(self.room, self.search_to, nodes=nodes, deadline=deadline)
        board = search.new_board(cast(ExtremeState, state), self.zobrist, counts_both=self.counts_both)
        move, score, depth = legal[0], 0, FIRST_DEPTH - 1
        while True:
            self.room[search.GUESSES] = 0
            found = int(self._search_to(board.copy(), depth + 1))
            is_finished = not self.room[ABORTED]
            if is_finished or (depth < FIRST_DEPTH and -search.WIN <= found <= search.WIN):
                move, score = int(self.room[search.BEST]), found
            if not is_finished:
                break
            depth += 1
            if not self.room[search.GUESSES] or abs(score) == search.WIN or is_over(self.room):
                break
        return self._finding(state, move, score, depth, clock.perf_counter() - begin)

    def forget(self) -> None:
        # Keys and places that fit no position: an empty entry must not pass for the score of an empty board.
        self.blocks[:] = -1
        self.boards[:] = -1

    def stop(self) -> None:
        self.room[STOP] = 1

    def _search_to(self, board: Any, depth: int) -> Any:
        arguments = (self.zobrist, self.blocks, self.boards, self.undo, self.room)
        return self.search_to(board, depth, *arguments)

    def _finding(self, state: State, move: int, score: int, depth: int, seconds: float) -> Finding:
        """Its own score is no payoff: where the game is not decided, the game's guess stands in for one."""
        sign = 1 if self.game.turn(state) == 0 else -1
        # A loss is proven only by an iteration that was finished: there may be a better move.
        is_decided = score == search.WIN or (score == -search.WIN and depth >= FIRST_DEPTH)
        points = sign * SCALE * (WIN_POINTS if score > 0 else -WIN_POINTS)
        after = self.game.play(state, move)
        payoff = self.game.result(after)
        return Finding(
            move=move,
            score=points if is_decided else self.game.evaluate(after) if payoff is None else SCALE * payoff,
            is_exact=is_decided,
            line=(move,),
            depth=depth,
            nodes=int(self.room[NODES]),
            seconds=seconds,
            counts={"board_score_thousandths": score} if abs(score) < search.WIN else {},
        )

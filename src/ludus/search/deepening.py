"""Iterative deepening around alpha-beta: windows, threads on one table, the clock, and what was found."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ludus.compile.interface import Words
from ludus.compile.link import link, wrapping
from ludus.networks.network import Network, new_mind, shape_of
from ludus.rules import Game, State
from ludus.search import alphabeta as ab
from ludus.search.finding import SCALE, Finding, require_a_move
from ludus.search.stopping import (
    ABORTED,
    DEADLINE,
    FOREVER,
    NEXT_LOOK,
    NODE_LIMIT,
    NODES,
    STOP,
    deadline_in,
    is_over,
    set_limits,
)
from ludus.search.table import NO_MOVE, new_table

WINDOW = SCALE // 50  # around the score of the iteration before
LONGEST_LINE = 64
MARGIN = 150  # thousandths of the greatest payoff that a network's guess is believed by, a ply
# From here up, moves are sorted: it takes as long as some guesses of tables, but not of a network. Without late-move
# reductions less depends on it.
SORTED_DEPTH, SORTED_DEPTH_OF_NETWORKS, SORTED_DEPTH_IN_FULL = 2, 1, 3
JUDGED_DEPTH = 3  # from here up, moves are sorted by the evaluation, where there is one
LAST_BEGIN = 0.3  # of a judgement's nodes: an iteration that begins later would hardly end


class Room(NamedTuple):
    """What one thread works in: its orders, counts and notes, laid out as in `alphabeta`, and its mind."""

    words: Words
    mind: Words  # of the network, where there is one


class Judgement(NamedTuple):
    """What a position is worth: seat 0's payoff in thousandths, under perfect play if exact, else expected."""

    score: int
    is_exact: bool
    nodes: int
    move: int  # the best one, NO_MOVE if none was found


class AlphaBeta:
    """A searcher of one game. Its table, killers and history outlive a search and help the next one."""

    def __init__(
        self,
        game: Game,
        *,
        megabytes: float = 64,
        threads: int = 1,
        is_selective: bool = True,
        network: Network | None = None,
        compiled: bool | None = None,
    ) -> None:
        self.game, self.age, self.network = game, 0, network
        self.table = new_table(megabytes)
        self.rooms = [_new_room(game.move_limit, new_mind(network)) for _ in range(threads)]
        self.search_once = wrapping(link(game, ab.search_once, compiled=compiled, shape=shape_of(network)))
        self.best_line = wrapping(link(game, ab.best_line, compiled=compiled))
        can_judge = network is not None or game.guess is not None or hasattr(game.module, "banked")
        margin = margin_of(game, network) if is_selective else 0
        judged = JUDGED_DEPTH if can_judge else ab.DEEPEST + 1
        sorted_depth = SORTED_DEPTH_OF_NETWORKS if network else SORTED_DEPTH if is_selective else SORTED_DEPTH_IN_FULL
        self.selection = int(is_selective), margin, judged, sorted_depth

    def forget(self) -> None:
        """Empty the table and all memory of moves: the next search depends on nothing before."""
        self.table[:] = 0
        self.age = 0
        for room in self.rooms:
            room.words[ab.KILLERS : ab.HISTORY] = -1
            room.words[ab.HISTORY :] = 0

    def stop(self) -> None:
        """Make a search that runs in another thread come to its end."""
        for room in self.rooms:
            room.words[STOP] = 1

    def search(
        self,
        state: State,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        on_progress: Callable[[Finding], None] = lambda finding: None,
    ) -> Finding:
        """The best move of a position that is not over, as far as depth, nodes and seconds allow.

        The first iteration is always finished. Threads share the nodes; with one thread, the same limits of depth and
        nodes and the same searches before give the same move. `on_progress` hears of every iteration.
        """
        return self.search_lines(
            state, 1, depth=depth, nodes=nodes, seconds=seconds, on_progress=lambda found: on_progress(found[0])
        )[0]

    def search_lines(
        self,
        state: State,
        lines: int,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        on_progress: Callable[[list[Finding]], None] = lambda found: None,
    ) -> list[Finding]:
        """The best moves of a position that is not over, as many as asked for and legal, the best one first."""
        require_a_move(self.game, state)
        begin = time.perf_counter()
        deadline = deadline_in(seconds)
        nodes_a_thread = FOREVER if nodes is None else max(1, nodes // len(self.rooms))
        lines = min(lines, len(self.game.legal(state)), ab.MOST_BANNED)
        self.set_out(FOREVER, FOREVER)
        for helper in self.rooms[1:]:  # the first iteration is for one thread to finish
            helper.words[DEADLINE], helper.words[NODE_LIMIT] = deadline, nodes_a_thread
        found: list[Finding] = []
        swings = [0] * lines
        with ThreadPoolExecutor(len(self.rooms)) as pool:
            for ahead in range(1, min(depth or ab.DEEPEST, ab.DEEPEST) + 1):
                fresh = self._deeper(pool, state, ahead, found, swings, begin)
                if len(fresh) < lines:  # out of time: what was found before fills the places left
                    moves = {one.move for one in fresh}
                    found = (fresh + [one for one in found if one.move not in moves])[:lines]
                    break
                found = sorted(fresh, key=lambda one: one.score, reverse=self.game.turn(state) == 0)
                on_progress(found)
                self._limit(nodes_a_thread, deadline)
                if all(one.is_exact for one in found) or is_over(self.rooms[0].words):
                    break
        if lines == 1 and not found[0].is_exact:
            found = [self._at_the_end(found[0], state, time.perf_counter() - begin)]
        return found

    def judge(self, state: State, *, nodes: int, deadline: int = FOREVER) -> Judgement:
        """What a position that is not over is worth by a search of few nodes, in one thread.

        `search` says more and may use more, but takes half a millisecond whatever the position.
        """
        sign, root = 1 if self.game.turn(state) == 0 else -1, np.array(state, np.int64)
        self.set_out(FOREVER, FOREVER)
        words = self.rooms[0].words
        score, is_exact, move = 0, False, NO_MOVE
        for depth in (1, *range(2, ab.DEEPEST, 2)):  # each second one sorts the moves for the next well enough
            fresh = self.at_depth(root, depth)
            if words[ABORTED]:
                break
            score, is_exact = sign * fresh, bool(words[ab.GUESSES] == 0) or self._is_limit(state, sign * fresh)
            move = int(words[ab.BEST])
            if is_exact or words[NODES] >= LAST_BEGIN * nodes:
                break
            self._limit(nodes, deadline)
        return Judgement(score, is_exact, int(words[NODES]), move)

    def proves_win(self, state: State, *, nodes: int, deadline: int = FOREVER) -> tuple[bool, int]:
        """Whether one thread can prove within the limits that the mover of a position that is not over wins; and nodes.

        A window of zero width takes fewer nodes than the value that `judge` may prove.
        """
        self.set_out(nodes, deadline)
        score = self.at_depth(np.array(state, np.int64), ab.DEEPEST, 0, 1)
        words = self.rooms[0].words
        return bool(score > 0 and words[ab.GUESSES] == 0 and words[ABORTED] == 0), int(words[NODES])

    def at_depth(self, root: Words, depth: int, low: int = -ab.INFINITY, high: int = ab.INFINITY) -> int:
        """The mover's score by one thread at this depth, in this window; the search has been set out."""
        return int(self.search_once(root, depth, low, high, self.table, *self.rooms[0]))

    def _deeper(
        self, pool: ThreadPoolExecutor, state: State, depth: int, before: list[Finding], swings: list[int], begin: float
    ) -> list[Finding]:
        """One iteration for each line wanted, each without the moves of those before it; fewer when time is up."""
        sign = 1 if self.game.turn(state) == 0 else -1
        root = np.array(state, np.int64)
        fresh: list[Finding] = []
        for k in range(len(swings)):
            guess = sign * before[k].score if before else 0
            banned = [one.move for one in fresh]
            self.ban(banned)
            self._begin_with(before[k].move if before and before[k].move not in banned else NO_MOVE)
            score, is_whole = self._iteration(pool, root, depth, guess, max(WINDOW, 2 * swings[k]))
            if not is_whole:
                break
            swings[k] = abs(score - guess)
            fresh.append(self._found(state, sign * score, depth, time.perf_counter() - begin))
        return fresh

    def ban(self, moves: list[int]) -> None:
        """Forbid moves at the root."""
        for room in self.rooms:
            room.words[ab.BANNED : ab.BANNED + 1 + len(moves)] = (len(moves), *moves)

    def _begin_with(self, move: int) -> None:
        """Have the root try this move first."""
        for room in self.rooms:
            room.words[ab.ROOT_MOVE] = move

    def forget_counts(self) -> None:
        """Nothing is counted yet of the search that comes next."""
        for room in self.rooms:
            room.words[NODES] = room.words[ab.HITS : ab.BEST] = 0

    def set_out(self, nodes: int, deadline: int) -> None:
        """A new search begins, with these limits."""
        self.age += 1
        for room in self.rooms:
            set_limits(room.words, self.search_once, nodes=nodes, deadline=deadline)
            room.words[ab.AGE : ab.ROW] = (self.age, *self.selection, NO_MOVE)
            room.words[ab.GUESSES : ab.BANNED + 1] = 0
            room.words[ab.HISTORY : ab.HISTORY + 2 * self.game.move_limit] //= 8  # history fades, and never overflows

    def _limit(self, nodes: int, deadline: int) -> None:
        for room in self.rooms:
            room.words[DEADLINE], room.words[NODE_LIMIT] = deadline, nodes
            room.words[NEXT_LOOK] = 0

    def _iteration(
        self, pool: ThreadPoolExecutor, root: Words, depth: int, guess: int, window: int
    ) -> tuple[int, bool]:
        """The mover's score at this depth, and whether it was finished in time."""
        low, high = (guess - window, guess + window) if depth > 2 else (-ab.INFINITY, ab.INFINITY)
        while True:
            score = self._in_window(pool, root, depth, low, high)
            if self.rooms[0].words[ABORTED]:
                return guess, False
            if low < score < high:
                return score, True
            if abs(score) >= ab.INFINITY:  # a payoff beyond all windows
                return score, True
            self._begin_with(int(self.rooms[0].words[ab.BEST]))
            window = 4 * window
            if score <= low:
                low = max(guess - window, -ab.INFINITY)
            else:
                high = min(guess + window, ab.INFINITY)

    def _in_window(self, pool: ThreadPoolExecutor, root: Words, depth: int, low: int, high: int) -> int:
        """One search by all threads; the others fill the table, every second of them a ply deeper."""
        main, *others = self.rooms
        running: list[Future[Any]] = [
            pool.submit(self.search_once, root, min(depth + i % 2, ab.DEEPEST), low, high, self.table, *room)
            for i, room in enumerate(others, 1)
        ]
        try:
            score = int(self.search_once(root, depth, low, high, self.table, *main))
        finally:  # an interrupt, too: leaving the pool waits for its threads
            for room in others:
                room.words[STOP] = 1
        for future in running:
            future.result()
        for room in others:
            room.words[STOP] = main.words[STOP]
            room.words[ABORTED] = 0
        return score

    def counted(self, what: int) -> int:
        """One of the counts, of all threads together; the search may still go on."""
        return sum(int(room.words[what]) for room in self.rooms)

    def counts(self) -> dict[str, int]:
        """The counts of this search beside its nodes."""
        return {
            "table_hits": self.counted(ab.HITS),
            "cut_offs": self.counted(ab.CUTS),
            "cut_offs_by_first_move": self.counted(ab.FIRST_CUTS),
        }

    def _is_limit(self, state: State, score: int) -> bool:
        """Whether a score is the least or the greatest payoff there is: guesses lie between, so it is proven.

        Not where a guess may come from another position of the same core, whose payoffs may be others.
        """
        module = self.game.module
        if not hasattr(module, "payoffs") or hasattr(module, "banked") or hasattr(module, "core"):
            return False
        return score in [SCALE * payoff for payoff in module.payoffs(state)]

    def _at_the_end(self, found: Finding, state: State, seconds: float) -> Finding:
        """What the last finished iteration found, or a better move that the unfinished one has already seen."""
        now = self._found(state, found.score, found.depth, seconds)
        is_same = now.move == found.move
        return replace(now, is_exact=False, line=found.line if is_same else (now.move,))

    def _found(self, state: State, score: int, depth: int, seconds: float) -> Finding:
        main = self.rooms[0]
        move = int(main.words[ab.BEST])
        line = np.zeros(LONGEST_LINE, np.int64)
        length = int(self.best_line(np.array(self.game.play(state, move), np.int64), self.table, line))
        return Finding(
            move=move,
            score=score,
            is_exact=bool(main.words[ab.GUESSES] == 0) or self._is_limit(state, score),
            line=(move, *line[:length].tolist()),
            depth=depth,
            nodes=self.counted(NODES),
            seconds=seconds,
            counts=self.counts(),
        )


def warm(game: Game, network: Network | None = None) -> None:
    """Compile the search for this game, and the network if there is one, or load it from the cache."""
    AlphaBeta(game, megabytes=1, network=network).search(game.start(), depth=1)


def margin_of(game: Game, network: Network | None) -> int:
    """How far above what is needed a guess is believed, a ply; the game says it, or the network's payoffs."""
    own = int(game.part("MARGIN", file="evaluation.py") or 0)
    return own or (0 if network is None else MARGIN * network.shape.greatest)


def _new_room(move_limit: int, mind: Words) -> Room:
    words = np.zeros(ab.HISTORY + (2 + ab.MOST_PLIES) * move_limit, np.int64)
    words[ab.ROW] = move_limit
    words[ab.KILLERS : ab.HISTORY] = -1
    return Room(words, mind)

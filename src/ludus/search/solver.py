"""The exact solver: the value of a position under perfect play, every best move, and a line of best play.

It asks whether the first seat gets at least so much, of the position and then of every move, until only one answer is
left. Games of few payoffs are asked by proof numbers, margins by alpha-beta with a window of zero width. A game may
have a smaller game of the same worth in `solving.py` beside its rules; then that one is searched.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from functools import cached_property
from threading import Lock
from typing import Any, cast

import numpy as np

from ludus.compile.bindings import HUGE
from ludus.compile.link import link, wrapping
from ludus.errors import RulesError
from ludus.rules import Game, State
from ludus.search import proof, proof_numbers
from ludus.search.finding import SCALE, require_a_move
from ludus.search.questions import UNKNOWN, Bounds, Question, Room, new_rooms
from ludus.search.smaller import smaller_game
from ludus.search.solution import Progress, Solution
from ludus.search.stopping import ABORTED, FOREVER, NEXT_LOOK, NODE_LIMIT, NODES, STOP, deadline_in, set_limits
from ludus.search.table import Table
from ludus.search.tabled import Tabled, table_module

FEW_PAYOFFS = 6  # the spread up to which proof numbers ask
LOOK_S = 0.1  # between two reports of progress
BUDGETS = (1_000, 30_000, 1_000_000)  # nodes for each move when any best one will do: what is proven comes first
LONGEST_LINE = 400
FIRST_MEGABYTES, GROWTH, GROWING_S = 16, 4, 0.002  # of a table that grows: by that factor, in so long a megabyte
WORDS_AN_ENTRY = 2


class Solver:
    """A solver of one game. What it has proven stays in its table and helps with later positions."""

    def __init__(
        self,
        game: Game,
        *,
        megabytes: int = 512,
        threads: int = 1,
        is_growing: bool = False,
        compiled: bool | None = None,
    ) -> None:
        """A solver that `is_growing` begins with a small table: a large one takes a second only to be written to."""
        self.game, self.megabytes, self.threads, self.compiled = game, megabytes, threads, compiled
        self.megabytes_now = min(FIRST_MEGABYTES, megabytes) if is_growing else megabytes
        self.is_crowded = False
        self.tabled = Tabled(game, compiled=compiled) if table_module(game) is not None else None
        self.searched = game  # or the smaller game, where there is one for the position
        self.rooms: list[Room] = []
        self.undecided: list[int] = []
        self.best: list[int] = []
        self.is_stopped = False
        self.lock = Lock()  # on who is at which question

    @cached_property
    def table(self) -> Table:
        """The proofs found so far, where no table of all positions does the work."""
        return proof.new_proofs(self.megabytes_now)

    def forget(self) -> None:
        """Forget all proofs. Memory is written to here rather than in a move: the first time, that takes a while."""
        if self.tabled is not None:
            self.tabled.forget()
        else:
            self.table[:] = 0

    def stop(self) -> None:
        """Make a `solve` that runs in another thread come to its end."""
        self.is_stopped = True
        if self.tabled is not None:
            self.tabled.stop()
        with self.lock:
            for room in self.rooms:
                room.words[STOP] = 1

    def solve(
        self,
        state: State,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        needs_all_moves: bool = True,
        in_parts: bool = False,
        on_progress: Callable[[Progress], None] = lambda progress: None,
    ) -> Solution:
        """All that can be proven within the limits; with one thread, the same nodes and table give the same answer.

        Unless all moves are needed, it stops at the value and the first best move that it finds. A table of all
        positions may be built `in_parts`, while a game goes on.
        """
        begin = time.perf_counter()
        self.is_stopped = False
        payoff = self.game.result(state)
        if payoff is not None:
            return Solution(Bounds(payoff, payoff), (), (), (), 0, time.perf_counter() - begin, "")
        require_a_move(self.game, state)
        if self.tabled is not None:
            return self.tabled.solve(
                state,
                megabytes=self.megabytes,
                nodes=nodes,
                seconds=seconds,
                needs_all_moves=needs_all_moves,
                in_parts=in_parts,
                on_progress=on_progress,
            )
        self._set_out(state, nodes, seconds, on_progress)
        with ThreadPoolExecutor(self.threads) as self.pool:
            try:
                line = self._prove(state, needs_all_moves)
            except BaseException:  # an interrupt, say: leaving the pool waits for its threads
                self.stop()
                raise
        seconds_spent = time.perf_counter() - begin
        best, undecided = tuple(sorted(self.best)), tuple(sorted(self.undecided))
        return Solution(self.bounds, best, undecided, line, self._nodes(), seconds_spent, self.limit)

    def _prove(self, state: State, needs_all_moves: bool) -> tuple[int, ...]:
        """Find the value, then the best moves: all, or one; the line of best play where all is known."""
        self._find_value(state)
        if self.bounds.is_exact and needs_all_moves:
            self._find_moves(state)
        if self.bounds.is_exact and not self.undecided:
            return tuple(self._line(state))
        if self.bounds.is_exact and not needs_all_moves:
            move = self._some_best_move(state)
            if move is not None:
                self.best, self.undecided = [move], []
        return ()

    def _set_out(
        self, state: State, nodes: int | None, seconds: float | None, on_progress: Callable[[Progress], None]
    ) -> None:
        self.nodes_a_thread = FOREVER if nodes is None else max(1, nodes // self.threads)
        self.deadline = deadline_in(seconds)
        self.limit, self.on_progress = "", on_progress
        self._set_crowded_at()
        small = smaller_game(self.game)
        self.searched = small if small is not None and small.module.reduced(state) is not None else self.game
        self.bounds = self._declared(state)
        has_few = self.bounds.most - self.bounds.least <= FEW_PAYOFFS
        self.entry = wrapping(link(self.searched, _entry(has_few), compiled=self.compiled))
        self.shares_questions = has_few
        self.rooms = new_rooms(self.threads, has_few_payoffs=has_few, move_limit=self.searched.move_limit)
        for room in self.rooms:
            set_limits(room.words, self.entry, nodes=self.nodes_a_thread, deadline=self.deadline)
        self.undecided, self.best = self.game.legal(state), []
        self.moves = len(self.undecided)

    def _reduced(self, state: State) -> State:
        return state if self.searched is self.game else cast(State, self.searched.module.reduced(state))

    def _declared(self, state: State) -> Bounds:
        """The bounds that the rules themselves give."""
        payoff = self.game.result(state)
        small = state
        if payoff is None:
            small = self._reduced(state)
            payoff = self.searched.result(small)
        if payoff is not None:
            return Bounds(payoff, payoff)
        declared = getattr(self.searched.module, "payoffs", None)
        return UNKNOWN if declared is None else Bounds(*declared(small))

    def _nodes(self) -> int:
        return sum(int(room.words[NODES]) for room in self.rooms)

    def _find_value(self, state: State) -> None:
        """Narrow the bounds to one number: first the claims that are nearest to the guess.

        Where threads do not share a question, there are as many claims at a time as threads.
        """
        guess = self.game.evaluate(state)
        at_once = 1 if self.shares_questions else self.threads
        while not self.bounds.is_exact and not self.limit:
            middle = min(max(round(guess / SCALE), self.bounds.least), self.bounds.most)
            near = range(middle - self.threads - 1, middle + self.threads + 2)
            claims = [claim for claim in near if not self.bounds.settles(claim)]
            if not claims:
                raise RulesError("a position that is not over leaves no move", path=self.game.path)
            claims = sorted(claims, key=lambda claim: abs((2 * claim - 1) * SCALE - 2 * guess))[:at_once]
            questions = [Question(state, claim, self.bounds) for claim in claims]
            for _ in self._answers(questions):
                for one in questions:
                    self.bounds = self.bounds.within(one.bounds)

    def _find_moves(self, state: State) -> None:
        """Sort all moves into those that keep the value and those that do not."""
        questions = {move: self._about(state, move) for move in self.undecided}
        for _ in self._answers([one for one in questions.values() if not one.is_settled]):
            self._sort_out(state, questions)
        self._sort_out(state, questions)

    def _sort_out(self, state: State, questions: dict[int, Question]) -> None:
        """Move what is settled from the undecided moves to the best ones, or to none."""
        for move in self.undecided.copy():
            if questions[move].is_settled:
                self.undecided.remove(move)
                if self._is_kept(state, questions[move]):
                    self.best.append(move)

    def _about(self, state: State, move: int) -> Question:
        """Whether a move is a best one, given the value; with what the rules say of that."""
        child, value = self.game.play(state, move), self.bounds.least
        return Question(child, value if self.game.turn(state) == 0 else value + 1, self._declared(child))

    def _is_kept(self, state: State, answered: Question) -> bool:
        """Whether a settled question says that the move to its position keeps the value of this one."""
        return (answered.bounds.least >= answered.claim) == (self.game.turn(state) == 0)

    def _answers(self, questions: list[Question]) -> Iterator[None]:
        """Have all threads answer the questions, or reach a limit; gives a turn now and then."""
        while True:
            self.is_crowded = False
            running = {self.pool.submit(self._work, room, questions) for room in self.rooms}
            while running:
                done, running = wait(running, timeout=LOOK_S, return_when=FIRST_COMPLETED)
                for future in done:
                    future.result()
                yield
                self.on_progress(Progress(self._nodes(), self.bounds, self.moves - len(self.undecided), self.moves))
            if self.limit or not self.is_crowded:
                return
            self._grow()

    def _grow(self) -> None:
        """Take a larger table, if there is time for that, and say when it will be crowded."""
        larger = min(GROWTH * self.megabytes_now, self.megabytes)
        if time.monotonic_ns() + GROWING_S * larger * 1e9 < self.deadline:
            self.table, self.megabytes_now = proof.regrown(self.table, larger), larger
            self._set_crowded_at()
        else:
            self.crowded_at = FOREVER

    def _set_crowded_at(self) -> None:
        """When so many nodes of each thread have filled half of the table; one that cannot grow is never crowded."""
        can_grow = self.megabytes_now < self.megabytes
        self.crowded_at = self.table.size // (2 * WORDS_AN_ENTRY * self.threads) if can_grow else FOREVER

    def _work(self, room: Room, questions: list[Question]) -> None:
        """One thread's part: the next question that nobody is at, or one where others may need help."""
        while (question := self._taken(room, questions)) is not None:
            found = self._ask(room, question.state, question.claim, self.crowded_at - int(room.words[NODES]))
            with self.lock:
                if room.words[NODES] >= self.crowded_at:
                    self.is_crowded = True
                    for other in self.rooms:
                        other.words[STOP] = 1
                question.rooms = [other for other in question.rooms if other is not room]
                for one in questions:
                    if one.state is question.state:
                        one.bounds = one.bounds.within(found)
                    if one.is_settled:
                        for other in one.rooms:
                            other.words[STOP] = 1

    def _taken(self, room: Room, questions: list[Question]) -> Question | None:
        """The open question with the fewest threads at it, now with this one too; None if there is nothing to do."""
        with self.lock:
            waiting = [one for one in questions if not one.is_settled and (self.shares_questions or not one.rooms)]
            if not waiting or self.limit or self.is_crowded:
                return None
            question = min(waiting, key=lambda one: len(one.rooms))
            question.rooms.append(room)
            room.words[STOP] = int(self.is_stopped)
            return question

    def _some_best_move(self, state: State) -> int | None:
        """A best move of a position with the value that was found: what is in the table costs little to find."""
        win = self._win_at_once(state)
        if win is not None:
            return win
        for budget in BUDGETS:
            for move in self.game.legal(state):
                question = self._about(state, move)
                if not question.is_settled and not self.limit:
                    room = self.rooms[0]
                    room.words[STOP] = int(self.is_stopped)
                    question.bounds = self._ask(room, question.state, question.claim, budget)
                if question.is_settled and self._is_kept(state, question):
                    return move
        return None

    def _win_at_once(self, state: State) -> int | None:
        """A move that ends the game with the value that was found, where its mover likes that."""
        value = self.bounds.least
        if value <= 0 if self.game.turn(state) == 0 else value >= 0:
            return None
        return next(
            (move for move in self.game.legal(state) if self.game.result(self.game.play(state, move)) == value), None
        )

    def _line(self, state: State) -> Iterator[int]:
        move = self._win_at_once(state)
        move = min(self.best) if move is None else move
        for _ in range(LONGEST_LINE):
            if move is None:
                return
            yield move
            state = self.game.play(state, move)
            if self.game.result(state) is not None:
                return
            move = self._some_best_move(state)

    def _ask(self, room: Room, state: State, claim: int, budget: int) -> Bounds:
        """What asking a position that is not over brings to light: whether its payoff is at least the claim."""
        is_first = self.game.turn(state) == 0
        beta = claim if is_first else 1 - claim
        room.words[ABORTED] = room.words[NEXT_LOOK] = 0
        room.words[NODE_LIMIT] = min(self.nodes_a_thread, int(room.words[NODES]) + max(0, budget))
        root = np.array(self._reduced(state), np.int64)
        bound = int(self.entry(root, beta, self.table, *room))
        if room.words[ABORTED]:
            self.limit = self.limit or self._reached(room)
            return UNKNOWN
        holds = bound >= beta
        if is_first:
            return Bounds(bound, HUGE) if holds else Bounds(-HUGE, bound)
        return Bounds(-HUGE, -bound) if holds else Bounds(-bound, HUGE)

    def _reached(self, room: Room) -> str:
        """The limit that ended a search, "" if it was only stopped as no longer needed, or by a small budget."""
        if self.is_stopped:
            return "stop"
        if room.words[proof.TOO_DEEP]:
            return "depth"
        if room.words[proof.TOO_LARGE]:
            return "numbers"
        if time.monotonic_ns() >= self.deadline:
            return "seconds"
        return "nodes" if room.words[NODES] >= self.nodes_a_thread else ""


def warm(game: Game, state: State | None = None) -> None:
    """Compile all that may be needed from a position on, or from any start of the game; or load it from the cache."""
    if table_module(game) is not None:
        Tabled(game).warm()
        return
    position = game.start() if state is None else state
    if game.result(position) is not None:
        return
    small = smaller_game(game)
    reduced = None if small is None else small.module.reduced(position)
    is_open = state is None and game.has_options  # other starts may need other ways
    if small is not None:
        _warm(small, small.start() if reduced is None else reduced, is_open=is_open or reduced is None)
    if reduced is None or is_open:
        _warm(game, position, is_open=is_open)


def _warm(searched: Game, position: State, *, is_open: bool) -> None:
    """Ask a question that ends at once, in each way that may be needed: payoffs become few on the way."""
    declared = getattr(searched.module, "payoffs", None)
    least, most = UNKNOWN if declared is None else declared(position)
    are_always_few = most - least <= FEW_PAYOFFS and not is_open
    for has_few in (False,) if declared is None else (True,) if are_always_few else (False, True):
        entry = wrapping(link(searched, _entry(has_few)))
        (room,) = new_rooms(1, has_few_payoffs=has_few, move_limit=searched.move_limit)
        set_limits(room.words, entry, nodes=0)
        entry(np.array(position, np.int64), 0, proof.new_proofs(1), *room)


def _entry(has_few_payoffs: bool) -> Callable[..., Any]:
    return proof_numbers.ask_numbers if has_few_payoffs else proof.ask

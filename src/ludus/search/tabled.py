"""Perfect play by looking up, for a game that brings `table.py`: all positions from one on, filled in backwards.

Built once, the table serves every later position of that game; where one move has not the time for it, several build
it together. See games/subtraction/table.py for what such a file says; `fill` and `place_boxes` of it are compiled, the
rest runs as it is.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from functools import cache
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.link import link
from ludus.rules import Game, State, random_line
from ludus.search.questions import UNKNOWN, Bounds
from ludus.search.solution import Progress, Solution
from ludus.search.stopping import FOREVER, deadline_in
from ludus.search.tempting import tempting

NS_AN_ENTRY, NS_OF_SHORT_ROWS = 4.0, 2500.0  # building, by benchmarks/solving.py: 28 ns for 10^5 entries, 5 for 10^9
NS_A_BOX = 8.0  # planning
PLAIN_NS_AN_ENTRY, PLAIN_NS_A_BOX = 12_000.0, 4_000.0  # where nothing is compiled
SLOWER = 1.2  # than measured: other machines, and other processes that want the core
ENOUGH_TO_TELL, UNEVEN = 0.1, 1.1  # of a table, built: by then it is known how long about the rest takes
SEED = 0x9E3779B97F4A7C15
ENTRY_KINDS = tuple(np.dtype(kind) for kind in (np.int8, np.int16, np.int32))
FAR_TOO_MANY = 1 << 60  # entries
MOST_PARTS, SMALL = 50, 0.1  # moves that a table may be built in; of what one may take, what is filled at once
PAGE, CHUNK = 1 << 12, 1 << 21  # bytes: of memory that is written to for the first time
TEMPTING_GAMES = 20  # played from each best move to choose among them; by the clock, as many as there is time for
MOST_TEMPTING_GAMES, TEMPTING_SHARE = 100, 0.2  # but no more; in what is left of the time, and so much beyond


@cache
def table_module(game: Game) -> ModuleType | None:
    """The `table.py` beside the rules, where there is one."""
    module = game.beside("table.py")
    return module if hasattr(module, "place_boxes") else None


class Plan(NamedTuple):
    """A table that may be built: the board, where its boxes begin, how many entries it has, and what it takes."""

    board: NDArray[np.int64]
    begins: NDArray[np.int64]
    shape: tuple[int, int]  # of the boxes
    entries: int
    largest: int  # entries that are filled at once; 0 where that is not known yet
    kind: np.dtype[Any]  # of an entry
    is_compiled: bool

    @property
    def megabytes(self) -> float:
        return (self.entries * self.kind.itemsize + 8 * self.shape[0] * self.shape[1]) / (1 << 20)

    @property
    def seconds(self) -> float:
        """How long planning and building take, rather too much than too little."""
        return self.planning_seconds + self.seconds_an_entry * self.entries

    @property
    def seconds_an_entry(self) -> float:
        ns_an_entry = PLAIN_NS_AN_ENTRY
        if self.is_compiled:
            ns_an_entry = NS_AN_ENTRY + NS_OF_SHORT_ROWS / max(1, self.entries) ** 0.4
        return SLOWER * 1e-9 * ns_an_entry

    @property
    def planning_seconds(self) -> float:
        ns_a_box = NS_A_BOX if self.is_compiled else PLAIN_NS_A_BOX
        return SLOWER * 1e-9 * ns_a_box * self.shape[0] * self.shape[1]

    def __str__(self) -> str:
        at_least = "" if self.begins.size else "at least "
        return f"a table of {at_least}{math.ceil(self.megabytes):,} MB, in about {math.ceil(self.seconds):,} s"

    def exceeds(self, *, megabytes: float, entries: int | None, seconds: float | None) -> str:
        """What it is too large for: "memory", "nodes" or "seconds"; "" if all is well."""
        if self.megabytes > megabytes:
            return "memory"
        if entries is not None and self.entries > entries:
            return "nodes"
        return "seconds" if seconds is not None and self.seconds > seconds else ""

    def is_too_coarse_for(self, entries: int | None, seconds: float | None) -> str:
        """What limits of one part, "nodes" or "seconds", are too tight for what is filled at once; "" if none are."""
        if entries is not None and self.entries > entries and self.largest > SMALL * entries:
            return "nodes"
        at_once = self.seconds_an_entry * self.largest
        return "seconds" if seconds is not None and self.seconds > seconds and at_once > SMALL * seconds else ""


NO_PLAN = Plan(np.zeros(0, np.int64), np.zeros(0, np.int64), (0, 0), 0, 0, np.dtype(np.int8), is_compiled=False)


class Tabled:
    """The tables of one game: plans one for a position, builds it, looks positions up in it."""

    def __init__(self, game: Game, *, compiled: bool | None = None) -> None:
        module = table_module(game)
        assert module is not None, f"{game.name} has no table.py"
        self.game, self.rules = game, module
        self.place_boxes = link(game, module.place_boxes, compiled=compiled)
        self.fill = link(game, module.fill, compiled=compiled)
        self.tempt = link(game, tempting(module.known_place), compiled=compiled)
        self.is_stopped = False
        self.forget()

    def warm(self) -> None:
        """Compile all of it, for entries of every kind, or load it from the cache."""
        states, _ = random_line(self.game, self.game.start(), Random(0))
        state = states[max(0, len(states) - 6)]
        plan = self.plan(state)
        for kind in ENTRY_KINDS:
            self.build(plan._replace(kind=kind))
            self._tempt(np.array(state, np.int64), 0, np.array([SEED], np.uint64), games=0)
        self.forget()

    def forget(self) -> None:
        """Give the memory back."""
        self.planned = NO_PLAN
        self.table: NDArray[Any] = np.zeros(0, np.int8)
        self.floor: NDArray[np.int64] = np.zeros(0, np.int64)  # of what was filled last
        self.touched = 0  # entries whose memory is known to be there
        self.front = 0, 0  # the slice to be filled next, or that before (0, 0) when all are filled

    def stop(self) -> None:
        """Make a `build` that runs in another thread come to its end."""
        self.is_stopped = True

    def solve(
        self,
        state: State,
        *,
        megabytes: float,
        nodes: int | None,
        seconds: float | None,
        needs_all_moves: bool,
        in_parts: bool,
        on_progress: Callable[[Progress], None],
    ) -> Solution:
        """The solution out of the table, which is built first unless it holds the position already.

        Entries count as nodes. Unless all moves are needed, the line is one best move that tempts. Where the limits are
        too tight for a table, it can be built `in_parts`: one solution after the other, of a game that goes on.
        """
        begin, legal = time.perf_counter(), self.game.legal(state)
        self.is_stopped = False
        entries, limit = 0, ""
        if in_parts and not self.holds(state):
            entries, limit = self._build_a_part(state, megabytes=megabytes, entries=nodes, seconds=seconds)
        elif not self.holds(state):
            plan, limit = self._plan_within(state, megabytes=megabytes, entries=nodes, seconds=seconds)
            entries = plan.entries
            if not limit and not self.build(
                plan,
                seconds=None if seconds is None else begin + seconds - time.perf_counter(),
                on_progress=lambda share: on_progress(Progress(round(share * entries), UNKNOWN, 0, len(legal), share)),
            ):
                limit = "stop" if self.is_stopped else "seconds"
        if limit:
            spent = entries if in_parts else 0
            return Solution(UNKNOWN, (), tuple(legal), (), spent, time.perf_counter() - begin, limit)
        value, best = self.value(state), self.best(state)
        line = self.line(state) if needs_all_moves else [self._trickiest_in(state, begin, seconds)]
        return Solution(Bounds(value, value), tuple(best), (), tuple(line), entries, time.perf_counter() - begin, "")

    def rough_plan(self, state: State) -> Plan:
        """A plan for a position at a glance: the table is at least as large as it says."""
        board = self.rules.board_of(state)
        words, shape = np.array(board, np.int64), self.rules.boxes_of(board)
        least = FAR_TOO_MANY if shape[0] * shape[1] > self.rules.MOST_BOXES else self.rules.least_entries(board)
        kind = _entry_type(words, self.rules.INVALID)
        return Plan(words, np.zeros(0, np.int64), shape, least, 0, kind, hasattr(self.fill, "py_func"))

    def plan(self, state: State) -> Plan:
        """The plan for a position, box by box."""
        rough = self.rough_plan(state)
        if rough.entries == FAR_TOO_MANY:
            return rough
        begins = np.zeros(rough.shape[0] * rough.shape[1], np.int64)
        entries, largest = self.place_boxes(rough.board, begins, *rough.shape)
        return rough._replace(begins=begins, entries=int(entries), largest=int(largest))

    def _plan_within(self, state: State, **limits: Any) -> tuple[Plan, str]:
        """The plan for a position, and what it exceeds; a rough one if that exceeds something already."""
        plan = self.rough_plan(state)
        limit = plan.exceeds(**limits)
        if not limit:
            plan = self.plan(state)
            limit = plan.exceeds(**limits)
        return plan, limit

    def build(
        self,
        plan: Plan,
        *,
        seconds: float | None = None,
        on_progress: Callable[[float], None] = lambda share: None,
    ) -> bool:
        """Build the whole table of a plan; False if the time was over or it is stopped, and then there is none.

        `on_progress` hears the share of layers that are filled.
        """
        begin = time.perf_counter()
        self._set_out(plan)
        layers = self.front[0] + 1

        def must_end(filled: int) -> bool:
            share, gone = 1 - (self.front[0] + 1) / layers, time.perf_counter() - begin
            is_whole_layer = self.front[1] == plan.shape[0] - 1
            if is_whole_layer:
                on_progress(share)
            if seconds is None:
                return False
            return gone > seconds or (is_whole_layer and share > ENOUGH_TO_TELL and gone > UNEVEN * share * seconds)

        self._fill_on(must_end)
        if self.front[0] >= 0:
            self.forget()
        return self.front[0] < 0

    def _set_out(self, plan: Plan) -> None:
        """An empty table by this plan."""
        self.forget()
        board = plan.board.tolist()
        margin, table = self.rules.margin_of(board), np.empty(plan.entries, plan.kind)
        table[:margin] = table[-margin:] = board[self.rules.INVALID]
        self.planned, self.floor = plan, np.zeros(self.rules.CELLS, np.int64)
        self.room = np.zeros(margin + self.rules.STRIDE, plan.kind)
        self.front = self.rules.layers_of(board) - 1, plan.shape[0] - 1
        self.table = table  # the last of all: without it, nothing is held

    def _touch_on(self, must_end: Callable[[int], bool]) -> None:
        """Write to all memory of the table before it is filled: a slice that had to wait for it could take 40 ms."""
        while self.touched < self.table.size and not must_end(0) and not self.is_stopped:
            end = min(self.table.size, self.touched + CHUNK // self.table.itemsize)
            self.table[self.touched : end : PAGE // self.table.itemsize] += 0
            self.touched = end

    def _fill_on(self, must_end: Callable[[int], bool], last: tuple[int, int] = (0, 0)) -> int:
        """Fill slice after slice down to the last one, or until it must end, which hears what is filled."""
        (rows, width), ways, filled = self.planned.shape, np.zeros(self.rules.WAYS, np.int64), 0
        while self.front >= last and not must_end(filled) and not self.is_stopped:
            place = self.planned.begins, rows, width, self.table, self.room, ways, self.floor
            filled += int(self.fill(self.planned.board, *place, *self.front))
            x0, row = self.front
            self.front = (x0, row - 1) if row > 0 else (x0 - 1, rows - 1)
        return filled

    def _build_a_part(
        self, state: State, *, megabytes: float, entries: int | None, seconds: float | None
    ) -> tuple[int, str]:
        """Fill on towards the entry of a position: how many entries were filled, and what limit came first."""
        begin = time.perf_counter()
        if not self._leads_to(state) or self.planned.is_too_coarse_for(entries, seconds):
            self.forget()
            if seconds is not None and self.rough_plan(state).planning_seconds > seconds:
                return 0, "seconds"  # a plan is made in one go
            many = None if entries is None else MOST_PARTS * entries
            long = None if seconds is None else MOST_PARTS * seconds
            plan, limit = self._plan_within(state, megabytes=megabytes, entries=many, seconds=long)
            if limit := limit or plan.is_too_coarse_for(entries, seconds):
                return 0, limit
            try:
                self._set_out(plan)
            except MemoryError:
                return 0, "memory"
        self.floor[:] = self.rules.lost_in(self.planned.board.tolist(), state)

        def must_end(filled: int) -> bool:
            is_late = seconds is not None and time.perf_counter() - begin > seconds
            return is_late or (entries is not None and filled >= entries)

        self._touch_on(must_end)
        filled = self._fill_on(must_end, self.rules.slice_of(self.planned.board.tolist(), state))
        if self.holds(state):
            return filled, ""
        is_full = entries is not None and filled >= entries
        return filled, "stop" if self.is_stopped else "nodes" if is_full else "seconds"

    def holds(self, state: State) -> bool:
        return self._leads_to(state) and self.front < self.rules.slice_of(self.planned.board.tolist(), state)

    def _leads_to(self, state: State) -> bool:
        """Whether the position is one of the table, and of those that are filled, or are still to be."""
        if not self.table.size or self._place(state) is None:
            return False
        lost = self.rules.lost_in(self.planned.board.tolist(), state)
        return all(here >= least for here, least in zip(lost, self.floor.tolist(), strict=True))

    def _place(self, state: State) -> int | None:
        if tuple(self.planned.board.tolist()[9:]) != self.rules.board_of(state)[9:]:
            return None
        place: int | None = self.rules.place_of(
            self.planned.board.tolist(), self.planned.begins, self.planned.shape[1], state
        )
        return place

    def value(self, state: State) -> int:
        """Seat 0's payoff under perfect play, of a position that the table holds."""
        payoff = self.game.result(state)
        if payoff is not None:
            return payoff
        place = self._place(state)
        assert place is not None
        gain = int(self.table[place])  # of the one who is not to move
        banked: int = self.game.module.banked(state)
        return banked + (gain if self.game.turn(state) == 1 else -gain)

    def best(self, state: State) -> list[int]:
        """Every best move of a position that the table holds, in rising order."""
        value = self.value(state)
        return [move for move in self.game.legal(state) if self.value(self.game.play(state, move)) == value]

    def _trickiest_in(self, state: State, begin: float, seconds: float | None) -> int:
        """The trickiest move, by as many games as there is time for since the beginning."""
        if seconds is None:
            return self.trickiest(state)
        left = begin + (1 + TEMPTING_SHARE) * seconds - time.perf_counter()
        return self.trickiest(state, games=MOST_TEMPTING_GAMES, deadline=deadline_in(left))

    def trickiest(self, state: State, *, games: int = TEMPTING_GAMES, deadline: int = FOREVER) -> int:
        """The best move that does best against an opponent who takes any of the moves that bank most at once.

        From each best move that many games are played, by us perfectly, or as many as there is time for. As many games
        of the same position give the same move.
        """
        best, seat = self.best(state), self.game.turn(state)
        roots = {move: np.array(self.game.play(state, move), np.int64) for move in best}
        rngs = {move: np.array([SEED], np.uint64) for move in best}
        scores = dict.fromkeys(best, 0)
        for _ in range(games if len(best) > 1 else 0):
            gained = {}
            for move in best:
                if time.monotonic_ns() > deadline:  # only games that were played from every move count
                    return max(best, key=lambda move: scores[move])
                gained[move] = self._tempt(roots[move], seat, rngs[move], games=1)
            scores = {move: scores[move] + gained[move] for move in best}
        return max(best, key=lambda move: scores[move])

    def _tempt(self, root: NDArray[np.int64], seat: int, rng: NDArray[np.uint64], *, games: int) -> int:
        room = np.zeros(self.game.move_limit, np.int64)
        return int(
            self.tempt(
                self.planned.board, self.planned.begins, self.planned.shape[1], self.table, root, seat, games, rng, room
            )
        )

    def line(self, state: State) -> list[int]:
        """Best play to the end, the first best move every time."""
        line: list[int] = []
        while self.game.result(state) is None:
            line.append(self.best(state)[0])
            state = self.game.play(state, line[-1])
        return line


def _entry_type(board: NDArray[np.int64], invalid: int) -> np.dtype[Any]:
    """The smallest kind of int that the entries fit into, INVALID less what a move costs included."""
    least = int(board[invalid]) - 10
    return next(kind for kind in ENTRY_KINDS if least >= -(1 << 8 * kind.itemsize - 1))

"""Perfect play by looking up, for a game that brings `table.py`: all positions from one on, filled in backwards.

Built once, the table serves every later position of that game. See games/subtraction/table.py for what such a file
says; `fill` and `place_boxes` of it are compiled, the rest runs as it is.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.compile.link import link
from ludus.rules import Game, State, random_line
from ludus.search.tempting import tempting

NS_AN_ENTRY, NS_OF_SHORT_ROWS = 4.0, 2500.0  # building, by benchmarks/solving.py: 28 ns for 10^5 entries, 5 for 10^9
SLOWER = 1.5  # than measured, to be on the safe side: other machines, and other processes that want the core
SEED = 0x9E3779B97F4A7C15
TEMPTING_GAMES = 20  # played from each best move to choose among them


@cache
def table_module(game: Game) -> ModuleType | None:
    """The `table.py` beside the rules, where there is one."""
    module = game.beside("table.py")
    return module if hasattr(module, "place_boxes") else None


class Tabled:
    """The tables of one game: plans one for a position, builds it, looks positions up in it."""

    def __init__(self, game: Game, *, compiled: bool | None = None) -> None:
        module = table_module(game)
        assert module is not None, f"{game.name} has no table.py"
        self.game, self.rules = game, module
        self.place_boxes = link(game, module.place_boxes, compiled=compiled)
        self.fill = link(game, module.fill, compiled=compiled)
        self.tempt = link(game, tempting(module.known_place), compiled=compiled)
        self.forget()

    def warm(self) -> None:
        """Compile all of it, or load it from the cache."""
        states, _ = random_line(self.game, self.game.start(), Random(0))
        state = states[max(0, len(states) - 6)]
        if self.game.result(state) is None and self.build(state):
            self.trickiest(state, games=1)
        self.forget()

    def forget(self) -> None:
        """Give the memory back."""
        self.board: NDArray[np.int64] = np.zeros(0, np.int64)
        self.begins: NDArray[np.int64] = np.zeros(0, np.int64)
        self.table: NDArray[Any] = np.zeros(0, np.int8)
        self.shape = (0, 0)
        self.is_built = self.is_stopped = False

    def stop(self) -> None:
        """Make a `build` that runs in another thread come to its end."""
        self.is_stopped = True

    def megabytes(self, state: State) -> float:
        """How much memory the table of a position takes."""
        board, begins, entries = self._plan(state)
        return (entries * _entry_type(board, self.rules.INVALID).itemsize + begins.nbytes) / 1e6

    def seconds(self, state: State) -> float:
        """How long building the table of a position takes, rather too much than too little."""
        entries = self.entries(state)
        ns_an_entry: float = NS_AN_ENTRY + NS_OF_SHORT_ROWS / max(1, entries) ** 0.4
        return SLOWER * 1e-9 * entries * ns_an_entry

    def entries(self, state: State) -> int:
        """How many entries the table of a position has."""
        return self._plan(state)[2]

    def _plan(self, state: State) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
        """The board, where its boxes begin, and the number of entries; more than memory holds if the boxes are."""
        board = np.array(self.rules.board_of(state), np.int64)
        rows, width = self.rules.boxes_of(self.rules.board_of(state))
        if rows * width > self.rules.MOST_BOXES:
            return board, np.zeros(0, np.int64), 1 << 60
        begins = np.zeros(rows * width, np.int64)
        return board, begins, int(self.place_boxes(board, begins, rows, width))

    def build(
        self,
        state: State,
        *,
        seconds: float | None = None,
        on_progress: Callable[[float], None] = lambda share: None,
    ) -> bool:
        """Build the table of a position; False if the time was over or `stop` was called, and then there is none.

        `on_progress` hears the share of layers that are filled; later ones are larger.
        """
        begin = time.perf_counter()
        self.forget()
        self.board, self.begins, entries = self._plan(state)
        self.shape = rows, width = self.rules.boxes_of(self.rules.board_of(state))
        kind = _entry_type(self.board, self.rules.INVALID)
        self.table = np.empty(entries, kind)
        margin = self.rules.margin_of(self.rules.board_of(state))
        self.table[:margin] = self.table[-margin:] = self.board[self.rules.INVALID]
        room, ways = np.zeros(margin + self.rules.STRIDE, kind), np.zeros(self.rules.WAYS, np.int64)
        layers = self.rules.layers_of(self.rules.board_of(state))
        for x0 in range(layers - 1, -1, -1):
            on_progress(1 - (x0 + 1) / layers)
            for row in range(rows - 1, -1, -1):
                self.fill(self.board, self.begins, rows, width, self.table, room, ways, x0, row)
                is_late = seconds is not None and time.perf_counter() - begin > seconds
                if is_late or self.is_stopped:
                    self.forget()
                    return False
        self.is_built = True
        return True

    def holds(self, state: State) -> bool:
        return self.is_built and self._place(state) is not None

    def _place(self, state: State) -> int | None:
        if tuple(self.board.tolist()[9:]) != self.rules.board_of(state)[9:]:
            return None
        place: int | None = self.rules.place_of(self.board.tolist(), self.begins, self.shape[1], state)
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

    def trickiest(self, state: State, *, games: int = TEMPTING_GAMES) -> int:
        """The best move that does best against an opponent who takes any of the moves that bank most at once.

        From each best move that many games are played, by us perfectly. The same position gives the same move.
        """
        best, seat = self.best(state), self.game.turn(state)
        if len(best) == 1 or games == 0:
            return best[0]
        room, scores = np.zeros(self.game.move_limit, np.int64), {}
        for move in best:
            root = np.array(self.game.play(state, move), np.int64)
            rng = np.array([SEED], np.uint64)
            given = (self.board, self.begins, self.shape[1], self.table, root, seat, games, rng, room)
            scores[move] = int(self.tempt(*given))
        return max(best, key=lambda move: scores[move])

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
    return np.dtype(np.int8 if least >= -128 else np.int16 if least >= -(1 << 15) else np.int32)

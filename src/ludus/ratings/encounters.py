"""The games of a tournament as arrays of who won, for whoever fits strengths to them.

A game counts if it was played; one that the machinery lost counts for nobody. Games of the same two teams on the same
board share that board's luck, so they make one bunch, and the bootstrap draws bunches, not games.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ludus.tournament.pairing import GameResult

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

LOSS, DRAW, WIN = 0, 1, 2  # of the team in seat 0
OUTCOMES = 3


@dataclass(frozen=True, eq=False)
class Encounters:
    """One entry a game: the teams in seat 0 and 1, what seat 0 reached, and the board it was played on."""

    teams: int
    first: Ints
    second: Ints
    outcome: Ints
    board: Ints

    def __len__(self) -> int:
        return len(self.first)


def encounters_of(results: Iterable[GameResult], *, teams: int) -> Encounters:
    """What counts of these results, read once, in a few bytes a game."""
    numbers = array("q")
    for result in results:
        if result.status != "played":
            continue
        first, second, winner = result.pairing.first, result.pairing.second, result.winner
        outcome = DRAW if winner is None else WIN if winner == first else LOSS
        numbers.extend((first, second, outcome, result.pairing.board))
    columns = np.frombuffer(numbers, dtype=np.int64).reshape(-1, 4).T if numbers else np.zeros((4, 0), dtype=np.int64)
    first_column, second_column, outcome_column, board_column = columns.copy()
    return Encounters(teams, first_column, second_column, outcome_column, board_column)


@dataclass(frozen=True, eq=False)
class Crosstable:
    """The same games, counted: how often each ordered pair (seat 0, seat 1), sorted, saw each outcome.

    Bunches with the same games are one kind. Kind k was played `bunches[k]` times, and one such bunch adds
    `share[e]` games to cell `cell[e]` (pair * 3 + outcome) for every entry e with `kind[e] == k`.
    """

    teams: int
    first: Ints
    second: Ints
    bunches: Ints
    kind: Ints
    cell: Ints
    share: Floats

    def by_team(self, values: Floats) -> tuple[Floats, Floats]:
        """Sums of values by pair (the last axis) over each team's games in seat 0, and in seat 1."""
        order, starts_second, seconds = self._seconds
        starts_first, firsts = self._firsts
        sums = np.zeros((2, *values.shape[:-1], self.teams))
        if len(firsts):
            sums[0][..., firsts] = np.add.reduceat(values, starts_first, axis=-1)
            sums[1][..., seconds] = np.add.reduceat(values[..., order], starts_second, axis=-1)
        return sums[0], sums[1]

    @cached_property
    def _firsts(self) -> tuple[Ints, Ints]:
        """Where each team's pairs begin, and which teams: pairs are sorted by seat 0."""
        teams, starts = np.unique(self.first, return_index=True)
        return starts, teams

    @cached_property
    def _seconds(self) -> tuple[Ints, Ints, Ints]:
        """The same for seat 1, after sorting by it."""
        order = np.argsort(self.second, kind="stable")
        teams, starts = np.unique(self.second[order], return_index=True)
        return order, starts, teams

    def weigh(self, weights: Floats) -> Floats:
        """Games by outcome and pair, shape (rounds, 3, pairs), where the bunches of each kind weigh (rounds, kinds)."""
        rounds, pairs = len(weights), len(self.first)
        cells = np.zeros((rounds, pairs * OUTCOMES))
        order = np.argsort(self.cell, kind="stable")
        used, starts = np.unique(self.cell[order], return_index=True)
        if len(used):
            cells[:, used] = np.add.reduceat(weights[:, self.kind[order]] * self.share[order], starts, axis=1)
        return np.ascontiguousarray(cells.reshape(rounds, pairs, OUTCOMES).transpose(0, 2, 1))

    def counts(self) -> Floats:
        """The games as they were, shape (1, 3, pairs)."""
        return self.weigh(self.bunches[None, :].astype(np.float64))


def crosstable(games: Encounters) -> Crosstable:
    """Count the games. What comes out is no larger than the number of different bunches, however many were played."""
    teams = games.teams
    ordered, pair = np.unique(games.first * teams + games.second, return_inverse=True)
    cell = pair * OUTCOMES + games.outcome
    low, high = np.minimum(games.first, games.second), np.maximum(games.first, games.second)
    boards, board = np.unique(games.board, return_inverse=True)
    _, bunch = np.unique((low * teams + high) * len(boards) + board, return_inverse=True)
    cells = len(ordered) * OUTCOMES
    entries, share = np.unique(bunch * cells + cell, return_counts=True)
    bunch_of, cell_of = np.divmod(entries, max(cells, 1))
    kind_of, representative = _kinds(bunch_of, cell_of, share)
    shown = np.isin(bunch_of, representative)
    return Crosstable(
        teams=teams,
        first=ordered // teams,
        second=ordered % teams,
        bunches=np.bincount(kind_of, minlength=len(representative)),
        kind=kind_of[bunch_of[shown]],
        cell=cell_of[shown],
        share=share[shown].astype(np.float64),
    )


def _kinds(bunch: Ints, cell: Ints, share: Ints) -> tuple[Ints, Ints]:
    """The kind of each bunch, and for each kind one bunch of it; entries are sorted by bunch."""
    if not len(bunch):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    # The sum of a random 64-bit number a game tells different bunches apart (but for one chance in 2**64).
    marks = np.random.default_rng(0).integers(0, 2**64, int(cell.max()) + 1, dtype=np.uint64)
    starts = np.flatnonzero(np.diff(bunch, prepend=-1))
    sums = np.add.reduceat(marks[cell] * share.astype(np.uint64), starts)
    _, representative, kind = np.unique(sums, return_index=True, return_inverse=True)
    return kind, representative

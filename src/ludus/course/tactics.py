"""Puzzles of one event that tell whether a bot looks ahead: wins to take and wins to stop, in one, two or three moves.

A win in n moves is one that the side to move can force within 2n - 1 plies, proven by search to that depth; not every
move there keeps it. To stop a win in n is to choose a move after which the opponent has none within 2n - 1 plies, where
other moves allow it. All of it follows from the rules, so any game has puzzles, if games of it come to such positions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from ludus.course.asking import Answer
from ludus.course.positions import Sampled, Spot
from ludus.rules import Game, Line, State
from ludus.search.seeds import seed_of

KINDS = {
    "win1": "takes a win in one",
    "win2": "finds a win in two",
    "win3": "finds a win in three",
    "stop1": "stops a win in one",
    "stop2": "stops a win in two",
}
LAST_PLIES = 10  # of a random game are looked at: wins are near its end
NODES = 4000  # positions of a proof; what takes more is no puzzle
HOPEFUL_GAMES = 20  # without a puzzle of a kind, and it is no longer looked for
MOST_MOVES = 30  # legal moves of a puzzle
LARGEST_SHARE = 0.7  # of the legal moves that may be right
CLEARLY = 0.7  # of what chance leaves: so much of it shows that a bot looks so far


class Puzzle(NamedTuple):
    """A position, and the moves that solve it."""

    kind: str
    spot: Spot
    right: frozenset[int]
    legal: int

    @property
    def chance(self) -> float:
        """That a random move solves it."""
        return len(self.right) / self.legal


class Score(NamedTuple):
    """How a bot did on the puzzles of one kind."""

    kind: str
    solved: int
    asked: int
    expected: float  # that random moves would have solved

    @property
    def skill(self) -> float:
        """0 for chance, 1 for all: what is solved beyond chance, of what chance leaves."""
        left = self.asked - self.expected
        return (self.solved - self.expected) / left if left > 0 else 0.0


class TooLongError(Exception):
    """A proof takes more positions than a puzzle is worth."""


class Prover:
    """Proves wins by looking a few plies ahead at nothing but wins, with the plain rules."""

    def __init__(self, game: Game) -> None:
        self.game, self.nodes = game, 0
        self.known: dict[tuple[State, int, int], bool] = {}

    def wins(self, state: State, seat: int, plies: int) -> bool:
        """Whether the seat can force a win within so many plies; a TooLongError where that takes too long to say."""
        payoff = self.game.result(state)
        if payoff is not None:
            return payoff > 0 if seat == 0 else payoff < 0
        if plies == 0:
            return False
        key = (state, seat, plies)
        if key not in self.known:
            self.nodes += 1
            if self.nodes > NODES:
                raise TooLongError
            after = (self.wins(self.game.play(state, move), seat, plies - 1) for move in self.game.legal(state))
            self.known[key] = any(after) if self.game.turn(state) == seat else all(after)
        return self.known[key]

    def winning_moves(self, state: State, plies: int) -> frozenset[int]:
        """The moves that win within so many plies, themselves included."""
        seat = self.game.turn(state)
        return self._moves(state, lambda after: self.wins(after, seat, plies - 1))

    def safe_moves(self, state: State, plies: int) -> frozenset[int]:
        """The moves after which the opponent cannot force a win within so many plies."""
        opponent = 1 - self.game.turn(state)
        return self._moves(state, lambda after: not self.wins(after, opponent, plies))

    def _moves(self, state: State, is_right: Callable[[State], bool]) -> frozenset[int]:
        return frozenset(move for move in self.game.legal(state) if is_right(self.game.play(state, move)))


def find_puzzles(game: Game, sampled: Sampled, *, wanted: int, seed: int) -> list[Puzzle]:
    """Up to so many puzzles of each kind, the same for the same random games; at most one of a kind from a game."""
    rng = Random(seed_of(seed, 2))
    found: dict[str, list[Puzzle]] = {kind: [] for kind in KINDS}
    for number, (options, line) in enumerate(sampled.games):
        taken = {kind for kind in KINDS if number >= HOPEFUL_GAMES and not found[kind]}
        plies = list(range(max(0, len(line.moves) - LAST_PLIES), len(line.moves)))
        rng.shuffle(plies)
        for ply in plies:
            missing = [kind for kind in KINDS if kind not in taken and len(found[kind]) < wanted]
            if not missing:
                break
            spot = Spot(options, Line(line.states[: ply + 1], line.moves[:ply]))
            puzzle = _puzzle(game, spot, missing)
            if puzzle is not None:
                found[puzzle.kind].append(puzzle)
                taken.add(puzzle.kind)
        if all(len(puzzles) >= wanted for puzzles in found.values()):
            break
    return [puzzle for puzzles in found.values() for puzzle in puzzles]


def _puzzle(game: Game, spot: Spot, missing: Sequence[str]) -> Puzzle | None:
    """The puzzle that a position is, if it is one of a kind that is missing."""
    legal = len(game.legal(spot.state))
    if not 2 <= legal <= MOST_MOVES:
        return None
    try:
        kind, right = _solved(game, Prover(game), spot.state, missing)
    except TooLongError:
        return None
    is_one = kind in missing and 0 < len(right) <= LARGEST_SHARE * legal
    return Puzzle(kind, spot, right, legal) if is_one else None


def _solved(game: Game, prover: Prover, state: State, missing: Sequence[str]) -> tuple[str, frozenset[int]]:
    """The shortest win there is, else the shortest that some move allows; proofs nobody asks for are left out."""
    seat = game.turn(state)
    deepest = max((int(kind[-1]) for kind in missing if kind.startswith("win")), default=1)
    for moves in range(1, deepest + 1):
        if prover.wins(state, seat, 2 * moves - 1):
            # A win that takes one move longer is as good, as far as it can be seen here.
            return f"win{moves}", prover.winning_moves(state, min(2 * moves + 1, 5))
    for moves in (1, 2):
        right = prover.safe_moves(state, 2 * moves - 1)
        if len(right) < len(game.legal(state)):
            return f"stop{moves}", right
    return "", frozenset()


def scores(puzzles: Sequence[Puzzle], answers: Sequence[Answer]) -> list[Score]:
    """For each kind that there are puzzles of."""
    found = []
    for kind in KINDS:
        pairs = [(p, a) for p, a in zip(puzzles, answers, strict=True) if p.kind == kind]
        if pairs:
            solved = sum(answer.move in puzzle.right for puzzle, answer in pairs)
            found.append(Score(kind, solved, len(pairs), sum(puzzle.chance for puzzle, _ in pairs)))
    return found


def looks_ahead(found: Sequence[Score]) -> int:
    """How many plies it seems to look ahead: as far as it clearly does better than chance, without a gap."""
    skill = {score.kind: score.skill for score in found if score.asked >= 3}
    deepest = 0
    for kind, plies in (("win1", 1), ("stop1", 2), ("win2", 3), ("stop2", 4), ("win3", 5)):
        if kind in skill and skill[kind] < CLEARLY:
            break
        deepest = plies if kind in skill else deepest
    return deepest

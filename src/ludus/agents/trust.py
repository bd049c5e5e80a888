"""How likely the opponent is the one who was assumed, by the answers that it gives.

An answer that our own search expected from anybody tells nothing. One that only the assumed opponent was to give makes
it likelier, and one that it would not give, looking up to SHORTFALL plies less far ahead, shows another one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ludus.agents.purse import Purse
from ludus.rules import Game, State
from ludus.search.pace import Pace
from ludus.search.shallow import MOST_ANSWERS, ShallowPlayer
from ludus.search.stopping import FOREVER, deadline_in

WATCHING = 0.05  # of what is left of the budget, for each depth
ODDS = 0.5  # that an opponent is the assumed one, before any answer was seen
# How much likelier another one makes it that the assumed one answers otherwise than we would: of 418 answers of
# `alphabeta` on slant 14 % were such, of 2091 of `minimax:depth=4` 73 %.
COINCIDENCE = 0.2
MOST_FOLLOWED = 500  # positions in the middle of an opponent's turn that are followed
SHORTFALL = 2  # plies that an opponent may look less far ahead than assumed, without being another one


class Trust:
    """What the answers of this game say about an opponent; `alike` tells positions of the same worth."""

    def __init__(
        self, game: Game, opponent: ShallowPlayer, pace: Pace, alike: Callable[[State], tuple[int, ...]]
    ) -> None:
        self.game, self.opponent, self.pace, self.alike = game, opponent, pace, alike
        self.forget()

    def forget(self) -> None:
        self.after_ours: State | None = None  # where our last move led, or the game began
        self.is_start = False  # whether it began there
        self.expected: State | None = None  # where the answers lead that we would give, if we know them
        self._know_nothing()

    def _know_nothing(self) -> None:
        self.telling, self.is_stranger = 0, False  # answers for the assumed opponent; whether one was not its
        self.pace.forget()

    @property
    def degree(self) -> float:
        """How likely the opponent is the assumed one."""
        return 0.0 if self.is_stranger else 1 / (1 + COINCIDENCE**self.telling / ODDS)

    def see_start(self, start: State) -> None:
        """The game begins here, whoever moves first."""
        self.after_ours, self.is_start, self.expected = start, True, None

    def remember(self, state: State, line: Sequence[int]) -> None:
        """The line that we expect from here, our own move first."""
        self.after_ours, self.is_start = self.game.play(state, line[0]), False
        self.expect(line[1:], self.game.turn(state))

    def expect(self, answers: Sequence[int], seat: int) -> None:
        """The answers that we would give, in the place of the opponent of that seat."""
        here = self.after_ours
        assert here is not None
        for answer in answers:
            if self.game.result(here) is not None or self.game.turn(here) == seat:
                break
            here = self.game.play(here, answer)
        is_whole = self.game.result(here) is not None or self.game.turn(here) == seat
        self.expected = here if is_whole else None

    def watch(self, state: State, purse: Purse) -> None:
        """Learn from the answers that led here."""
        before = self.after_ours
        if before is None or before == state:
            return
        if not self._may_follow(before, state):  # a position of another game
            self._know_nothing()
            return
        if self.is_stranger:
            return
        fits = self._depths_of_answer(before, state, purse)
        if fits is None:  # there was no time to see
            return
        full = self.opponent.depth
        if (full in fits) != (full - 1 in fits):
            self.pace.saw(before, full, is_finished=full in fits)
        if not fits:
            self.is_stranger = True
        elif fits & {full, *self.opponent.depths(before)} and not self._is_expected(state):
            self.telling += 1

    def _is_expected(self, state: State) -> bool:
        """Whether the answer is the one that we would give; so it is taken to be where we do not know that one."""
        return self.expected is None or self.alike(self.expected) == self.alike(state)

    def _depths_of_answer(self, before: State, state: State, purse: Purse) -> set[int] | None:
        """How far ahead the assumed opponent may have looked, to lead from the one to the other; None out of time."""
        fits = set[int]()
        for depth in range(self.opponent.depth, max(0, self.opponent.depth - SHORTFALL - 1), -1):
            limits, spent = purse.part(WATCHING), self.opponent.nodes
            foreseen = self.opponent.after_answers(
                before,
                self.game.turn(state),
                depth=depth,
                nodes=limits["nodes"] or FOREVER,
                deadline=deadline_in(limits["seconds"]),
            )
            purse.spent += self.opponent.nodes - spent
            if self.alike(state) in map(self.alike, foreseen):
                fits.add(depth)
            elif not 0 < len(foreseen) < MOST_ANSWERS:  # they are not all known
                return None
        return fits

    def _may_follow(self, before: State, state: State) -> bool:
        """Whether the moves of one turn may lead from the one to the other; so it is where they are too many to see."""
        seat, reached = self.game.turn(state), [before]
        while 0 < len(reached) <= MOST_FOLLOWED:
            theirs = [one for one in reached if self.game.result(one) is None and self.game.turn(one) != seat]
            reached = [self.game.play(here, move) for here in theirs for move in self.game.legal(here)]
            if state in reached:
                return True
        return len(reached) > MOST_FOLLOWED

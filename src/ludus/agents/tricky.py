"""The agent that sets traps: alpha-beta, and a guess at how the opponent will answer.

It takes the opponent for one who looks a few plies ahead with the game's own evaluation. As long as all answers in a
game are such a player's, it looks for lines on which he goes wrong, and the more answers it has seen, the more it
gives up for them. How deep the opponent comes in its time is foreseen as well (`search/pace.py`), and an answer that
looks up to two plies less ahead is no stranger's. After the first other answer it is plain alpha-beta until the game
ends.
"""

from __future__ import annotations

import time as clock
from dataclasses import replace
from typing import TypedDict

from ludus.agents.agent import Budget
from ludus.rules import Game, State
from ludus.search import deepening
from ludus.search.finding import SCALE, Finding
from ludus.search.pace import Pace
from ludus.search.shallow import MOST_ANSWERS, ShallowPlayer
from ludus.search.smaller import ANSWERING, SmallerAlphaBeta, smaller_game
from ludus.search.stopping import FOREVER, deadline_in
from ludus.search.traps import Place, Traps, Way, chance_of, value_of

# Parts of what is left of the budget, each after the one before.
WATCHING, THINKING, TRAPPING = 0.05, 0.08, 0.9
FEWEST_VISITS = 3  # of the tree; with fewer, a search for traps has not come far
FEWEST_NODES = 500_000  # for the same reason, where nodes are the limit
ODDS = 0.7  # that an opponent is the assumed one, before any answer was seen
COINCIDENCE = 0.4  # how likely another one answers as the assumed one would
MOST_FOLLOWED = 500  # positions in the middle of an opponent's turn that are followed
SHORTFALL = 2  # plies that an opponent may look less far ahead than assumed, without being another one


class Limits(TypedDict):
    seconds: float | None
    nodes: int | None


class Purse:
    """What is left of the budget for a move."""

    def __init__(self, budget: Budget) -> None:
        self.begin, self.spent, self.is_closed = clock.perf_counter(), 0, False
        self.seconds, self.nodes = budget.thinking_seconds, budget.nodes

    def part(self, part: float = 1.0) -> Limits:
        """That part of what is left."""
        if self.is_closed:
            return {"seconds": 0.0, "nodes": 1}
        seconds = None if self.seconds is None else part * max(0.0, self.seconds - self.gone)
        nodes = None if self.nodes is None else max(1, int(part * (self.nodes - self.spent)))
        return {"seconds": seconds, "nodes": nodes}

    @property
    def gone(self) -> float:
        return clock.perf_counter() - self.begin


class TrickyAgent:
    """Alpha-beta that sets traps for an opponent who looks `depth` plies ahead."""

    def __init__(
        self,
        *,
        game: Game,
        name: str,
        seed: int = 0,  # nothing in it is random
        depth: int = 4,
        time: float | None = None,
        nodes: int | None = None,
        threads: int = 1,
        mb: int = 64,
    ) -> None:
        if not 1 <= depth <= 8:
            raise ValueError(f"depth is {depth}; a number from 1 to 8 was expected")
        self.game, self.name = game, name
        self.limits = Budget(time, nodes)
        deepening.warm(game)
        self.searcher = deepening.AlphaBeta(game, megabytes=mb, threads=threads)
        self.thinker = SmallerAlphaBeta(self.searcher, megabytes=mb, threads=threads)
        self.thinker.get_ready()
        self.pace = Pace(game)
        self.opponent = ShallowPlayer(game, depth, self.pace)
        self.opponent.warm()
        # Where a position can be told in fewer words, its tree is grown in them: that is quicker.
        self.told = smaller_game(game, ANSWERING) or game if self.thinker.small else game
        self.traps = {one: Traps(one, self.thinker, ShallowPlayer(one, depth, self.pace)) for one in {game, self.told}}
        self.purse = Purse(self.limits)
        self.forget()

    def forget(self) -> None:
        self.thinker.forget()
        for traps in self.traps.values():
            traps.forget()
        self.opponent.forget()
        self.pace.forget()
        self.after_ours: State | None = None  # where our last move led
        self.agreed, self.is_stranger = 0, False  # answers in this game that were as assumed; whether one was not

    def stop(self) -> None:
        self.purse.is_closed = True
        self.thinker.stop()
        for traps in self.traps.values():
            traps.stop()
        self.opponent.stop()

    def choose(self, state: State, budget: Budget = Budget()) -> Finding:  # noqa: B008
        legal = self.game.legal(state)
        self.pace.limit(seconds=budget.thinking_seconds, nodes=budget.nodes)
        self.purse = purse = Purse(budget.within(self.limits).for_moves(len(legal)).or_default())
        self._watch(state, purse)
        is_small = purse.nodes is not None and purse.nodes < FEWEST_NODES
        is_plain = self.is_stranger or is_small or len(legal) == 1
        found = self._think(state, purse) if is_plain else self._choose(state, purse)
        self.after_ours = self.game.play(state, found.move)
        return replace(found, nodes=purse.spent, seconds=purse.gone)

    def _watch(self, state: State, purse: Purse) -> None:
        """Count the opponent's last answer as one that was assumed, or as a stranger's."""
        before = self.after_ours
        if before is None or before == state:
            return
        if not self._may_follow(before, state):  # a position of another game
            self.agreed, self.is_stranger = 0, False
            self.pace.forget()
            return
        if self.is_stranger:
            return
        fits = self._depths_of_answer(before, state, purse)
        if fits is None:  # there was no time to see
            return
        full = self.opponent.depth
        if (full in fits) != (full - 1 in fits):
            self.pace.saw(before, full, is_finished=full in fits)
        if fits & {full, *self.opponent.depths(before)}:
            self.agreed += 1
        elif not fits:
            self.is_stranger = True

    def _depths_of_answer(self, before: State, state: State, purse: Purse) -> set[int] | None:
        """How far ahead the assumed opponent may have looked, to lead from the one to the other; None out of time."""
        fits, alike = set[int](), self.thinker.alike
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
            if alike(state) in map(alike, foreseen):
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

    def _think(self, state: State, purse: Purse, part: float = 1.0) -> Finding:
        found = self.thinker.search(state, **purse.part(part))
        purse.spent += found.nodes
        return found

    def _trap(self, state: State, purse: Purse, part: float) -> tuple[Place, dict[int, Way]]:
        """The tree of a position, and its ways by the moves of the rules."""
        told = state if self.told is self.game else self.told.module.reduced(state)
        traps = self.traps[self.game if told is None else self.told]
        root = traps.search(state if told is None else told, **purse.part(part))
        purse.spent += traps.nodes
        if traps.game is self.game:
            return root, root.ways
        return root, {self.told.module.original(told, move): way for move, way in root.ways.items()}

    def _choose(self, state: State, purse: Purse) -> Finding:
        found = self._think(state, purse, THINKING)
        if self._certainty(state, found) == 1.0:
            return found
        root, ways = self._trap(state, purse, TRAPPING)
        trap = _best_trap(root, ways)
        if trap is None:
            again = self._think(state, purse)
            return again if again.depth >= found.depth or again.is_exact else found
        if trap == found.move or purse.is_closed:
            return found
        choices = self._appraise(state, trap, purse), found

        def merit(one: Finding) -> tuple[float, float]:
            return self._worth(state, one, self._way(state, ways, one.move)), self._certainty(state, one)

        best = max(choices, key=merit)
        is_of_position = best is found or (found.is_exact and best.score == found.score)
        return best if is_of_position else replace(best, is_exact=False)  # of a trap

    def _way(self, state: State, ways: dict[int, Way], move: int) -> Way:
        """What the tree knows of a move, or of one that is like it; a new way if it knows nothing."""
        if move in ways:
            return ways[move]
        after, alike = self.game.play(state, move), self.thinker.alike
        same = (way for one, way in ways.items() if alike(self.game.play(state, one)) == alike(after))
        return next(same, Way())

    def _worth(self, state: State, choice: Finding, way: Way) -> float:
        """What a move promises: with an opponent as assumed, and with the best one, as likely as we think each."""
        trust = 1 / (1 + COINCIDENCE**self.agreed / ODDS)
        certainty = self._certainty(state, choice)
        return trust * max(way.hope, certainty) + (1 - trust) * certainty

    def _appraise(self, state: State, move: int, purse: Purse) -> Finding:
        """What a move is worth against the best answers."""
        child = self.game.play(state, move)
        payoff = self.game.result(child)
        if payoff is not None:
            return Finding(move, SCALE * payoff, True, (move,), 1, 1, 0.0)
        found = self._think(child, purse)
        return replace(found, move=move, line=(move, *found.line), depth=found.depth + 1)

    def _certainty(self, state: State, found: Finding) -> float:
        """Our chance to win against the best answers: none, half or all where it is proven."""
        score = found.score if self.game.turn(state) == 0 else -found.score
        return value_of(score) if found.is_exact else chance_of(score)


def _best_trap(root: Place, ways: dict[int, Way]) -> int | None:
    """The move that secures most; of equals one that leaves something to try, and was tried most.

    None where hardly anything was tried.
    """
    if root.visits < FEWEST_VISITS and not root.is_settled:
        return None
    tried = {move: way for move, way in ways.items() if way.visits > 0}

    def merit(move: int) -> tuple[float, bool, int]:
        return ways[move].secured, not ways[move].is_settled, ways[move].visits

    return max(tried, key=merit, default=None)

"""The agent that sets traps: alpha-beta, and a guess at how the opponent will answer.

It takes the opponent for one who looks a few plies ahead with the game's own evaluation. As long as all answers in a
game may be such a player's, it looks for lines on which he goes wrong, and the more of them tell him from others
(`agents/trust.py`), the more it gives up for such a line, and the more time it spends on them. How deep the opponent
comes in its time is foreseen as well (`search/pace.py`). After the first answer of somebody else it is plain
alpha-beta until the game ends.
"""

from __future__ import annotations

from dataclasses import replace

from ludus.agents.agent import Budget
from ludus.agents.purse import Purse
from ludus.agents.trust import Trust
from ludus.rules import Game, State
from ludus.search import deepening
from ludus.search.finding import SCALE, Finding
from ludus.search.pace import Pace
from ludus.search.shallow import ShallowPlayer
from ludus.search.smaller import ANSWERING, SmallerAlphaBeta, smaller_game
from ludus.search.table import NO_MOVE
from ludus.search.traps import Place, Traps, Way, chance_of, value_of

# Parts of what is left of the budget, each after the one before; the rest is for what the moves found are worth.
THINKING, TRAPPING = 0.08, 0.9
EXPECTING = 0.05  # of the budget of the first move, for what we would have played in the opponent's place
LEAST_EXPECTING_S = 0.02
TRAPPING_OF_ANYBODY = 0.5  # as long as no answer told who the opponent is
MOST_TRAPS = 12  # won ways that are then looked for, to take the one that gives up least
SECONDS_A_TRAP, NODES_A_TRAP = 0.02, 125_000  # of what is left: with less, what each gives up is not seen well
FEWEST_VISITS = 3  # of the tree; with fewer, a search for traps has not come far
FEWEST_NODES = 500_000  # for the same reason, where nodes are the limit


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
        self.pace = pace = Pace(game)
        self.opponent = ShallowPlayer(game, depth, pace)
        self.opponent.warm()
        self.trust = Trust(game, self.opponent, pace, self.thinker.alike)
        # Where a position can be told in fewer words, its tree is grown in them: that is quicker.
        self.told = smaller_game(game, ANSWERING) or game if self.thinker.small else game
        self.traps = {one: Traps(one, self.thinker, ShallowPlayer(one, depth, pace)) for one in {game, self.told}}
        self.purse = Purse(self.limits)
        self.forget()

    def forget(self) -> None:
        self.thinker.forget()
        for traps in self.traps.values():
            traps.forget()
        self.opponent.forget()
        self.trust.forget()
        self.seen: set[State] = set()  # where traps were looked for in this game

    def see_start(self, start: State) -> None:
        """The game begins here: whoever moves first, the first answer will be watched."""
        self.trust.see_start(start)

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
        is_small = purse.nodes is not None and purse.nodes < FEWEST_NODES
        if self.trust.is_start and not is_small:
            self._expect_first_move(state, purse)
        self.trust.watch(state, purse)
        is_plain = self.trust.is_stranger or is_small or len(legal) == 1
        found = self._think(state, purse) if is_plain else self._choose(state, purse)
        self.trust.remember(state, found.line)
        return replace(found, nodes=purse.spent, seconds=purse.gone)

    def _expect_first_move(self, state: State, purse: Purse) -> None:
        """See what we would have played from the start, in the place of an opponent who moved first."""
        start = self.trust.after_ours
        seconds = purse.part(EXPECTING)["seconds"]
        if seconds is not None and seconds < LEAST_EXPECTING_S:  # what is seen so soon is not what others would play
            return
        if start is not None and start != state:
            self.trust.expect(self._think(start, purse, EXPECTING).line, self.game.turn(state))

    def _think(self, state: State, purse: Purse, part: float = 1.0) -> Finding:
        found = self.thinker.search(state, **purse.part(part))
        purse.spent += found.nodes
        return found

    def _traps(self, state: State, purse: Purse) -> tuple[list[int], dict[int, Way]]:
        """The moves that secure most, and all ways of the tree; by the moves of the rules."""
        told = state if self.told is self.game else self.told.module.reduced(state)
        traps = self.traps[self.game if told is None else self.told]
        is_again, is_known = state in self.seen, self.trust.telling > 0
        self.seen.add(state)
        part = TRAPPING if is_known else TRAPPING_OF_ANYBODY
        wins = 1 if is_known or is_again else _wins_for(purse)
        root = traps.search(state if told is None else told, wins=wins, **purse.part(part))
        purse.spent += traps.nodes
        ways, moves = root.ways, _best_traps(root)
        if is_again and root.won_by != NO_MOVE:  # others may lead back here for ever
            moves, ways = [root.won_by], {root.won_by: ways[root.won_by]}
        if traps.game is self.game:
            return moves, ways
        original = self.told.module.original
        return [original(told, move) for move in moves], {original(told, move): way for move, way in ways.items()}

    def _choose(self, state: State, purse: Purse) -> Finding:
        found = self._think(state, purse, THINKING)
        if self._certainty(state, found) == 1.0:
            return found
        moves, ways = self._traps(state, purse)
        traps = self._kinds(state, moves)
        if self._kind(state, found.move) in traps and self.trust.telling:
            return found
        again = self._think(state, purse, 0.5 if traps else 1.0)
        if again.depth >= found.depth or again.is_exact:
            found = again
        if self._kind(state, found.move) in traps or self._certainty(state, found) == 1.0:
            return found
        choices = [found]
        for k, move in enumerate(traps.values()):
            appraised = None if purse.is_empty else self._appraise(state, move, purse, 1 / (len(traps) - k))
            if appraised is None or purse.is_closed:  # what was found in a hurry is no match for the rest
                break
            choices.append(appraised)

        def merit(one: Finding) -> tuple[float, float]:
            return self._worth(state, one, self._way(state, ways, one.move)), self._certainty(state, one)

        best = max(choices, key=merit)
        is_of_position = best is found or (found.is_exact and best.score == found.score)
        return best if is_of_position else replace(best, is_exact=False)  # of a trap

    def _kind(self, state: State, move: int) -> tuple[int, ...]:
        """The same for moves that lead to positions of the same worth."""
        return self.thinker.alike(self.game.play(state, move))

    def _kinds(self, state: State, moves: list[int]) -> dict[tuple[int, ...], int]:
        """The first of these moves of each kind."""
        kinds = dict[tuple[int, ...], int]()
        for move in moves:
            kinds.setdefault(self._kind(state, move), move)
        return kinds

    def _way(self, state: State, ways: dict[int, Way], move: int) -> Way:
        """What the tree knows of a move, or of one that is like it; a new way if it knows nothing."""
        if move in ways:
            return ways[move]
        kind = self._kind(state, move)
        return next((way for one, way in ways.items() if self._kind(state, one) == kind), Way())

    def _worth(self, state: State, choice: Finding, way: Way) -> float:
        """What a move promises: with an opponent as assumed, and with the best one, as likely as we think each."""
        trust, certainty = self.trust.degree, self._certainty(state, choice)
        return trust * max(way.hope, certainty) + (1 - trust) * certainty

    def _appraise(self, state: State, move: int, purse: Purse, part: float) -> Finding:
        """What a move is worth against the best answers."""
        child = self.game.play(state, move)
        payoff = self.game.result(child)
        if payoff is not None:
            return Finding(move, SCALE * payoff, True, (move,), 1, 1, 0.0)
        found = self._think(child, purse, part)
        return replace(found, move=move, line=(move, *found.line), depth=found.depth + 1)

    def _certainty(self, state: State, found: Finding) -> float:
        """Our chance to win against the best answers: none, half or all where it is proven."""
        score = found.score if self.game.turn(state) == 0 else -found.score
        return value_of(score) if found.is_exact else chance_of(score)


def _wins_for(purse: Purse) -> int:
    """How many won ways can be told from each other in what is left."""
    left = purse.part()
    by_time = MOST_TRAPS if left["seconds"] is None else int(left["seconds"] / SECONDS_A_TRAP)
    by_nodes = MOST_TRAPS if left["nodes"] is None else left["nodes"] // NODES_A_TRAP
    return max(1, min(by_time, by_nodes, MOST_TRAPS))


def _best_traps(root: Place) -> list[int]:
    """All moves that win, or else the one that secures most; of equals one that leaves something to try, and was
    tried most. None where hardly anything was tried."""
    if root.visits < FEWEST_VISITS and not root.is_settled:
        return []
    tried = {move: way for move, way in root.ways.items() if way.visits > 0}
    won = [move for move, way in tried.items() if way.secured == 1.0]

    def merit(move: int) -> tuple[float, bool, int]:
        return tried[move].secured, not tried[move].is_settled, tried[move].visits

    return won or sorted(tried, key=merit, reverse=True)[:1]

"""What moves are worth, by our own search: for blunders, for tests against chance. In this process, compiled."""

from __future__ import annotations

from typing import NamedTuple

from ludus.agents.agent import Budget
from ludus.agents.chances import Payoffs, chance_to_win
from ludus.agents.naming import make_agent
from ludus.agents.searching import MctsAgent
from ludus.rules import Game, State
from ludus.search.finding import SCALE
from ludus.search.minimax import MoveValues

DEPTH, DEPTH_OF_MANY, MANY = 3, 2, 60  # plies that all moves are looked at; fewer where there are many moves
PLAYOUTS = 4000  # the same where a game has no evaluation


class Worth(NamedTuple):
    """What a position is worth to seat 0, in thousandths, and the best move where there is one."""

    score: int
    is_exact: bool
    move: int | None
    line: tuple[int, ...] = ()


class Engine:
    """Judges positions of one game; `payoffs` say how scores become chances."""

    def __init__(self, game: Game, payoffs: Payoffs) -> None:
        self.game, self.payoffs = game, payoffs
        self.can_guess = game.guess is not None or hasattr(game.module, "banked")
        self.agent = make_agent(game, "alphabeta:mb=16" if self.can_guess else "mcts:mb=64")
        self.plain = MoveValues(game) if self.can_guess else None

    def values(self, state: State) -> dict[int, int]:
        """What each legal move is worth to seat 0 at a short look; the same look for all."""
        legal = self.game.legal(state)
        if self.plain is not None:
            return self.plain.of(state, DEPTH if len(legal) < MANY else DEPTH_OF_MANY)
        assert isinstance(self.agent, MctsAgent)
        self.agent.forget()
        self.agent.searcher.search(state, iterations=PLAYOUTS)
        found = {choice.move: choice.score for choice in self.agent.searcher.choices()}
        return {move: found.get(move, 0) for move in legal}

    def worth(self, state: State, *, nodes: int) -> Worth:
        """A longer look at one position."""
        payoff = self.game.result(state)
        if payoff is not None:
            return Worth(SCALE * payoff, True, None)
        self.agent.forget()
        found = self.agent.choose(state, Budget(nodes=nodes))
        return Worth(found.score, found.is_exact, found.move, found.line)

    def chance(self, score: int, seat: int, *, is_exact: bool = False) -> float:
        """That the seat wins with this score of seat 0; a draw counts as half a win."""
        chance = chance_to_win(score, self.payoffs, is_exact=is_exact)
        return chance if seat == 0 else 1 - chance

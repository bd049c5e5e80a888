"""How strong a network is while it is trained: a small duel against the agent without it, in this process."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import islice

from ludus.agents.agent import Agent, Budget
from ludus.agents.naming import make_agent
from ludus.lab.openings import Opening, openings, usual_plies
from ludus.networks.network import Network
from ludus.ratings.duel import Estimate, count_pairs, estimate
from ludus.rules import Game, State
from ludus.search.deepening import AlphaBeta

UNTRAINED = "alphabeta:mb=8"
MEGABYTES = 8
MORE_PLIES = 3  # of an opening, where shorter ones are too few
MOST_PLIES = 2000  # of a game; longer ones are draws


class Gauge:
    """Plays a network against the untrained agent: the same openings, and the same nodes a move, each time."""

    def __init__(self, game: Game, *, games: int, nodes: int, threads: int) -> None:
        self.game, self.nodes = game, nodes
        self.openings = _distinct_openings(game, (games + 1) // 2)
        self.untrained = [make_agent(game, UNTRAINED) for _ in range(threads)]

    @property
    def games(self) -> int:
        return 2 * len(self.openings)

    def estimate(self, network: Network) -> Estimate:
        """What the pairs of games say of the network's strength; the same network gets the same answer."""
        shares = [self.openings[k :: len(self.untrained)] for k in range(len(self.untrained))]
        with ThreadPoolExecutor(len(shares)) as pool:
            parts = list(pool.map(lambda k: self._pairs(network, self.untrained[k], shares[k]), range(len(shares))))
        return estimate(count_pairs([points for part in parts for points in part]))

    def _pairs(self, network: Network, untrained: Agent, share: list[Opening]) -> list[int]:
        """The network's points in each pair of games, doubled."""
        trained = AlphaBeta(self.game, megabytes=MEGABYTES, network=network)
        return [sum(self._game(trained, untrained, opening, seat) for seat in (0, 1)) for opening in share]

    def _game(self, trained: AlphaBeta, untrained: Agent, opening: Opening, seat: int) -> int:
        """A game with the network in that seat: 2 for a win, 1 for a draw."""
        game, state = self.game, self.game.start(**opening.options)
        trained.forget()
        untrained.forget()
        for move in opening.moves:
            state = game.play(state, move)
        for _ in range(MOST_PLIES):
            payoff = game.result(state)
            if payoff is not None:
                own = payoff if seat == 0 else -payoff
                return 1 + (own > 0) - (own < 0)
            if game.turn(state) == seat:
                state = game.play(state, trained.search(state, nodes=self.nodes).move)
            else:
                state = game.play(state, untrained.choose(state, Budget(nodes=self.nodes)).move)
        return 1


def usual_nodes(game: Game) -> int:
    """Nodes a move that leave something to guess: about those of a search two moves deep."""
    return max(50, min(1000, 10 * len(game.legal(game.start()))))


def _distinct_openings(game: Game, pairs: int) -> list[Opening]:
    """So many openings that lead to different positions; fewer where the game has no more."""
    plies = usual_plies(game, {})
    found: list[Opening] = []
    for more in range(MORE_PLIES):
        found = _without_repeats(game, list(islice(openings(game, {}, plies=plies + more, seed=0), pairs)))
        if len(found) == pairs:
            break
    return found


def _without_repeats(game: Game, drawn: list[Opening]) -> list[Opening]:
    by_state: dict[State, Opening] = {}
    for opening in drawn:
        state = game.start(**opening.options)
        for move in opening.moves:
            state = game.play(state, move)
        by_state.setdefault(state, opening)
    return list(by_state.values())

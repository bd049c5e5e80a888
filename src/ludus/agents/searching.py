"""The agents that think as long as they may: alpha-beta and Monte Carlo tree search."""

from __future__ import annotations

from ludus.agents.agent import Budget
from ludus.networks.shipped import find_network
from ludus.rules import Game, State
from ludus.search import deepening, mcts
from ludus.search.alphabeta import DEEPEST
from ludus.search.finding import Finding
from ludus.search.smaller import SmallerAlphaBeta


class AlphaBetaAgent:
    """Iterative deepening around alpha-beta, with the game's evaluation at the leaves, or that of the network `net`."""

    def __init__(
        self,
        *,
        game: Game,
        name: str,
        seed: int = 0,  # nothing in it is random
        time: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        threads: int = 1,
        mb: int = 64,
        net: str | None = None,
    ) -> None:
        if depth is not None and not 1 <= depth <= DEEPEST:
            raise ValueError(f"depth is {depth}; a number from 1 to {DEEPEST} was expected")
        self.game, self.name, self.depth = game, name, depth
        self.limits = Budget(time, nodes)
        network = None if net is None else find_network(game, net)
        deepening.warm(game, network)
        self.searcher = deepening.AlphaBeta(game, megabytes=mb, threads=threads, network=network)
        self.thinker: deepening.AlphaBeta | SmallerAlphaBeta = self.searcher
        if network is None:
            self.thinker = SmallerAlphaBeta(self.searcher, megabytes=mb, threads=threads)
            self.thinker.get_ready()
        else:  # which knows the game itself, not a smaller one
            self.searcher.forget()  # writes to the table before a move does

    def choose(self, state: State, budget: Budget = Budget()) -> Finding:  # noqa: B008
        limits = budget.within(self.limits).for_moves(len(self.game.legal(state)))
        if self.depth is not None:
            return self.searcher.search(state, depth=self.depth, nodes=limits.nodes, seconds=limits.thinking_seconds)
        limits = limits.or_default()
        return self.thinker.search(state, nodes=limits.nodes, seconds=limits.thinking_seconds)

    def forget(self) -> None:
        self.thinker.forget()

    def stop(self) -> None:
        self.thinker.stop()


class MctsAgent:
    """UCT with proofs. Playouts are `random`, or `guess` after `cut` random plies by the game's evaluation.

    With a network `net` they are its guess, unless said otherwise.
    """

    def __init__(
        self,
        *,
        game: Game,
        name: str,
        seed: int = 0,
        time: float | None = None,
        nodes: int | None = None,
        threads: int = 1,
        mb: int = 256,
        playouts: str | None = None,
        cut: int = 0,
        c: float = mcts.EXPLORATION,
        urgency: float | None = None,
        net: str | None = None,
    ) -> None:
        playouts = playouts or ("random" if net is None else "guess")
        if playouts not in ("random", "guess"):
            raise ValueError(f"playouts is {playouts[:20]!r}; random or guess was expected")
        self.game, self.name = game, name
        self.limits = Budget(time, nodes)
        network = None if net is None else find_network(game, net)
        mcts.warm(game, network)
        self.searcher = mcts.Mcts(
            game,
            megabytes=mb,
            threads=threads,
            seed=seed,
            exploration=c,
            urgency=urgency,
            cut_off=cut if playouts == "guess" else None,
            network=network,
        )

    def choose(self, state: State, budget: Budget = Budget()) -> Finding:  # noqa: B008
        limits = budget.within(self.limits).for_moves(len(self.game.legal(state))).or_default()
        return self.searcher.search(state, iterations=limits.nodes, seconds=limits.thinking_seconds)

    def forget(self) -> None:
        self.searcher.forget()
        self.searcher.searches = 0  # they count into the seed

    def reseed(self, seed: int) -> None:
        """Draw from other random numbers from the next game on."""
        self.searcher.seed = seed

    def stop(self) -> None:
        self.searcher.stop()

"""What an agent makes of a position while it thinks: the best lines with their scores, and what it took.

For `ludus analyse`, and for whoever else shows how a search goes on: the search runs in a thread or a process of
its own, `latest` is looked at from outside, `stop` ends it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from ludus.agents.agent import Agent, Budget
from ludus.agents.chances import Payoffs, chance_to_win, likely_payoffs
from ludus.agents.searching import AlphaBetaAgent, MctsAgent
from ludus.agents.solving import SolverAgent
from ludus.agents.tricky import TrickyAgent
from ludus.errors import PositionError
from ludus.rules import Game, State
from ludus.search.deepening import AlphaBeta
from ludus.search.finding import SCALE, Finding
from ludus.search.mcts import Choice
from ludus.search.solution import Progress, Solution
from ludus.search.stopping import NODES

DEFAULT_SECONDS = 5.0
LONGEST_PROOF_S = 60.0  # that a solver tries, where there is no limit, before guesses take over


@dataclass(frozen=True)
class Variation:
    """A move, what it is worth, and best play after it as far as it is known."""

    line: tuple[int, ...]  # it begins with the move
    score: int  # seat 0's payoff in thousandths
    is_exact: bool
    chance: float  # that the side to move wins, a draw counting as half: 0, 0.5 or 1 if exact, else a rough guess
    depth: int | None = None  # plies that this move was searched to, where lines are searched one by one
    visits: int | None = None  # where they are not
    ends_in: int | None = None  # moves until it is won, if the winner hurries and the other one resists: proven

    @property
    def move(self) -> int:
        return self.line[0]


@dataclass(frozen=True)
class Analysis:
    """Everything known of a position at some moment; the best move comes first."""

    agent: str
    turn: int
    lines: tuple[Variation, ...] = ()
    depth: int = 0
    nodes: int = 0
    seconds: float = 0.0
    counts: dict[str, int] = field(default_factory=dict)
    doing: str = ""  # what it is busy with, where that is not the lines
    note: str = ""  # a sentence about the lines, such as why there are not more

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / self.seconds if self.seconds > 0 else 0.0

    @property
    def cut_off_rate(self) -> float | None:
        """The share of nodes that ended with a move too good for the opponent to allow."""
        return _share(self.counts.get("cut_offs"), self.nodes)

    @property
    def first_move_cut_rate(self) -> float | None:
        """The share of cut-offs that the very first move brought: how good the order of moves is."""
        return _share(self.counts.get("cut_offs_by_first_move"), self.counts.get("cut_offs"))

    @property
    def table_hits(self) -> int | None:
        """Positions that needed no search, as the table knew them; None where there is no table."""
        return self.counts.get("table_hits")

    def to_data(self, game: Game) -> dict[str, Any]:
        """The same in words and numbers only, for JSON."""
        counts = {key: count for key, count in self.counts.items() if not key.startswith("visits_")}
        data: dict[str, Any] = {
            "game": game.name,
            "agent": self.agent,
            "turn": self.turn,
            "lines": [_line_data(game, line) for line in self.lines],
            "depth": self.depth,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
            "nodes_per_second": round(self.nodes_per_second),
            "table_hits": self.table_hits,
            "cut_off_rate": _rounded(self.cut_off_rate),
            "first_move_cut_rate": _rounded(self.first_move_cut_rate),
            "counts": counts,
        }
        return data | ({"note": self.note} if self.note else {})


def _line_data(game: Game, line: Variation) -> dict[str, Any]:
    data: dict[str, Any] = {
        "move": game.move_name(line.move),
        "score": line.score,
        "win_probability": round(line.chance, 4),
        "margin": line.score / SCALE,
        "is_exact": line.is_exact,
        "line": [game.move_name(move) for move in line.line],
    }
    optional = {"depth": line.depth, "visits": line.visits}
    return data | {key: value for key, value in optional.items() if value is not None}


def usual_budget(agent: Agent) -> Budget:
    """What an analysis may cost where nobody says: the agent's own limits, or a few seconds."""
    has_limits = getattr(agent, "limits", Budget()) != Budget() or getattr(agent, "depth", None) is not None
    return Budget() if has_limits else Budget(seconds=DEFAULT_SECONDS)


class Analyst:
    """One analysis of one position: `run` it once; `latest` and `stop` may be called from other threads meanwhile."""

    def __init__(self, game: Game, agent: Agent, state: State, *, lines: int = 3, budget: Budget) -> None:
        if game.result(state) is not None:
            raise PositionError("the game is over: there is nothing to analyse")
        if not game.legal(state):
            raise PositionError("the game is not over, but the rules leave no move to analyse")
        self.game, self.agent, self.state, self.wanted = game, agent, state, lines
        self.budget = budget.within(getattr(agent, "limits", Budget()))
        self.turn, self.legal = game.turn(state), game.legal(state)
        self.payoffs: Payoffs = likely_payoffs(game, state)
        self.found = Analysis(agent.name, self.turn)
        self.searcher: AlphaBeta | None = None  # the one that counts nodes just now
        self.spent_nodes, self.begin = 0, time.perf_counter()
        self.is_stopped = self.is_over = False
        self.tell: Callable[[Analysis], None] = lambda analysis: None
        unused = getattr(agent, "searcher", None)
        if isinstance(unused, AlphaBeta) and unused.age == 0:
            unused.forget()  # writes to its table before that counts as thinking: the first time, memory takes a while

    def run(self, on_progress: Callable[[Analysis], None] = lambda analysis: None) -> Analysis:
        """Think until the budget is spent, everything is proven, or somebody calls `stop`."""
        self.tell, self.begin = on_progress, time.perf_counter()
        agent = self.agent
        if isinstance(agent, AlphaBetaAgent):
            self._by_alphabeta(agent.searcher, self.budget, depth=agent.depth)
        elif isinstance(agent, TrickyAgent):  # what is best, not what somebody falls for
            self._by_alphabeta(agent.searcher, self.budget, depth=None)
        elif isinstance(agent, MctsAgent):
            self._by_mcts(agent)
        elif isinstance(agent, SolverAgent):
            self._by_solver(agent)
        else:
            self._by_choice()
        self.found, self.is_over = self.latest(), True
        return self.found

    def prove(self, on_progress: Callable[[Analysis], None] = lambda analysis: None) -> bool:
        """Instead of `run`, for an agent that solves: nothing but proofs; whether the position is solved."""
        assert isinstance(self.agent, SolverAgent)
        self.tell, self.begin = on_progress, time.perf_counter()
        is_solved = self._is_solved(self.agent, share=1.0)
        self.found, self.is_over = self.latest(), True
        return is_solved

    def stop(self) -> None:
        """Come to an end soon. To be called again until `run` is over: a search that is just beginning may miss it."""
        self.is_stopped = True
        if self.searcher is None or self.found.lines:  # the first iteration is short, and there is no move before it
            self.agent.stop()

    def latest(self) -> Analysis:
        """What is known now."""
        if self.is_over:
            return self.found
        counted = {} if self.searcher is None else self._counts_of(self.searcher)
        return replace(self.found, seconds=time.perf_counter() - self.begin, **counted)

    def _set(self, **known: Any) -> None:
        self.found = replace(self.found, **known)
        if self.is_stopped:
            self.agent.stop()
        self.tell(self.latest())

    def _variation(self, line: tuple[int, ...], score: int, is_exact: bool, **more: int) -> Variation:
        chance = chance_to_win(score, self.payoffs, is_exact=is_exact)
        return Variation(line, score, is_exact, chance if self.turn == 0 else 1 - chance, **more)

    # ---- one way for each kind of agent

    def _by_alphabeta(self, searcher: AlphaBeta, budget: Budget, *, depth: int | None) -> None:
        def hear(found: list[Finding]) -> None:
            lines = [
                self._variation(one.line, one.score, one.is_exact, depth=one.depth) for one in self._in_order(found)
            ]
            self._set(lines=tuple(lines), depth=lines[0].depth, doing="")

        searcher.forget_counts()
        self.searcher = searcher
        hear(
            searcher.search_lines(
                self.state, self.wanted, depth=depth, nodes=budget.nodes, seconds=budget.seconds, on_progress=hear
            )
        )

    def _in_order(self, found: list[Finding]) -> list[Finding]:
        """The lines of the deepest search, then the others, of which that search says that they are no better."""
        sign = 1 if self.turn == 0 else -1
        deepest = max(one.depth for one in found)
        first = sorted((one for one in found if one.depth == deepest), key=lambda one: -sign * one.score)
        most = sign * first[-1].score
        others = [one for one in found if one.depth < deepest]
        return first + [
            one if one.is_exact else replace(one, score=sign * min(sign * one.score, most)) for one in others
        ]

    def _counts_of(self, searcher: AlphaBeta) -> dict[str, Any]:
        """The counts of a search that may still go on."""
        return {"nodes": self.spent_nodes + searcher.counted(NODES), "counts": searcher.counts()}

    def _by_mcts(self, agent: MctsAgent) -> None:
        def hear(found: Finding) -> None:
            best, *others = agent.searcher.choices()
            tried = [best, *(other for other in others if other.visits or other.is_exact)]
            self._set(
                lines=tuple(self._choice(choice, found) for choice in tried[: self.wanted]),
                depth=found.depth,
                nodes=found.nodes,
                counts=found.counts,
            )

        budget = self.budget
        hear(agent.searcher.search(self.state, iterations=budget.nodes, seconds=budget.seconds, on_progress=hear))

    def _choice(self, choice: Choice, found: Finding) -> Variation:
        """A move of the tree; that a best move is exact says nothing yet as long as another may be better."""
        is_exact = choice.is_exact and (choice.move != found.move or found.is_exact)
        return self._variation(choice.line, choice.score, is_exact, visits=choice.visits)

    def _by_choice(self) -> None:
        found = self.agent.choose(self.state, self.budget)
        kind = self.agent.name.partition(":")[0]
        self._set(
            lines=(self._variation(found.line, found.score, found.is_exact, depth=found.depth),),
            depth=found.depth,
            nodes=found.nodes,
            counts=found.counts,
            note=f"{kind} gives one line only; alphabeta and mcts give several." if self.wanted > 1 else "",
        )

    def _by_solver(self, agent: SolverAgent) -> None:
        """Proofs for as long as the agent itself would try; where there is none, alpha-beta with the rest."""
        if self._is_solved(agent, share=agent.share):
            return
        nodes, seconds = self.budget.nodes, self.budget.seconds
        left = Budget(
            None if seconds is None else max(0.0, seconds - (time.perf_counter() - self.begin)),
            None if nodes is None else max(1, nodes - self.spent_nodes),
        )
        self._by_alphabeta(agent.searcher, left, depth=1 if self.is_stopped else None)
        self._set(note="Not solved: these are guesses by alpha-beta.")

    def _is_solved(self, agent: SolverAgent, *, share: float) -> bool:
        """Try a proof with a share of the budget, and tell it if there is one."""
        nodes, seconds = self.budget.nodes, self.budget.seconds

        def hear(progress: Progress) -> None:
            self._set(nodes=progress.nodes, doing=f"solving: {progress.doing}")

        solution = agent.solver.solve(
            self.state,
            seconds=self._proof_seconds(share * seconds if seconds is not None else None),
            nodes=None if nodes is None else int(share * nodes),
            on_progress=hear,
        )
        self.spent_nodes = solution.nodes
        if solution.value is None or not solution.best:
            return False
        self._tell_solution(agent, solution)
        return True

    def _proof_seconds(self, seconds: float | None) -> float | None:
        """The time for a proof: with a limit of nodes none, so that the answer can be repeated."""
        return LONGEST_PROOF_S if seconds is None and self.budget.nodes is None else seconds

    def _tell_solution(self, agent: SolverAgent, solution: Solution) -> None:
        """The best moves, then as many of the others as are wanted and can be solved too."""
        assert solution.value is not None
        score = SCALE * solution.value
        lines = [
            self._variation(solution.line if solution.line[:1] == (move,) else (move,), score, True)
            for move in sorted(solution.best, key=lambda move: solution.line[:1] != (move,))
        ]
        self._set(lines=tuple(lines[: self.wanted]), depth=len(solution.line), nodes=solution.nodes, doing="")
        if len(lines) > self.wanted:
            self._set(note=f"{len(lines)} moves are best, not only these.")
        if len(lines) >= min(self.wanted, len(self.legal)) or solution.undecided:
            return
        others = self._solved_others(agent, solution)
        if others is None:
            note = f"{_moves_are(len(lines))} best; the others are worse, by how much was not solved."
            self._set(nodes=self.spent_nodes, note=note)
        else:
            self._set(lines=tuple((lines + others)[: self.wanted]), nodes=self.spent_nodes)

    def _solved_others(self, agent: SolverAgent, solution: Solution) -> list[Variation] | None:
        """The moves that are not best with their values, the best one first; None if that takes too long."""
        others = []
        for move in self.legal:
            if move in solution.best:
                continue
            seconds, nodes = self.budget.seconds, self.budget.nodes
            child = agent.solver.solve(
                self.game.play(self.state, move),
                seconds=self._proof_seconds(None if seconds is None else seconds - (time.perf_counter() - self.begin)),
                nodes=None if nodes is None else max(1, nodes - self.spent_nodes),
                needs_all_moves=False,
            )
            self.spent_nodes += child.nodes
            if child.value is None or self.is_stopped:
                return None
            others.append(self._variation((move, *child.line), SCALE * child.value, True))
        return sorted(others, key=lambda line: line.score, reverse=self.turn == 0)


def _moves_are(number: int) -> str:
    return "One move is" if number == 1 else f"{number} moves are"


def _share(part: int | None, whole: int | None) -> float | None:
    return None if part is None or not whole else part / whole


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, 4)

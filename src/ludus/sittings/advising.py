"""The process that thinks about positions of one game: requests in, what is known out several times a second.

    in   {"do": "think", "id": 7, "options": {}, "moves": ["4,4"], "seconds": 2.0, "lines": 3, "proves": false}
         {"do": "stop"}
    out  {"id": 7, "is": "so far", "lines": [...], ...}   then {"id": 7, "is": "end", ...}
         {"id": 7, "is": "failed", "why": "..."}

All are lines of JSON. "state" instead of "options" begins from a position. Who asks anew ends what was asked before.
"""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property
from itertools import groupby
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from ludus.agents.agent import Agent, Budget
from ludus.agents.analysis import Analysis, Analyst, Variation
from ludus.agents.chances import likely_payoffs
from ludus.agents.naming import make_agent
from ludus.agents.solving import SolverAgent
from ludus.compile.agreement import compiling
from ludus.errors import LudusError
from ludus.rules import Game, State, follow, load_game
from ludus.search.countdown import MOST_PLIES, Countdown, Ending
from ludus.search.finding import SCALE

TELL_S, STOP_S = 0.15, 0.01  # between two reports, and between two looks at a search that was told to stop
FIRST_S = 0.4  # of guesses before a proof is tried, so that there is something to see
PROOF_SHARE, LONGEST_PROOF_S = 0.3, 10.0
LEAST_COUNT_S = 1.0  # to count the moves of a win, even if the time is over when it is proven
TO_PROVE = "getting ready to prove; the first time, the solver is compiled"
TO_COUNT = "counting the moves to the end"
BEST, SOLVER = "best", "solver:mb=256"

Request = dict[str, Any]


class Engine:
    """The game and the agents of this process, made when they are first needed."""

    def __init__(self, rules: str) -> None:
        self.rules = rules

    @cached_property
    def game(self) -> Game:
        return load_game(self.rules)

    @cached_property
    def best(self) -> Agent:
        return make_agent(self.game, BEST)

    @cached_property
    def solver(self) -> Agent:
        return make_agent(self.game, SOLVER)

    @cached_property
    def countdown(self) -> Countdown:
        return Countdown(self.game)


class Thought:
    """One request, worked on in a thread of its own."""

    def __init__(self, engine: Engine, request: Request, wake: Callable[[], None]) -> None:
        self.engine, self.request, self.wake = engine, request, wake
        self.found: Analysis | None = None  # by the searches that are over
        self.analyst: Analyst | None = None  # at work just now
        self.is_stopped, self.is_over, self.why = False, False, ""
        Thread(target=self._run, daemon=True).start()

    def stop(self) -> None:
        """To be called until it is over, as `Analyst.stop` is."""
        self.is_stopped = True
        if self.analyst is not None:
            self.analyst.stop()
        elif "countdown" in self.engine.__dict__:
            self.engine.countdown.stop()

    def report(self, kind: str) -> dict[str, Any]:
        if self.why:
            return {"id": self.request["id"], "is": "failed", "why": self.why}
        known = self._latest()
        head = {"id": self.request["id"], "is": kind, "doing": "getting ready"}
        return head if known is None else head | plain(known)

    def _latest(self) -> Analysis | None:
        """What is known now; a search that begins anew does not hide what one before it found deeper."""
        before, analyst = self.found, self.analyst
        now = None if analyst is None else analyst.latest()
        if before is None or now is None:
            return now or before
        is_better = bool(now.lines) and (now.depth >= before.depth or now.lines[0].is_exact)
        known = now if is_better else replace(before, doing=now.doing)
        return replace(known, nodes=before.nodes + now.nodes, seconds=before.seconds + now.seconds)

    def _run(self) -> None:
        try:
            self._think()
        except LudusError as error:
            self.why = str(error)
        except MemoryError:
            self.why = "there is not enough memory to think about this position"
        except Exception as error:  # rules of one's own, or a position that they never meant
            traceback.print_exc()
            self.why = f"thinking failed: {type(error).__name__}: {str(error)[:200]}"
        finally:
            self.is_over = True
            self.wake()

    def _think(self) -> None:
        engine, request = self.engine, self.request
        game = engine.game
        start = game.module.State(*request["state"]) if "state" in request else game.start(**request["options"])
        state = follow(game, start, request["moves"]).states[-1]

        def search(agent: Agent, seconds: float, run: Callable[[Analyst], object]) -> None:
            self._set_aside("")
            self.analyst = Analyst(game, agent, state, lines=request["lines"], budget=Budget(max(0.0, seconds)))
            run(self.analyst)

        with compiling(game):
            best, seconds = engine.best, float(request["seconds"])
            if request["proves"] and not isinstance(best, SolverAgent):
                search(best, min(FIRST_S, seconds), Analyst.run)
                if not self._is_done():
                    self._set_aside(TO_PROVE)
                    search(engine.solver, min(PROOF_SHARE * seconds, LONGEST_PROOF_S), Analyst.prove)
            if not self._is_done():
                known = self._latest()
                search(best, seconds - (0.0 if known is None else known.seconds), Analyst.run)
            if request["proves"] and not self.is_stopped:
                self._count_down(state)

    def _set_aside(self, doing: str) -> None:
        """Keep what the search that is over has found, and say what comes next."""
        known = self._latest()
        self.found, self.analyst = known and replace(known, doing=doing), None

    def _count_down(self, state: State) -> None:
        """In how many moves each line wins that is proven to win outright; the quickest, or the longest, line first."""
        game, known = self.engine.game, self._latest()
        if known is None or not any(line.is_exact and line.score != 0 for line in known.lines):
            return
        most = _most_to_win(game, state)
        self._set_aside(TO_COUNT)
        end = time.monotonic() + max(LEAST_COUNT_S, float(self.request["seconds"]) - known.seconds)
        lines = list(known.lines)
        if lines[0].is_exact and lines[0].score in most:
            ending = self._ending(state, lines[0].score, end)
            if ending is not None:
                first = replace(lines[0], line=ending.line, ends_in=ending.plies)
                lines = [first, *(line for line in lines if line.move != first.move)][: len(lines)]
        for number, line in enumerate(lines):
            if line.ends_in is None and line.is_exact and line.score in most:
                after = game.play(state, line.move)
                ending = Ending(0, ()) if game.result(after) is not None else self._ending(after, line.score, end)
                if ending is not None:
                    lines[number] = replace(line, line=(line.move, *ending.line), ends_in=1 + ending.plies)
        self.found = replace(known, lines=_in_haste(lines, is_winner=known.lines[0].chance > 0.5), doing="")

    def _ending(self, state: State, score: int, end: float) -> Ending | None:
        winner, payoff = (0 if score > 0 else 1), abs(score) // SCALE
        left_s = 0.0 if self.is_stopped else max(0.0, end - time.monotonic())
        return self.engine.countdown.find(state, winner, payoff, seconds=left_s)

    def _is_done(self) -> bool:
        known = self._latest()
        is_settled = known is not None and bool(known.lines) and all(line.is_exact for line in known.lines)
        return (self.is_stopped and known is not None) or is_settled


def _most_to_win(game: Game, state: State) -> set[int]:
    """The scores of who wins as much as there is to win; none where games are about margins that nobody can name."""
    declared = getattr(game.module, "payoffs", None)
    if declared is not None:
        return {SCALE * payoff for payoff in declared(state) if payoff != 0}
    return {-SCALE, SCALE} if max(map(abs, likely_payoffs(game, state))) == 1 else set()


def _in_haste(lines: list[Variation], *, is_winner: bool) -> tuple[Variation, ...]:
    """Among lines of the same worth the shortest first, or the longest for who loses; uncounted ones last."""

    def haste(line: Variation) -> int:
        return MOST_PLIES if line.ends_in is None else line.ends_in if is_winner else -line.ends_in

    groups = groupby(lines, key=lambda line: (line.score, line.is_exact))
    return tuple(line for _, group in groups for line in sorted(group, key=haste))


def plain(analysis: Analysis) -> dict[str, Any]:
    """An analysis as JSON; `Analysis` again by `analysis_of`."""
    lines = [
        {"line": list(one.line), "score": one.score, "is_exact": one.is_exact, "chance": one.chance,
         "depth": one.depth, "visits": one.visits, "ends_in": one.ends_in}
        for one in analysis.lines
    ]  # fmt: skip
    kept = ("agent", "turn", "depth", "nodes", "seconds", "counts", "doing", "note")
    return {"lines": lines, **{name: getattr(analysis, name) for name in kept}}


def serve(rules: str, lines: Iterable[str], say: Callable[[dict[str, Any]], None]) -> None:
    """Answer requests until there are no more."""
    inbox: SimpleQueue[Request | None] = SimpleQueue()
    Thread(target=_read, args=(lines, inbox), daemon=True).start()
    engine = Engine(rules)
    thought: Thought | None = None
    waiting: Request | None = None
    while True:
        is_ending = thought is not None and (thought.is_stopped or waiting is not None)
        try:
            request = inbox.get(timeout=None if thought is None else STOP_S if is_ending else TELL_S)
            if request is None:
                return
            if request["do"] != "look":
                if waiting is not None:
                    say({"id": waiting["id"], "is": "end"})
                waiting = request if request["do"] == "think" else None
                if thought is not None:
                    thought.stop()
        except Empty:
            pass
        if thought is not None and thought.is_over:
            say(thought.report("end"))
            thought = None
        elif thought is not None and is_ending:
            thought.stop()
        elif thought is not None:
            say(thought.report("so far"))
        if thought is None and waiting is not None:
            thought, waiting = Thought(engine, waiting, lambda: inbox.put({"do": "look"})), None


def _read(lines: Iterable[str], inbox: SimpleQueue[Request | None]) -> None:
    for text in lines:
        inbox.put(json.loads(text))
    inbox.put(None)


def _main(rules: str) -> None:
    """The program of that process. What rules print goes to standard error: the answers have their own way out."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def say(message: dict[str, Any]) -> None:
        answers.write(json.dumps(message) + "\n")
        answers.flush()

    serve(rules, iter(sys.stdin.readline, ""), say)


if __name__ == "__main__":
    _main(sys.argv[1])

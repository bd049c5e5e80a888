"""Analysis in a process of its own, told as it goes on, for whoever shows it while it lives."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from threading import RLock, Thread, Timer
from typing import Any

from ludus.agents.analysis import Analysis, Variation
from ludus.errors import AgentError
from ludus.rules import GAMES_FOLDER, Game, State
from ludus.sandbox.trusted import bound

LONGEST_S = 300.0  # beyond the seconds of a request: the first start ever compiles the search
LAST_WORDS = 4000  # bytes of what it said before it died

Hear = Callable[[Analysis], None]


@dataclass(frozen=True)
class Question:
    """A position, and how much is to be found out about it."""

    moves: Sequence[str]  # by name, from the start
    turn: int
    seconds: float
    options: dict[str, Any] | None = None  # of the start; without them it is `state`
    state: State | None = None
    lines: int = 3
    proves: bool = False  # a proof is tried as well

    def request(self, number: int) -> dict[str, Any]:
        start = {"options": self.options or {}} if self.state is None else {"state": list(self.state)}
        asked = {"moves": list(self.moves), "seconds": self.seconds, "lines": self.lines, "proves": self.proves}
        return {"do": "think", "id": number, **start, **asked}


@dataclass
class _Asked:
    question: Question
    hear: Hear
    future: Future[Analysis]
    timer: Timer


class Engine:
    """Thinks about positions of one game, one at a time: a new question ends the one before with what is known.

    The process dies with this one, or with `close`. `hear` is called on a thread of the engine.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._process: subprocess.Popen[str] | None = None
        self._early: list[dict[str, Any]] = []  # what was asked before the process was there
        self._lock = RLock()
        self._asked: dict[int, _Asked] = {}
        self._number = 0
        self.is_alive, self._is_closed = True, False
        self._reason = ""  # why it is no longer alive
        # The kernel ends the process with the thread that started it: the one that listens to it.
        self._thread = Thread(target=self._run, name="engine", daemon=True)
        self._thread.start()

    @property
    def process_id(self) -> int | None:
        return None if self._process is None else self._process.pid

    def think(self, question: Question, hear: Hear = lambda analysis: None) -> Future[Analysis]:
        """What is known when the seconds are over, all is proven, or somebody stops it; `hear` is told on the way."""
        future: Future[Analysis] = Future()
        future.set_running_or_notify_cancel()  # whoever no longer waits does not cancel it: the process goes on
        timer = Timer(question.seconds + LONGEST_S, self._kill)
        timer.daemon = True
        with self._lock:
            if not self.is_alive:
                future.set_exception(AgentError(f"no analysis can be had: {self._reason}"))
                return future
            self._number += 1
            self._asked[self._number] = _Asked(question, hear, future, timer)
            timer.start()
            self._say(question.request(self._number))
        return future

    def stop(self) -> None:
        """End what is thought about now, soon, with what is known."""
        with self._lock:
            self._say({"do": "stop"})

    def end(self) -> None:
        """Kill the process, without waiting until it is gone."""
        self._is_closed = True
        self._kill()

    def close(self) -> None:
        """Nothing of it is left."""
        self.end()
        self._thread.join()

    def _say(self, message: dict[str, Any]) -> None:
        if self._process is None:
            self._early.append(message)
            return
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            self._kill()  # the listening thread tells those who wait

    def _kill(self) -> None:
        if self._process is not None:
            self._process.kill()

    # ---- on the thread that listens

    def _run(self) -> None:
        try:
            reason = self._served()
        except (OSError, subprocess.SubprocessError) as error:
            reason = f"its process could not be started: {getattr(error, 'strerror', None) or error}"
        with self._lock:
            self.is_alive, self._reason, left = False, reason, list(self._asked.values())
            self._asked.clear()
        for asked in left:
            asked.timer.cancel()
            asked.future.set_exception(AgentError(f"no analysis can be had: {reason}"))

    def _served(self) -> str:
        """Start the process and hear it to its end; why it ended."""
        game = self.game
        rules = game.name if game.path.is_relative_to(GAMES_FOLDER) else str(game.path)
        command = [sys.executable, "-m", "ludus.sittings.advising", rules]
        if sys.platform == "linux":
            command = bound(command)
        with tempfile.TemporaryFile() as errors:
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": errors}
            with subprocess.Popen(command, text=True, start_new_session=True, **pipes) as process:  # type: ignore[call-overload]  # noqa: S603  # our own program
                with self._lock:
                    self._process = process
                    for message in self._early:
                        self._say(message)
                if self._is_closed:
                    process.kill()
                assert process.stdout is not None
                for line in process.stdout:
                    self._hear(json.loads(line))
                process.kill()
            errors.seek(0)
            said = errors.read()[-LAST_WORDS:].decode("utf-8", "replace").strip().splitlines()
        return _reason(said, process.returncode)

    def _hear(self, message: dict[str, Any]) -> None:
        asked = self._asked.get(message["id"])
        if asked is None:
            return
        if message["is"] != "failed":
            analysis = analysis_of(message, asked.question.turn)
            if message["is"] == "so far":
                asked.hear(analysis)
                return
        with self._lock:
            del self._asked[message["id"]]
        asked.timer.cancel()
        if message["is"] == "failed":
            asked.future.set_exception(AgentError(f"no analysis can be had: {message['why']}"))
        else:
            asked.future.set_result(analysis)


def analysis_of(message: dict[str, Any], turn: int) -> Analysis:
    """The analysis that a message of the process tells."""
    lines = tuple(Variation(**{**one, "line": tuple(one["line"])}) for one in message.get("lines", ()))
    told = {key: message[key] for key in ("depth", "nodes", "seconds", "counts", "doing", "note") if key in message}
    return Analysis(message.get("agent", "best"), turn, lines, **told)


def first_chance(analysis: Analysis) -> float:
    """The chance of seat 0, 0 to 1, of an analysis that has lines."""
    chance = analysis.lines[0].chance
    return chance if analysis.turn == 0 else 1 - chance


def _reason(said: list[str], status: int) -> str:
    return said[-1][:200] if said else f"its process ended with status {status}"

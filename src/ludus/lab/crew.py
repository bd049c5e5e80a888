"""The workers of one duel: players made once in each, pairs handed out one at a time, the dead replaced."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from typing import NamedTuple

from ludus.errors import LudusError
from ludus.lab.openings import Opening
from ludus.lab.pair import Pair, Setting, play_pair, prepare
from ludus.lab.workers import Worker

HEARING_S = 0.05  # between two looks at whether a worker compiles
ATTEMPTS = 3  # at a pair whose process dies under it


class Task(NamedTuple):
    """An opening that a worker plays, for the so-many-th time."""

    worker: int
    opening: Opening
    attempt: int


class Crew:
    """So many workers with so many cores each."""

    def __init__(
        self, setting: Setting, number: int, *, cores: int, on_compiling: Callable[[], None] = lambda: None
    ) -> None:
        self.setting, self.number, self.cores, self.on_compiling = setting, number, cores, on_compiling
        self.workers: list[Worker] = []
        self.names = ("", "")
        self.has_own_cores = False

    def prepare(self) -> None:
        """Make the players in the first worker, then in the others: what is compiled, is compiled only once."""
        worker = Worker(self.cores)
        self.workers.append(worker)
        made = worker.submit(prepare, self.setting)
        while not made.done() and not worker.compiles.value:
            wait([made], timeout=HEARING_S)
        if worker.compiles.value:
            self.on_compiling()
        self.names = self._result(made)
        self.workers += [Worker(self.cores) for _ in range(self.number - 1)]
        for future in [worker.submit(prepare, self.setting) for worker in self.workers[1:]]:
            self._result(future)
        self.has_own_cores = all(worker.has_own_cores for worker in self.workers)

    def play(self, openings: Iterator[Opening]) -> Iterator[Pair]:
        """The pairs of all openings as they end. A player that raises ends everything."""
        running: dict[Future[Pair], Task] = {}
        for index in range(len(self.workers)):
            self._next(running, index, openings)
        while running:
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                task = running.pop(future)
                if isinstance(future.exception(), BrokenProcessPool):
                    self._again(running, task)
                else:
                    self._next(running, task.worker, openings)
                    yield future.result()

    def disband(self) -> None:
        """End all processes at once."""
        for worker in self.workers:
            worker.kill()

    def _next(self, running: dict[Future[Pair], Task], worker: int, openings: Iterator[Opening]) -> None:
        if (opening := next(openings, None)) is not None:
            self._start(running, Task(worker, opening, 1))

    def _again(self, running: dict[Future[Pair], Task], task: Task) -> None:
        """Once more in a new process, as a machine may fail; not for ever, as a player may be the reason."""
        if task.attempt == ATTEMPTS:
            raise LudusError(f"the process that plays pair {task.opening.number + 1} has died {ATTEMPTS} times")
        self.workers[task.worker].kill()
        self.workers[task.worker] = Worker(self.cores)
        self._start(running, task._replace(attempt=task.attempt + 1))

    def _start(self, running: dict[Future[Pair], Task], task: Task) -> None:
        running[self.workers[task.worker].submit(play_pair, self.setting, task.opening)] = task

    def _result(self, future: Future[tuple[str, str]]) -> tuple[str, str]:
        try:
            return future.result()
        except BrokenProcessPool:
            raise LudusError("a process died while it made the players; is there enough memory?") from None

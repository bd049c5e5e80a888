"""A thread that does one thing after the other, for what has to wait: processes that think while the screen lives."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import TypeVar

Found = TypeVar("Found")


class Desk:
    """The kernel ends a process with the thread that started it, so players of one game stay with one thread.

    It is a daemon: whoever leaves does not wait for a move that nobody will see.
    """

    def __init__(self, name: str) -> None:
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def do(self, work: Callable[[], Found]) -> Future[Found]:
        """What the work gives, or raises, once its turn has come."""
        future: Future[Found] = Future()

        def job() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                found = work()
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(found)

        self._jobs.put(job)
        return future

    def close(self, *, patience_s: float = 1.0) -> None:
        """No more work; what is begun may end within the patience."""
        self._jobs.put(None)
        self._thread.join(patience_s)

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()

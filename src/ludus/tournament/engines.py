"""Where games are played: processes here, or a cluster. The driver knows an engine by its Executor alone."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import queue
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple, ParamSpec, Protocol, TypeVar

from ludus.errors import EngineError
from ludus.search.cores import usable_cores

ENGINES = ("local", "dask", "ray")
PRELOADED = "ludus.tournament.worker"  # imported once, before the workers are forked

P = ParamSpec("P")
R = TypeVar("R")


class Engine(Protocol):
    """Something that runs functions elsewhere. One worker's death fails one future, with an exception of `lost`."""

    name: str
    lost: tuple[type[BaseException], ...]
    executor: Executor

    def slots(self) -> int:
        """How many tasks run at a time now; it may change while a cluster grows."""

    def close(self) -> None:
        """End what was started, at once."""


@contextmanager
def open_engine(text: str, *, workers: int | None = None) -> Iterator[Engine]:
    """The engine that a person named: local, dask, dask:ADDRESS, ray or ray:ADDRESS."""
    kind, _, address = text.partition(":")
    if kind not in ENGINES or (kind == "local" and address):
        raise EngineError(f"there is no engine {text[:60]!r}; use local, dask, dask:ADDRESS, ray or ray:ADDRESS")
    engine: Engine
    try:
        if kind == "dask":
            from ludus.tournament.dask_engine import Dask  # noqa: PLC0415  # an extra

            engine = Dask(address, workers=workers)
        elif kind == "ray":
            from ludus.tournament.ray_engine import Ray  # noqa: PLC0415  # an extra

            engine = Ray(address, workers=workers)
        else:
            engine = Local(workers or usable_cores())
    except ImportError as error:
        needs = f"the engine {kind} needs an extra (pip install 'ludus[{kind}]')"
        raise EngineError(f"{needs}: {error}") from None
    try:
        yield engine
    finally:
        engine.close()


class WorkerLostError(Exception):
    """A local worker died while it worked."""


class Local:
    """Processes on this machine."""

    name = "local"
    lost: tuple[type[BaseException], ...] = (WorkerLostError,)

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.processes = LocalExecutor(workers)
        self.executor: Executor = self.processes

    def slots(self) -> int:
        return self.workers

    def close(self) -> None:
        self.processes.kill()


class _Task(NamedTuple):
    future: Future[Any]
    call: bytes


class LocalExecutor(Executor):
    """So many processes, each with a thread that feeds it: a death costs one task, and a new process takes its place.

    The processes end with this one, even when it is killed.
    """

    def __init__(self, workers: int) -> None:
        methods = multiprocessing.get_all_start_methods()
        self._context: Any = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
        if "forkserver" in methods:
            self._context.set_forkserver_preload([PRELOADED])
        self._tasks: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._is_killed = False
        with ignoring_interrupts():  # children inherit that: Ctrl-C is the driver's business
            self._processes = [self._start() for _ in range(workers)]
        self._threads = [threading.Thread(target=self._feed, args=(n,), daemon=True) for n in range(workers)]
        for thread in self._threads:
            thread.start()

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        future: Future[R] = Future()
        self._tasks.put(_Task(future, pickle.dumps((fn, args, kwargs))))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """What is queued is done first, unless it is cancelled."""
        while cancel_futures and not self._tasks.empty():
            if (task := self._tasks.get()) is not None:
                task.future.cancel()
        for _ in self._threads:
            self._tasks.put(None)
        for thread in self._threads if wait else ():
            thread.join()

    def kill(self) -> None:
        """End every process at once, whatever it does; their tasks fail as lost."""
        self._is_killed = True
        self.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            for process, _ in self._processes:
                process.kill()
        for thread in self._threads:
            thread.join()

    def pids(self) -> list[int]:
        with self._lock:
            return [process.pid for process, _ in self._processes if process.pid is not None]

    def _start(self) -> tuple[BaseProcess, Connection]:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_serve, args=(theirs,), daemon=False)
        process.start()
        theirs.close()
        return process, ours

    def _feed(self, number: int) -> None:
        """Hand tasks to one process, and put another in its place when it dies."""
        while (task := self._tasks.get()) is not None:
            if not task.future.set_running_or_notify_cancel():
                continue
            try:
                process, connection = self._alive(number)
            except OSError as error:  # no process can be started here now
                task.future.set_exception(error)
                continue
            outcome = None if process is None or connection is None else _asked(process, connection, task.call)
            if outcome is None:
                self._bury(process)
                task.future.set_exception(WorkerLostError("the process that played died"))
            elif outcome[0]:
                task.future.set_result(outcome[1])
            else:
                task.future.set_exception(outcome[1])
        process, connection = self._processes[number]
        connection.close()
        process.join()

    def _bury(self, process: BaseProcess | None) -> None:
        """A process may still seem alive for a moment after its death, and must not be given the next task."""
        if process is not None:
            process.kill()
            process.join()

    def _alive(self, number: int) -> tuple[BaseProcess, Connection] | tuple[None, None]:
        with self._lock:
            if self._is_killed:
                return None, None
            process, connection = self._processes[number]
            if not process.is_alive():
                connection.close()
                self._processes[number] = self._start()
            return self._processes[number]


def _asked(process: BaseProcess, connection: Connection, call: bytes) -> tuple[bool, Any] | None:
    """Whether the call returned, and what it returned or raised; None where the process died."""
    try:
        connection.send_bytes(call)
        wait([connection, process.sentinel])
        if not connection.poll():
            return None
        outcome: tuple[bool, Any] = pickle.loads(connection.recv_bytes())  # noqa: S301  # our own worker
        return outcome
    except (EOFError, OSError):
        return None


def _serve(connection: Connection) -> None:
    """In a worker: do what comes, until nobody is there to ask."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_driver, daemon=True).start()
    while True:
        try:
            function, args, kwargs = pickle.loads(connection.recv_bytes())  # noqa: S301  # our own driver
        except (EOFError, OSError):
            return
        try:
            outcome = (True, function(*args, **kwargs))
        except Exception as error:
            outcome = (False, error)
        try:
            answer = pickle.dumps(outcome)
            pickle.loads(answer)  # noqa: S301  # some exceptions can be written, but not read again
        except Exception:
            answer = pickle.dumps((False, RuntimeError(f"{type(outcome[1]).__name__}: {outcome[1]}")))
        connection.send_bytes(answer)


def _end_with_driver() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


@contextmanager
def ignoring_interrupts() -> Iterator[None]:
    """Nothing that is started meanwhile minds Ctrl-C."""
    if threading.current_thread() is not threading.main_thread():  # where the system allows no such thing
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)

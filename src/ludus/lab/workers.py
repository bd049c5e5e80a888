"""Processes for the lab, each on cores of its own where the system allows; they end when the driver ends."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from ctypes import c_byte
from typing import ParamSpec, TypeVar

from ludus.compile import news
from ludus.errors import SandboxError
from ludus.sandbox.cores import claim, cores_of_thread

P = ParamSpec("P")
R = TypeVar("R")


class Worker:
    """A pool of one process: when it dies, no other worker's task is lost with it."""

    def __init__(self, cores: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.compiles = context.RawValue("b", 0)  # 1 when the process has begun to compile something
        self.pool = ProcessPoolExecutor(1, context, settle, (cores, self.compiles))
        with _ignoring_interrupts():  # a child inherits that: Ctrl-C is the driver's business
            self.arrival = self.pool.submit(presence)

    def submit(self, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        return self.pool.submit(function, *args, **kwargs)

    @property
    def has_own_cores(self) -> bool:
        """Whether nothing else of the lab runs on its cores. Waits for the process to be there."""
        return self.arrival.result()[1]

    def kill(self) -> None:
        """End the process at once, whatever it does."""
        is_dead = False
        with contextlib.suppress(Exception):  # it may never have come up
            pid, _ = self.arrival.result(timeout=10)
            os.kill(pid, signal.SIGKILL)
            is_dead = True
        # Left to the interpreter's own exit, a pool that is still closing ends in a traceback.
        self.pool.shutdown(wait=is_dead, cancel_futures=True)


@contextlib.contextmanager
def _ignoring_interrupts() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():  # where the system allows no such thing
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def settle(cores: int, compiles: c_byte) -> None:
    """In a new process: end with the driver, leave Ctrl-C to it, say what it may wait for, take cores of one's own."""
    news.listeners.append(lambda: setattr(compiles, "value", 1))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_driver, daemon=True).start()
    if hasattr(os, "sched_setaffinity") and (leased := lease_cores(cores)):
        os.sched_setaffinity(0, leased)


def presence() -> tuple[int, bool]:
    """The process, and whether it has been given cores of its own."""
    return os.getpid(), hasattr(os, "sched_getaffinity") and bool(os.environ.get(LEASED))


LEASED = "LUDUS_LEASED_CORES"  # set in a process that holds cores


def lease_cores(number: int) -> set[int]:
    """So many cores that no other process of ours holds, held until this process ends; none if there are too few.

    The system drops the lease even when the process is killed.
    """
    held: dict[int, int] = {}
    with contextlib.suppress(SandboxError):  # where nothing can be held
        for core in sorted(cores_of_thread()):
            if len(held) < number and (lock := claim(core)) is not None:
                held[core] = lock
    if len(held) < number:
        for lock in held.values():
            os.close(lock)
        return set()
    os.environ[LEASED] = ",".join(map(str, held))
    return set(held)


def _end_with_driver() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)

"""An agent of ours in a process of its own: trusted, but held to its time, and gone when the referee is."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from time import perf_counter

import ludus
from ludus.sandbox.body import Exit
from ludus.sandbox.lines import LineProcess
from ludus.sandbox.pipes import opened_pipes
from ludus.sandbox.process import Level, Limits, Process, Reply

_LIMITS = Limits(loading_s=60.0)
# Runs before the program, in its process: it dies with the referee, on its cores, in a session of its own.
_BOOT = "import sys; sys.path.insert(0, sys.argv[1]); from ludus.sandbox.trusted import become; become(sys.argv[2:])"
_GONE_POLL_S = 0.001


class Child:
    """A process that this one started, and all that it starts."""

    def __init__(self, argv: list[str], questions: int, output: int, errors: int, cores: set[int] | None) -> None:
        self._process = subprocess.Popen(  # noqa: S603  # our own program
            bound(argv, cores=cores), stdin=questions, stdout=output, stderr=errors, start_new_session=True
        )
        self.pid = self._process.pid
        self.descriptor = os.pidfd_open(self.pid)
        self._exit: Exit | None = None

    def send_signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if self._exit is None:
                os.killpg(self.pid, number)

    def take_memory(self) -> None:
        """It is ours, and small."""

    def wait(self, *, within_s: float) -> Exit | None:
        until = perf_counter() + within_s
        while self._exit is None and perf_counter() < until:
            pid, status, used = os.wait4(self.pid, os.WNOHANG)
            if pid:
                self._exit = Exit(status, used.ru_maxrss, used.ru_utime + used.ru_stime)
                self._process.returncode = os.waitstatus_to_exitcode(status)  # so that nobody waits for it again
            else:
                time.sleep(_GONE_POLL_S)
        return self._exit


def bound(argv: list[str], *, cores: set[int] | None = None) -> list[str]:
    """The command that starts this program so that the kernel ends it with the thread that started it."""
    here = str(Path(ludus.__file__).parent.parent)
    return [sys.executable, "-sSP", "-c", _BOOT, here, str(os.getpid()), ",".join(map(str, cores or ())), *argv]


class TrustedProgram(LineProcess):
    """Not confined: it may read, write, and start threads and processes. It is frozen while it is not asked."""

    level: Level = "trusted"

    def __init__(self, argv: list[str], *, cores: set[int] | None, limits: Limits) -> None:
        with opened_pipes(questions=True) as pipes:
            body = Child(argv, pipes.questions.theirs, pipes.output.theirs, pipes.errors.theirs, cores)
        super().__init__(body, pipes, limits=limits, threads=True)
        self._ready = Reply("answer")  # not frozen yet: it gets ready, and binds itself to the referee, at once


def trusted_program(argv: list[str], *, cores: set[int] | None = None, limits: Limits = _LIMITS) -> Process:
    """Start a program of ours that answers one line for one question; its own start counts to its first answer.

    To be called in a thread that outlives it: the kernel ends it when that thread ends.
    """
    if sys.platform != "linux":
        from ludus.sandbox.basic import BasicProgram  # noqa: PLC0415

        return BasicProgram(argv, limits=limits, level="trusted")
    return TrustedProgram(argv, cores=cores, limits=limits)


def become(arguments: list[str]) -> None:
    """In the new process: be bound to the referee, then be the program."""
    from ludus.sandbox.kernel import die_with  # noqa: PLC0415  # Linux only

    parent, cores, *argv = arguments
    die_with(int(parent))
    if cores:
        os.sched_setaffinity(0, {int(core) for core in cores.split(",")})
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    os.execvp(argv[0], argv)  # noqa: S606  # our own program

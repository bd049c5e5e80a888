"""What a bot's process is to the referee, at every level of isolation: something that is asked, watched and ended."""

from __future__ import annotations

import signal
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol

Level = Literal["full", "basic", "trusted"]
Kind = Literal["answer", "timeout", "exception", "crash", "memory", "forbidden", "output", "protocol"]

MEGABYTE = 1 << 20


class Limits(NamedTuple):
    """What a bot may use; time is given with each question."""

    memory_mb: int = 512
    output_bytes: int = MEGABYTE  # of standard output and error, in one turn
    loading_s: float = 10.0  # until the file has run and the bot can be asked


class Spent(NamedTuple):
    """What one turn took: on the wall, on a core, and ready to run without getting a core."""

    wall_s: float = 0.0
    cpu_s: float = 0.0
    waited_s: float = 0.0


class Used(NamedTuple):
    """What a process has used since it began, as the system counts it."""

    cpu_s: float = 0.0
    waited_s: float = 0.0


def spent_between(before: Used, after: Used, *, wall_s: float) -> Spent:
    """What one turn took. Nobody waited while it ran: threads that keep each other waiting have no excuse."""
    cpu_s = max(0.0, after.cpu_s - before.cpu_s)  # threads that have ended take their waiting with them
    return Spent(wall_s, cpu_s, max(0.0, min(after.waited_s - before.waited_s, wall_s - cpu_s)))


def signal_name(number: int) -> str:
    """For people; most real-time signals have no name."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


@dataclass(frozen=True)
class Reply:
    """How a question ended. Anything but an answer is the end of the process, and `reason` says why in one sentence."""

    kind: Kind
    answer: bytes = b""
    reason: str = ""
    line: int | None = None  # of the bot's file, where it is known
    spent: Spent = field(default_factory=Spent)
    gone_s: float | None = None  # of one that overran: from the deadline until none of its code could run any more


@dataclass
class Evidence:
    """What is kept for an appeal. Everything in it comes from a stranger, and is cut to a length."""

    stdout: str = ""
    stderr: str = ""
    traceback: str = ""
    peak_memory_mb: float = 0.0
    calls: list[str] = field(default_factory=list)  # forbidden and refused system calls with their arguments
    exit_status: str = ""


class Process(Protocol):
    """A running bot. It is frozen from the moment it is ready, and thaws only while it is asked."""

    level: Level
    evidence: Evidence

    @property
    def is_alive(self) -> bool:
        """Whether it can still be asked."""

    @property
    def ready(self) -> Reply:
        """How loading ended; only after an answer can it be asked."""

    def ask(self, message: bytes, *, limit_s: float) -> Reply:
        """Thaw it, hand it the message, and freeze it again when its answer is complete.

        Past the limit it is killed, and gone when this returns. Never raises for anything that the bot does.
        """

    def kill(self) -> None:
        """From any thread; whoever waits for its answer hears that it died. It still has to be closed."""

    def close(self) -> None:
        """End it and keep nothing: no process, no descriptor, no file. Twice is once."""

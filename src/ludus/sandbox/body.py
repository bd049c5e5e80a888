"""A process as its parent has it: what can be done to it, and how it ended."""

from __future__ import annotations

from typing import NamedTuple, Protocol


class Exit(NamedTuple):
    """How a process ended, as its parent learns it."""

    status: int
    peak_kb: int
    cpu_s: float


class Body(Protocol):
    """A process, to whoever can signal it and learn of its end."""

    pid: int
    descriptor: int  # that means this process and no other, and can be polled for its end

    def send_signal(self, number: int) -> None: ...

    def take_memory(self) -> None: ...

    def wait(self, *, within_s: float) -> Exit | None: ...

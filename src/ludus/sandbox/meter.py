"""What a process has used so far, as the kernel counts it: time on cores, and time ready to run without one."""

from __future__ import annotations

import contextlib
import os
import time

from ludus.sandbox.kernel import process_clock
from ludus.sandbox.process import Used

_NANOSECOND = 1e-9
_FLAGS, _EXITING = 6, 4  # which field has a thread's flags, and the flag of one that never leaves the kernel again


class Meter:
    """Reads a process's counters for as long as it lives; afterwards it keeps to what it read last."""

    def __init__(self, pid: int, *, threads: bool = False) -> None:
        self._pid, self._clock, self._threads = pid, process_clock(pid), threads
        self.last = Used()
        self._file = -1
        with contextlib.suppress(OSError):  # a kernel without this count, or a process that is gone already
            self._file = os.open(f"/proc/{pid}/schedstat", os.O_RDONLY | os.O_CLOEXEC)

    def read(self) -> Used:
        try:
            cpu_s = time.clock_gettime(self._clock)
        except OSError:
            return self.last
        self.last = Used(cpu_s, self._waited_ns() * _NANOSECOND)
        return self.last

    def cpu_after_last_s(self) -> float:
        """What it has spent on cores since it was last read."""
        try:
            return time.clock_gettime(self._clock) - self.last.cpu_s
        except OSError:
            return 0.0

    def states(self) -> set[bytes]:
        """A letter for what each of its threads does, as the kernel has it; nothing if it is gone."""
        return {fields[0] for fields in self._threads_now()}

    def can_run(self) -> bool:
        """Whether any of its threads could still run the program's own code: the kernel is not ending it yet."""
        return any(not int(fields[_FLAGS]) & _EXITING for fields in self._threads_now())

    def _threads_now(self) -> list[list[bytes]]:
        """What the kernel says of each thread, from its state on."""
        found = []
        with contextlib.suppress(OSError):
            for task in os.listdir(f"/proc/{self._pid}/task"):
                with contextlib.suppress(OSError), open(f"/proc/{self._pid}/task/{task}/stat", "rb") as file:
                    found.append(file.read().rpartition(b") ")[2].split())
        return [fields for fields in found if fields]

    def _waited_ns(self) -> int:
        if self._file < 0:
            return 0
        try:
            if not self._threads:
                return int(os.pread(self._file, 96, 0).split()[1])
            total = 0
            for task in os.listdir(f"/proc/{self._pid}/task"):
                with contextlib.suppress(OSError), open(f"/proc/{self._pid}/task/{task}/schedstat", "rb") as file:
                    total += int(file.read().split()[1])
            return total
        except (OSError, IndexError):
            return round(self.last.waited_s / _NANOSECOND)

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

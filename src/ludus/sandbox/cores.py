"""Cores: which one is quiet, and a claim to it that other processes of ours respect."""

from __future__ import annotations

import contextlib
import os
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from ludus.errors import SandboxError

_WATCHED_S = 0.05
_QUIET = 0.3  # a core that is busy for less of the time counts as quiet
_IDLE, _WAITING_FOR_DISK, _STOLEN = 3, 4, 7  # fields of /proc/stat
_FIRST_LINE = 256  # bytes: ten numbers, and more
_WAITING_S = 0.01  # between two looks for a core that is free

_leased = threading.local()  # core and lock of this thread


@contextlib.contextmanager
def leased_core(cores: frozenset[int], *, liked: int | None) -> Iterator[int | None]:
    """One of the cores for this thread alone, and the thread on it; None where the system has no such thing.

    Waits for as long as others of ours use all of them: more workers than cores take turns. `liked` is taken if it
    is free. What is started meanwhile stays on the core. A SandboxError where cores cannot be claimed here at all.
    """
    if not cores:
        yield None
        return
    order = sorted(cores, key=lambda core: (core != liked, core))
    while (found := next(((core, lock) for core in order if (lock := claim(core)) is not None), None)) is None:
        time.sleep(_WAITING_S)
    core, lock = _leased.held = found
    try:
        os.sched_setaffinity(0, {core})
        yield core
    finally:
        del _leased.held
        os.sched_setaffinity(0, cores)
        os.close(lock)


def cores_of_thread() -> frozenset[int]:
    """The cores that this thread may use; none where the system does not tell."""
    return frozenset(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else frozenset()


@contextlib.contextmanager
def quiet_core(*, patience_s: float = 2.0) -> Iterator[int | None]:
    """A core of this process's own that nobody uses much, held until the end; None where there is none in time.

    The claim is a lock on a file, which the system drops even when the process is killed.
    """
    if not hasattr(os, "sched_getaffinity"):
        yield None
        return
    until = time.monotonic() + patience_s
    held = None
    while held is None:
        busy = busy_shares(watch_s=_WATCHED_S)
        for core in sorted(busy, key=lambda core: busy[core]):
            with contextlib.suppress(SandboxError):
                held = claim(core) if busy[core] < _QUIET else None
            if held is not None:
                break
        if held is None and time.monotonic() >= until:
            yield None
            return
    try:
        yield core
    finally:
        os.close(held)


def stolen_s() -> float:
    """How long since the system began another machine on the host had one of our cores; 0.0 where nobody says."""
    try:
        file = os.open("/proc/stat", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return 0.0
    try:  # its first line only, as every game asks
        return int(os.read(file, _FIRST_LINE).split()[1 + _STOLEN]) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError):
        return 0.0
    finally:
        os.close(file)


def busy_shares(*, watch_s: float) -> dict[int, float]:
    """For each core that this process may use, which part of the time it worked for anybody."""
    before = _counts()
    time.sleep(watch_s)
    after = _counts()
    shares = {}
    for core in sorted(os.sched_getaffinity(0) & before.keys() & after.keys()):
        busy, total = (new - old for old, new in zip(before[core], after[core], strict=True))
        shares[core] = busy / total if total > 0 else 0.0
    return shares


def _counts() -> dict[int, tuple[int, int]]:
    """The time that each core was busy, and all its time; in the kernel's ticks."""
    found = {}
    for line in Path("/proc/stat").read_text().splitlines():
        name, *fields = line.split()
        if name.startswith("cpu") and name != "cpu":
            ticks = [int(field) for field in fields[: _STOLEN + 1]]
            found[int(name[3:])] = (sum(ticks) - ticks[_IDLE] - ticks[_WAITING_FOR_DISK], sum(ticks))
    return found


def claim(core: int) -> int | None:
    """A descriptor that holds the core while it is open; None if somebody else holds it.

    A SandboxError says why nothing can be held here.
    """
    own, lock = getattr(_leased, "held", (None, 0))
    if core == own:
        return os.dup(lock)  # both hold it, until both are closed
    import fcntl  # noqa: PLC0415  # where there are affinities, there are locks

    folder = Path(tempfile.gettempdir()) / f"ludus-cores-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        if folder.stat().st_uid != os.getuid():  # who could hold every core for ever
            raise SandboxError(f"cores cannot be claimed: {folder} belongs to somebody else")
        lock = os.open(folder / str(core), os.O_CREAT | os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise SandboxError(f"cores cannot be claimed: {folder}: {error.strerror}") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    except OSError as error:
        os.close(lock)
        raise SandboxError(f"cores cannot be claimed: {folder}: {error.strerror}") from None
    return lock

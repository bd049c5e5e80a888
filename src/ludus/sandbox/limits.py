"""Limits that the kernel keeps for a process, for the side that takes them on."""

from __future__ import annotations

import os
import resource

STACK_BYTES = 64 << 20  # the layout of memory leaves room for at least 128 MB
THREAD_STACK_BYTES = 8 << 20  # where threads are allowed, each gets as much as the first
MOST_ADDRESSES = 64 << 30  # of a runtime with threads: it reserves far more than it uses
PYTHON_FILES, PROGRAM_FILES = 32, 256


def limit(what: int, most: int) -> None:
    """Lower a limit for good, or leave it where it is lower already."""
    hard = resource.getrlimit(what)[1]
    value = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(what, (value, value))


def limit_all_bots() -> None:
    """What holds for every bot, and for the process that starts them: no file written, no core dumped, no lock."""
    for what in (resource.RLIMIT_CORE, resource.RLIMIT_FSIZE, resource.RLIMIT_MEMLOCK, resource.RLIMIT_MSGQUEUE):
        limit(what, 0)
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    resource.setrlimit(resource.RLIMIT_STACK, (STACK_BYTES, hard) if _allows(hard, STACK_BYTES) else (hard, hard))


def limit_python(memory_bytes: int) -> None:
    """One process with so much memory, shared or not."""
    limit(resource.RLIMIT_NOFILE, PYTHON_FILES)
    limit(resource.RLIMIT_NPROC, 0)
    limit(resource.RLIMIT_AS, memory_bytes)


def limit_program(memory_bytes: int, *, threads: bool) -> None:
    """Runtimes reserve addresses that they never use: of them only what is written counts."""
    limit(resource.RLIMIT_NOFILE, PROGRAM_FILES)
    if threads:
        hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
        most = THREAD_STACK_BYTES
        resource.setrlimit(resource.RLIMIT_STACK, (most, hard) if _allows(hard, most) else (hard, hard))
        limit(resource.RLIMIT_DATA, memory_bytes)
        limit(resource.RLIMIT_AS, MOST_ADDRESSES)
    else:
        limit(resource.RLIMIT_NPROC, 0)
        limit(resource.RLIMIT_AS, memory_bytes)


def memory_in_use() -> int:
    """The addresses in use by this process, in bytes, as the limit counts them."""
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[0]) * os.sysconf("SC_PAGESIZE")


def _allows(hard: int, wanted: int) -> bool:
    return hard == resource.RLIM_INFINITY or hard >= wanted

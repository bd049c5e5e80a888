"""The calls of Linux for which Python has no name, for both sides of the sandbox."""

from __future__ import annotations

import ctypes
import os
import struct
from typing import NamedTuple

from ludus.sandbox.syscalls import NUMBERS

PR_SET_PDEATHSIG, PR_SET_KEEPCAPS, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT = 1, 8, 38, 47
PR_CAP_AMBIENT_RAISE = 2
CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_SETGID, CAP_SETUID, CAP_SYS_PTRACE = 1, 2, 6, 7, 19
_CAPABILITY_VERSION = 0x20080522
_MOST_ARGUMENTS = 6

_libc = ctypes.CDLL(None, use_errno=True)
_syscall = _libc.syscall
_syscall.restype = ctypes.c_long
_syscall.argtypes = [ctypes.c_long] * (1 + _MOST_ARGUMENTS)


_fork = ctypes.PyDLL(None, use_errno=True).fork  # which keeps Python's lock: nothing else runs meanwhile


def fork() -> int:
    """Like os.fork, for a process with one thread.

    Python's own fork prepares for other threads, for locks they hold and for dice that two processes would share, and
    so takes a hundred pages and more out of what the two have in common, before anything is done.
    """
    child: int = _fork()
    if child < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), "fork")
    return child


def system_call(name: str, *arguments: int) -> int:
    """Make the call; pointers are addresses. Raises OSError where the kernel says no."""
    padding = (0,) * (_MOST_ARGUMENTS - len(arguments))
    result: int = _syscall(NUMBERS[name], *arguments, *padding)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), name)
    return result


def prctl(operation: int, *arguments: int) -> int:
    return system_call("prctl", operation, *arguments)


def die_with(parent: int) -> None:
    """Be killed when the parent ends; end at once if it has ended already."""
    prctl(PR_SET_PDEATHSIG, 9)
    if os.getppid() != parent:
        os._exit(1)


class Capabilities(NamedTuple):
    """Sets of capabilities, each a bit set."""

    effective: int
    permitted: int
    inheritable: int


def capabilities() -> Capabilities:
    """What this process may do beyond its user."""
    data = ctypes.create_string_buffer(24)
    system_call("capget", *_capability_call(data))
    low, high = struct.unpack_from("3I", data, 0), struct.unpack_from("3I", data, 12)
    return Capabilities(*(below | above << 32 for below, above in zip(low, high, strict=True)))


class Keeping:
    """A choice of capabilities, ready for processes that keep these, which they hold already, and lose all others."""

    def __init__(self, kept: int, *, inheritable: int = 0) -> None:
        low, high = kept & 0xFFFFFFFF, kept >> 32
        below, above = inheritable & 0xFFFFFFFF, inheritable >> 32
        self._data = ctypes.create_string_buffer(struct.pack("6I", low, low, below, high, high, above), 24)
        self._call = _capability_call(self._data)

    def apply(self) -> None:
        system_call("capset", *self._call)


def _capability_call(data: ctypes.Array[ctypes.c_char]) -> tuple[int, int]:
    _capability_header.raw = struct.pack("Ii", _CAPABILITY_VERSION, 0)
    return ctypes.addressof(_capability_header), ctypes.addressof(data)


_capability_header = ctypes.create_string_buffer(8)


class _Span(ctypes.Structure):
    _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))


def read_memory(pid: int, address: int, length: int) -> bytes:
    """What stands in another process's memory, as far as it can be read; nothing where it is not allowed."""
    buffer = ctypes.create_string_buffer(length)
    here, there = _Span(ctypes.addressof(buffer), length), _Span(address, length)
    try:
        got = system_call("process_vm_readv", pid, ctypes.addressof(here), 1, ctypes.addressof(there), 1, 0)
    except OSError:
        return b""
    return buffer.raw[:got]


_PAGE = 4096
_LONGEST_TEXT = 4096


def read_text(pid: int, address: int) -> str | None:
    """A C string in another process's memory; None where it cannot be read."""
    found = b""
    while len(found) < _LONGEST_TEXT:
        place = address + len(found)
        chunk = read_memory(pid, place, _PAGE - place % _PAGE)
        if not chunk:
            return None
        text, end, _ = chunk.partition(b"\0")
        found += text
        if end:
            break
    return os.fsdecode(found[:_LONGEST_TEXT])


def process_clock(pid: int) -> int:
    """The clock, for `time.clock_gettime`, that counts what a process spends on cores, all its threads together."""
    return (~pid << 3) | 2

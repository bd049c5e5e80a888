"""The referee's end of a filter: calls that wait in the kernel until they are let through or refused."""

from __future__ import annotations

import errno
import fcntl
import struct
from typing import NamedTuple

from ludus.sandbox.syscalls import ARCHITECTURE, call_name

_RECEIVE, _SEND = 0xC0502100, 0xC0182101
_CALL, _ANSWER = struct.Struct("QIIiIQ6Q"), struct.Struct("QqiI")
_CONTINUE = 1
_GONE = (errno.ENOENT, errno.EINTR, errno.EINPROGRESS)  # the caller died, or was interrupted and will call again


class Call(NamedTuple):
    """A system call that waits for an answer."""

    id: int
    pid: int  # of the thread that calls
    number: int
    architecture: int
    arguments: tuple[int, ...]

    @property
    def name(self) -> str:
        return call_name(self.number)

    @property
    def is_native(self) -> bool:
        """Whether its number means what it means for this machine's own programs."""
        return self.architecture == ARCHITECTURE


def receive(listener: int) -> Call | None:
    """The next call that waits; None if its caller is gone meanwhile."""
    buffer = bytearray(_CALL.size)
    try:
        fcntl.ioctl(listener, _RECEIVE, buffer)
    except OSError as error:
        if error.errno in _GONE:
            return None
        raise
    identity, pid, _flags, number, architecture, _place, *arguments = _CALL.unpack(buffer)
    return Call(identity, pid, number, architecture, tuple(arguments))


def let_through(listener: int, call: Call) -> None:
    """Let the kernel do what was asked for."""
    _answer(listener, _ANSWER.pack(call.id, 0, 0, _CONTINUE))


def refuse(listener: int, call: Call, code: int) -> None:
    """Let the call fail with this error."""
    _answer(listener, _ANSWER.pack(call.id, 0, -code, 0))


def _answer(listener: int, answer: bytes) -> None:
    try:
        fcntl.ioctl(listener, _SEND, answer)
    except OSError as error:
        if error.errno not in _GONE:
            raise

"""The pipes between the referee and a new process, and descriptors that come over sockets."""

from __future__ import annotations

import array
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple


class Ends(NamedTuple):
    """Of one pipe: what is written here is read there."""

    ours: int
    theirs: int


class Pipes(NamedTuple):
    """The standard streams of a process; questions only where it reads them there."""

    output: Ends
    errors: Ends
    questions: Ends


@contextmanager
def opened_pipes(*, questions: bool) -> Iterator[Pipes]:
    """Pipes for a process that is started inside: its ends are closed here in the end, and ours too if that fails."""
    ours: list[int] = []
    theirs: list[int] = []

    def opened(*, is_read_here: bool) -> Ends:
        reading, writing = os.pipe2(os.O_CLOEXEC)
        ends = Ends(reading, writing) if is_read_here else Ends(writing, reading)
        ours.append(ends.ours)
        theirs.append(ends.theirs)
        return ends

    try:
        output, errors = opened(is_read_here=True), opened(is_read_here=True)
        yield Pipes(output, errors, opened(is_read_here=False) if questions else Ends(-1, -1))
    except BaseException:
        for descriptor in ours:
            os.close(descriptor)
        raise
    finally:
        for descriptor in theirs:
            os.close(descriptor)


def descriptors_in(ancillary: list[tuple[int, int, Any]]) -> list[int]:
    """The descriptors that came with a message; who calls this owns them."""
    found = array.array("i")
    for level, kind, data in ancillary:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            found.frombytes(data[: len(data) - len(data) % found.itemsize])
    return found.tolist()

"""Preloaded into a fork server, it makes every second fork fail, as on a system that is full of processes."""

from __future__ import annotations

import errno
import os
from itertools import count

from ludus.sandbox import forkserver

_fork, _forks = forkserver.fork, count()  # the first is the server's own


def fork() -> int:
    number = next(_forks)
    if number and number % 2 == 0:
        raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))
    return _fork()


forkserver.fork = fork

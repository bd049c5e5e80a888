"""Preloaded into a fork server, it makes every second fork fail, as on a system that is full of processes."""

from __future__ import annotations

import errno
import os
from itertools import count

_fork, _forks = os.fork, count(1)


def fork() -> int:
    if next(_forks) % 2 == 0:
        raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))
    return _fork()


os.fork = fork

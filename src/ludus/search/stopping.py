"""When a search has to end: told by a flag, the clock or a number of nodes, in the first words of its room.

A room is the one array that a thread works in: an array less to pass on is a node sooner.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ludus.compile.bits import now_ns
from ludus.compile.interface import Words

FOREVER = int(np.iinfo(np.int64).max)
MOST_SECONDS = 4e9  # a century: in nanoseconds, little more fits into an int64

STOP, DEADLINE, NODE_LIMIT, LOOK_EVERY = 0, 1, 2, 3  # what a search is told; deadlines are times of `now_ns`
NODES, NEXT_LOOK, ABORTED = 4, 5, 6  # what it counts, and whether it had to end
OWN = 7  # from here on, each kind of search has words of its own
NODES_BETWEEN_LOOKS, PLAIN_NODES_BETWEEN_LOOKS = 1024, 16  # a tenth of a millisecond compiled, some milliseconds if not


def deadline_in(seconds: float | None) -> int:
    """The moment so many seconds from now, in nanoseconds of the monotonic clock."""
    if seconds is None or seconds > MOST_SECONDS:
        return FOREVER
    return time.monotonic_ns() + int(seconds * 1e9)


def set_limits(room: Words, entry: Callable[..., Any], *, nodes: int = FOREVER, deadline: int = FOREVER) -> None:
    """A new search by this entry point begins: nothing is counted, nobody has told it to stop, these limits hold."""
    every = NODES_BETWEEN_LOOKS if hasattr(entry, "py_func") else PLAIN_NODES_BETWEEN_LOOKS
    room[:OWN] = (0, deadline, nodes, every, 0, 0, 0)


def is_over(room: Words) -> bool:
    """Whether a limit is reached, seen between two parts of a search."""
    is_late = time.monotonic_ns() >= room[DEADLINE]
    return bool(room[STOP] != 0 or room[NODES] >= room[NODE_LIMIT] or is_late)


def look_up(room: Words) -> None:
    """Now and then, see whether to stop."""
    if room[NODES] >= room[NEXT_LOOK]:
        room[NEXT_LOOK] = min(room[NODES] + room[LOOK_EVERY], room[NODE_LIMIT])
        if room[STOP] != 0 or now_ns() > room[DEADLINE] or room[NODES] > room[NODE_LIMIT]:
            room[ABORTED] = 1

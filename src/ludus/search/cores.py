"""How many cores this process may use."""

from __future__ import annotations

import os


def usable_cores() -> int:
    """The cores that the system grants us, which in a container are fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1

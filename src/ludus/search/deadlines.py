"""When a search has to end, in nanoseconds of the monotonic clock, as compiled code compares them."""

from __future__ import annotations

import time

import numpy as np

FOREVER = int(np.iinfo(np.int64).max)


def deadline_in(seconds: float | None) -> int:
    """The moment so many seconds from now."""
    return FOREVER if seconds is None else time.monotonic_ns() + int(seconds * 1e9)

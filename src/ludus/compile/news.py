"""Who hears that machine code is not in the cache and has to be compiled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

listeners: list[Callable[[], None]] = []


@contextmanager
def hearing_of_compiling(listener: Callable[[], None]) -> Iterator[None]:
    """Meanwhile, the listener is called whenever this process begins to compile something."""
    listeners.append(listener)
    try:
        yield
    finally:
        listeners.remove(listener)


def compiling_begins() -> None:
    for listener in tuple(listeners):
        listener()

"""Compiles what a check needs on two cores: some of it here, the rest in a process beside, for whoever waits."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

from ludus.compile.link import has_numba
from ludus.compile.warm import compile_in_child
from ludus.rules import Game

LOADING_S = 1.5  # machine code comes from the cache in less


@contextmanager
def compiling_beside(game: Game, search: str, *, on_compiling: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Compile the search of this module into the cache, if what is done meanwhile takes so long that it compiles too.

    At the end the search is there, or nothing had to be compiled. `on_compiling` hears that it has begun.
    """
    children: list[subprocess.Popen[bytes]] = []

    def begin() -> None:
        on_compiling()
        children.append(compile_in_child(game, search))

    timer = Timer(LOADING_S, begin)
    timer.daemon = True
    if has_numba():
        timer.start()
    is_done = False
    try:
        yield
        is_done = True
    finally:
        timer.cancel()
        if timer.ident is not None:
            timer.join()
        for child in children:
            if not is_done:
                child.kill()
            child.wait()

"""What commands that take a while say meanwhile, on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ludus.compile.news import hearing_of_compiling

QUIET_SECONDS = 0.5  # no progress bar for what is done before one can look


@contextmanager
def progress(what: str) -> Iterator[Callable[[float, str], None]]:
    """A progress bar with the time left on standard error, for what takes a while and is watched."""
    if not sys.stderr.isatty():
        yield lambda share, text: None
        return
    from rich.console import Console  # noqa: PLC0415  # slow to import, and only people at a terminal need it
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    bar = Progress(
        TextColumn(what),
        BarColumn(),
        TextColumn("{task.percentage:5.1f} %  {task.fields[text]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    begin = time.perf_counter()
    task = bar.add_task(what, total=1.0, text="")

    def tell(share: float, text: str) -> None:
        if not bar.live.is_started and time.perf_counter() - begin > QUIET_SECONDS:
            bar.start()
        bar.update(task, completed=share, text=text)

    try:
        yield tell
    finally:
        bar.stop()


@contextmanager
def saying_when_it_compiles(name: str) -> Iterator[None]:
    """Whoever waits for a search hears why, once, where machine code does not come from the cache."""
    with hearing_of_compiling(saying_once(name)):
        yield


def saying_once(name: str) -> Callable[[], None]:
    """What says that the search for a game is being compiled, when it is called for the first time."""
    sentences = [f"ludus: compiling the search for {name} (once; later starts are quick)\n"]

    def say() -> None:
        if sentences:
            sys.stderr.write(sentences.pop())
            sys.stderr.flush()

    return say

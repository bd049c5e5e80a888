"""A progress bar for commands that take a while and are watched."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

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

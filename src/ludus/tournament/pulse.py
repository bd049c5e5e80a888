"""Whether somebody plays a tournament just now: told from its folder alone, with no lock and no file touched."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import NamedTuple

from ludus.tournament.folder import MANIFEST
from ludus.tournament.store import LOCK, RESULTS, is_on_network

QUIET_S = 60.0  # a run on another machine that has stored nothing for so long may have ended
WATCHED = (RESULTS, f"{RESULTS}-wal", MANIFEST)


class Pulse(NamedTuple):
    """What is known without opening anything. While `signature` stays the same, so do the results."""

    signature: tuple[tuple[int, int], ...]
    is_running: bool


def pulse_of(folder: Path) -> Pulse:
    """The pulse of a tournament. A driver on another machine is known by what it writes, one here by its process."""
    states = [_state(folder / name) for name in WATCHED]
    if is_on_network(folder):
        newest = max(changed for changed, _ in states) / 1e9
        is_running = time.time() - newest < QUIET_S
    else:
        is_running = _is_held(folder / LOCK)
    return Pulse(tuple(states), is_running)


def _state(file: Path) -> tuple[int, int]:
    try:
        state = file.stat()
    except OSError:
        return 0, 0
    return state.st_mtime_ns, state.st_size


def _is_held(lock: Path) -> bool:
    """Whether the process whose number stands in the lock has it open. To try the lock could turn a driver away."""
    try:
        number = int(lock.read_bytes()[:20])
        os.kill(number, 0)
    except PermissionError:
        return True  # somebody else's process
    except (OSError, ValueError, OverflowError):
        return False
    process = Path("/proc") / str(number)
    if not process.is_dir():  # a system that does not tell
        return True
    try:
        if (process / "stat").read_bytes().rpartition(b")")[2].split()[0] == b"Z":
            return False  # it ended, and nobody has asked how
        state = lock.stat()
        return any(_is_same(descriptor, state) for descriptor in (process / "fd").iterdir())
    except PermissionError:
        return True
    except OSError:
        return False  # it ended meanwhile


def _is_same(link: Path, state: os.stat_result) -> bool:
    try:
        here = link.stat()
    except OSError:
        return False
    return (here.st_dev, here.st_ino) == (state.st_dev, state.st_ino)

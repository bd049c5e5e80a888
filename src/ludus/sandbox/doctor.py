"""Which guarantees hold on this machine: what its system offers, and what becomes of canaries that test it."""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from ludus.errors import LudusError
from ludus.sandbox.basic import NOT_GUARANTEED, Basic
from ludus.sandbox.canaries import CANARIES, ENTRY, PAST_PYTHON, Canary
from ludus.sandbox.levels import best_level, open_sandbox, why_not_full
from ludus.sandbox.process import Level, Limits, Process

if TYPE_CHECKING:
    from ludus.sandbox.zygote import Zygote

_LIMIT_S = 0.3
_LIMITS = Limits(memory_mb=256)


class Feature(NamedTuple):
    """Something of this machine that matters, and what is known of it."""

    name: str
    value: str
    is_good: bool
    note: str = ""  # what it means where it is not good


class Trial(NamedTuple):
    """What became of one canary."""

    level: Level
    guarantee: str
    expected: str
    found: str
    reason: str
    took_s: float

    @property
    def holds(self) -> bool:
        return self.found == self.expected


class Report(NamedTuple):
    """All that was found out."""

    level: Level  # the best there is
    why_not_full: str | None
    features: tuple[Feature, ...]
    trials: tuple[Trial, ...]
    not_guaranteed: tuple[str, ...]  # at the best level

    @property
    def is_sound(self) -> bool:
        """Whether every guarantee of the best level held."""
        return all(trial.holds for trial in self.trials if trial.level == self.level)


def examine() -> Report:
    """Look at the machine, and try every guarantee at every level that it has."""
    level, reason = best_level(), why_not_full()
    trials = [] if level == "basic" else _try_all("full", (*CANARIES, *PAST_PYTHON))
    trials += _try_all("basic", CANARIES)
    return Report(level, reason, tuple(features()), tuple(trials), _not_guaranteed(level))


def _try_all(level: Level, canaries: tuple[Canary, ...]) -> list[Trial]:
    try:
        with open_sandbox(level, preload=(ENTRY.partition(":")[0],)) as sandbox:
            return [_try(sandbox, level, canary) for canary in canaries]
    except LudusError as error:
        return [Trial(level, canary.guarantee, canary.expected, "unknown", str(error), 0.0) for canary in canaries]


def _try(sandbox: Zygote | Basic, level: Level, canary: Canary) -> Trial:
    start = perf_counter()
    source = f"def act():\n {canary.act}\n"
    bot: Process = sandbox.python_bot(source, name="canary.py", entry=ENTRY, seed=0, limits=_LIMITS)
    try:
        reply = bot.ready
        if reply.kind == "answer":
            reply = bot.ask(b"?", limit_s=_LIMIT_S)
        return Trial(level, canary.guarantee, canary.expected, reply.kind, reply.reason, perf_counter() - start)
    finally:
        bot.close()


def _not_guaranteed(level: Level) -> tuple[str, ...]:
    if level == "basic":
        return NOT_GUARANTEED
    from ludus.sandbox import landlock  # noqa: PLC0415

    if landlock.version():
        return ()
    return ("programs with threads cannot be confined, for the kernel has no Landlock",)


def features() -> list[Feature]:
    """What this machine offers."""
    found = [
        Feature("system", f"{platform.system()} {platform.release()} on {platform.machine()}", sys.platform == "linux"),
        Feature("python", platform.python_version(), True),
    ]
    if sys.platform != "linux":
        return found
    from ludus.sandbox import landlock, seccomp  # noqa: PLC0415

    version = landlock.version()
    asks = seccomp.can_ask()
    yama = _read("/proc/sys/kernel/yama/ptrace_scope")
    found += [
        Feature("seccomp asks", _yes(asks), asks, "bots cannot be confined at level full"),
        Feature(
            "landlock", f"version {version}" if version else "none", version > 0, "one line of defence less for files"
        ),
        Feature("pidfd", _yes(hasattr(os, "pidfd_open")), hasattr(os, "pidfd_open"), "needed at level full"),
        Feature("waiting for cores is counted", _yes(Path("/proc/self/schedstat").exists()), True),
        Feature(
            "yama", yama or "none", yama not in ("2", "3"), "the files that a bot opens cannot be named in its verdict"
        ),
        *_privileges(),
        Feature("container", _container() or "none", True),
    ]
    return found


def _privileges() -> list[Feature]:
    from ludus.sandbox.identity import plan  # noqa: PLC0415

    is_root, changes_user = os.geteuid() == 0, plan().changes_user
    note = "bots run as root without its privileges; run as another user, or with all of root's privileges"
    return [
        Feature("root", _yes(is_root), True),
        Feature("bots have a user of their own", _yes(changes_user), changes_user or not is_root, note),
    ]


def _container() -> str:
    """What kind of container this looks like, if any."""
    if Path("/.dockerenv").exists():
        return "Docker"
    if Path("/run/.containerenv").exists():
        return "Podman"
    groups = _read("/proc/1/cgroup")
    return next((name for name in ("kubepods", "docker", "lxc") if name in groups), "")


def _read(path: str) -> str:
    try:
        return Path(path).read_text().strip()
    except OSError:
        return ""


def _yes(is_so: bool) -> str:
    return "yes" if is_so else "no"

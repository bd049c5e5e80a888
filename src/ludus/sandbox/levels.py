"""How well bots can be isolated here, and what isolates them."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from ludus.errors import SandboxError
from ludus.sandbox.process import Level

if TYPE_CHECKING:
    from ludus.sandbox.basic import Basic
    from ludus.sandbox.zygote import Zygote


def open_sandbox(level: Level, *, preload: tuple[str, ...] = ()) -> Zygote | Basic:
    """What starts bots at this level, or a SandboxError that says why it cannot be had here."""
    if level == "full":
        reason = why_not_full()
        if reason is not None:
            raise SandboxError(f"{reason}; level basic isolates less, and is allowed by --isolation basic")
        from ludus.sandbox.zygote import Zygote  # noqa: PLC0415  # only where there is Linux

        return Zygote(preload=preload)
    from ludus.sandbox.basic import Basic  # noqa: PLC0415

    return Basic(preload=preload)


def why_not_full() -> str | None:
    """Why bots cannot be isolated at level "full" here; None if they can."""
    if sys.platform != "linux":
        return f"isolation at level full needs Linux, and this is {sys.platform}"
    from ludus.sandbox.seccomp import can_ask  # noqa: PLC0415
    from ludus.sandbox.syscalls import IS_KNOWN_MACHINE  # noqa: PLC0415

    if not IS_KNOWN_MACHINE:
        return "isolation at level full knows the processors x86_64 and aarch64 only"
    if not can_ask():
        return "isolation at level full needs a kernel whose seccomp can ask, Linux 5.0 or newer"
    try:
        os.close(os.pidfd_open(os.getpid()))
    except (AttributeError, OSError):
        return "isolation at level full needs descriptors of processes, Linux 5.3 or newer"
    return None


def best_level() -> Level:
    """The best that can be had on this machine."""
    return "full" if why_not_full() is None else "basic"

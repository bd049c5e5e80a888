"""Who a bot is to the kernel: started by root, it is a user of its own that nobody else is."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import NamedTuple

from ludus.sandbox import kernel

# The range that systemd sets aside for users that live as long as a process; it fits in 16 bits.
_FIRST_USER, _USERS = 61184, 4336
_NEEDED = 1 << kernel.CAP_SETUID | 1 << kernel.CAP_SETGID | 1 << kernel.CAP_SYS_PTRACE
_READ_ANYTHING, _EXECUTE_ANYTHING = 1 << kernel.CAP_DAC_READ_SEARCH, 1 << kernel.CAP_DAC_OVERRIDE


class Identity(NamedTuple):
    """How a kind of bot differs from the process that starts it."""

    changes_user: bool
    keeping: kernel.Keeping | None  # None: there are no privileges
    hands_down_reading: bool = False  # to the program that it becomes


def plan(*, reads_anything: bool = False, runs_anything: bool = False) -> Identity:
    """A user of its own needs the right to become it, and the referee's right to look into it nevertheless.

    Of privileges nothing is kept but, where it is needed, that of passing closed folders to what the bot may read:
    what that is, the referee decides at each file, and Landlock too. `runs_anything` holds until a program is run; the
    program keeps only the right to read.
    """
    held = kernel.capabilities()
    read = _READ_ANYTHING & held.permitted if reads_anything else 0
    run = _EXECUTE_ANYTHING & held.permitted if runs_anything else 0
    keeping = kernel.Keeping(read | run, inheritable=read) if held.permitted else None
    return Identity(held.effective & _NEEDED == _NEEDED, keeping, hands_down_reading=bool(read and run))


def adopt(identity: Identity) -> None:
    """Become a bot, from which there is no way back."""
    if identity.changes_user:
        user = _FIRST_USER + os.getpid() % _USERS
        kernel.prctl(kernel.PR_SET_KEEPCAPS, 1)
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    if identity.keeping is not None:
        identity.keeping.apply()
    if identity.hands_down_reading:
        kernel.prctl(kernel.PR_CAP_AMBIENT, kernel.PR_CAP_AMBIENT_RAISE, kernel.CAP_DAC_READ_SEARCH)
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)


def is_open_to_all(path: str) -> bool:
    """Whether any user can reach and read this folder or file."""
    place = Path(path).resolve()
    try:
        passes = all(folder.stat().st_mode & stat.S_IXOTH for folder in place.parents)
        return passes and bool(place.stat().st_mode & stat.S_IROTH)
    except OSError:
        return False

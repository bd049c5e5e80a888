"""Which files a bot may read, which it may look for in vain, and which are none of its business."""

from __future__ import annotations

import enum
import os
import re
import sysconfig
from pathlib import Path
from typing import NamedTuple

import ludus


class Place(enum.Enum):
    """What opening a file means."""

    OPEN = "may be read"
    QUIET = "is refused, and nobody is punished: interpreters and C libraries look there by themselves"
    NAMES = "where a C library begins when it wants to know a user's name"
    USERS = "what it reads then; on its own, a forbidden file"
    FORBIDDEN = "is forbidden"


class Files(NamedTuple):
    """What one bot may reach."""

    readable: tuple[str, ...]
    hidden: tuple[str, ...] = ()  # below a readable folder, and yet not to be read
    are_locked: bool = False  # Landlock allows nothing else
    all_can_be_looked_for: bool = False  # what is there, but not what is in it


SYSTEM_LIBRARIES = (
    *("/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"),
    *("/lib64", "/usr/lib64", "/etc/ld.so.cache"),
)
SYSTEM_DATA = ("/usr/share/zoneinfo", "/usr/share/locale", "/usr/share/i18n", "/usr/lib/locale", "/etc/localtime")
SYSTEM_PROGRAMS = ("/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/localtime", "/etc/timezone")
DEVICES = ("/dev/null", "/dev/urandom", "/dev/random")
SINK = "/dev/null"

_QUIET = re.compile(
    r"/proc/(self|\d+)/(maps|status|stat|statm|cgroup|mountinfo|mounts|exe|cpuset|auxv|limits|coredump_filter|task.*)$"
    r"|/proc/(cpuinfo|meminfo|stat|loadavg|uptime|version|version_signature|filesystems|mounts|cgroups|devices)$"
    r"|/proc/sys/(vm|kernel|net/core)/\w+$|/proc/self$"
    r"|/sys/(devices/system|fs/cgroup|kernel/mm|devices/virtual/dmi)(/|$)"
    r"|/etc/(ld\.so|localtime|timezone|ssl|pki|crypto-policies|alternatives|mime\.types|os-release|lsb-release|host\.conf"
    r"|resolv\.conf|gai\.conf|hosts|locale|default|java|gnutls|machine-id|apache2|httpd|inputrc|terminfo)"
    r"|/usr/(lib/ssl|lib/locale|share/locale|share/i18n|share/zoneinfo|local/etc|lib/[^/]+/gconv)"
    r"|/(usr/(share|lib)|lib)/(ca-cert|terminfo)"
    r"|/dev/(tty|pts.*|random|urandom)$|/var/cache/(nscd|ldconfig)|/usr/lib/os-release|/run/systemd/container"
)
# Runtimes try to write these by themselves.
_QUIET_WRITING = re.compile(
    r"/proc/(self|\d+)/(coredump_filter|oom_score_adj|timerslack_ns)$|/(tmp/)?(hsperfdata_|\.java_pid|hs_err_pid|replay_pid)"
)
OUR_SOURCES = str(Path(ludus.__file__).parent) + "/"  # Python looks there for the lines of a stack that it prints
_NAMES = "/etc/nsswitch.conf"
_USERS = ("/etc/passwd", "/etc/group", "/var/lib/sss", "/run/nscd", "/run/systemd/userdb")


def standard_library() -> tuple[str, ...]:
    """The folders of Python's own modules; the packages installed below them are hidden."""
    found = sysconfig.get_paths()
    return tuple(dict.fromkeys(os.path.realpath(found[key]) for key in ("stdlib", "platstdlib")))


def installed_packages() -> tuple[str, ...]:
    """Where packages lie below the standard library."""
    return tuple(f"{folder}/{name}" for folder in standard_library() for name in ("site-packages", "dist-packages"))


def is_tried_by_runtimes(full: str) -> bool:
    """Whether a runtime tries to make or change this file without having been told to."""
    return _QUIET_WRITING.match(full) is not None


def begins_names(full: str) -> bool:
    """Whether a C library looks here first when it wants to know a user's name."""
    return full == _NAMES


def may_look(files: Files, full: str) -> bool:
    """Whether a bot may learn if this is there."""
    return files.all_can_be_looked_for or full == SINK or _is_readable(files, full)


def judge(files: Files, full: str, *, writes: bool) -> Place:
    """What it means that a bot opens this absolute path."""
    if full == SINK:
        return Place.OPEN
    if not writes and (full in DEVICES or _is_readable(files, full)):
        return Place.OPEN
    if writes and is_tried_by_runtimes(full):
        return Place.QUIET
    if full == _NAMES:
        return Place.NAMES
    if full.startswith(_USERS) and not writes:
        return Place.USERS
    if not writes and (_QUIET.match(full) or full.startswith(OUR_SOURCES) or not os.path.lexists(full)):
        return Place.QUIET
    return Place.FORBIDDEN


def _is_readable(files: Files, full: str) -> bool:
    real = os.path.realpath(full)
    return _nearest(real, files.readable) > _nearest(real, files.hidden)


def _nearest(path: str, folders: tuple[str, ...]) -> int:
    """The length of the longest of these that is the path or lies above it; 0 if none does."""
    return max((len(folder) for folder in folders if path == folder or path.startswith(folder + "/")), default=0)

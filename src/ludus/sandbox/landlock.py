"""Landlock: which files a process and its descendants can reach, for good. For the side that locks itself in."""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Iterable
from typing import NamedTuple

from ludus.sandbox.kernel import system_call

_CREATE_VERSION = 1
_RULE_PATH_BENEATH = 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_FOLDER = 1, 2, 4, 8
_FILE_RIGHTS = {0: 0, 1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1}
_NEWEST_FILE_RIGHTS = (1 << 16) - 1  # since version 5, devices have a right of their own
_TCP_RIGHTS, _TCP_SINCE = 3, 4
_SCOPES, _SCOPES_SINCE = 3, 6  # abstract Unix sockets, and signals to anybody outside


class Access(NamedTuple):
    """What can be reached; everything below a folder counts as the folder does."""

    read: tuple[str, ...] = ()
    execute: tuple[str, ...] = ()
    write: tuple[str, ...] = ()


def version() -> int:
    """Which version of Landlock the kernel has; 0 where it has none."""
    try:
        return system_call("landlock_create_ruleset", 0, 0, _CREATE_VERSION)
    except (OSError, KeyError):
        return 0


def make_ruleset(access: Access) -> int:
    """A descriptor of rules that allow this access and nothing else of what the kernel's version knows."""
    has = version()
    rights = _FILE_RIGHTS.get(has, _NEWEST_FILE_RIGHTS)
    words = [rights]
    if has >= _TCP_SINCE:
        words.append(_TCP_RIGHTS)
    if has >= _SCOPES_SINCE:
        words.append(_SCOPES)
    attributes = ctypes.create_string_buffer(struct.pack(f"{len(words)}Q", *words), 8 * len(words))
    ruleset = system_call("landlock_create_ruleset", ctypes.addressof(attributes), len(attributes), 0)
    _allow(ruleset, access.read, _READ_FILE | _READ_FOLDER)
    _allow(ruleset, access.execute, _READ_FILE | _READ_FOLDER | _EXECUTE)
    _allow(ruleset, access.write, _READ_FILE | _WRITE_FILE)
    return ruleset


def _allow(ruleset: int, paths: Iterable[str], rights: int) -> None:
    for path in paths:
        try:
            place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue  # what is not there needs no permission
        try:
            is_folder = stat.S_ISDIR(os.fstat(place).st_mode)
            rule = ctypes.create_string_buffer(struct.pack("<Qi", rights & (~0 if is_folder else ~_READ_FOLDER), place))
            system_call("landlock_add_rule", ruleset, _RULE_PATH_BENEATH, ctypes.addressof(rule), 0)
        finally:
            os.close(place)


def enter(ruleset: int) -> None:
    """Be bound by the rules from now on. Needs no privilege, only that no new ones can be gained."""
    system_call("landlock_restrict_self", ruleset, 0)

"""Filters for system calls: what a bot may do freely, what fails quietly, and what the referee is asked about.

Whatever a filter does not name is asked about: the call waits in the kernel until the referee has decided. Calls that
a filter allows without looking at their arguments cost nothing, for the kernel remembers them.
"""

from __future__ import annotations

import ctypes
import errno
import struct
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ludus.sandbox.kernel import system_call
from ludus.sandbox.syscalls import ARCHITECTURE, NUMBERS

ALLOW, ASK = 0x7FFF0000, 0x7FC00000
CHANNEL = 3  # the descriptor over which a bot's process speaks to the referee
# The referee is asked about mappings of so many bytes, and so learns who wanted more than there is. A C library that
# can grow its heap no further tries to map 1 MB.
LARGE_MAPPING, LARGE_MAPPING_OF_PROGRAM = 16 << 20, 1 << 20

MAP_STACK, MAP_SHARED_ANONYMOUS = 0x20000, 0x21
CLONE_THREAD = 0x10000

_LOAD, _AND, _EQUAL, _AT_LEAST, _JUMP, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x05, 0x06
_FARTHEST = 255  # lines that a test can jump
_NUMBER, _ARCHITECTURE = 0, 4  # where the kernel puts them for the filter
_X32 = 0x40000000  # numbers of the 32-bit pointer calls begin here
_ALL = 0xFFFFFFFF
_SET_MODE_FILTER, _GET_ACTION_AVAILABLE, _NEW_LISTENER = 1, 2, 8


def refuse(code: int) -> int:
    """Let the call fail with this error, and ask nobody."""
    return 0x00050000 | code


class Test(NamedTuple):
    """What happens to a call if half an argument, masked, is (or is not) this value, or at least this value."""

    word: int
    mask: int
    value: int
    then: int
    is_negated: bool = False
    is_at_least: bool = False


class Rule(NamedTuple):
    """What happens to a call: that of its first test that holds, or else `otherwise`."""

    otherwise: int
    tests: tuple[Test, ...] = ()


def low(argument: int) -> int:
    """The lower half of an argument, counted from 0."""
    return 16 + 8 * argument


def high(argument: int) -> int:
    """The upper half of an argument."""
    return 20 + 8 * argument


def one_of(argument: int, values: Iterable[int], *, then: int, otherwise: int) -> Rule:
    return Rule(otherwise, tuple(Test(low(argument), _ALL, value, then) for value in values))


def null(argument: int, *, then: int, otherwise: int) -> Rule:
    """Whether a pointer is null."""
    tests = tuple(Test(half(argument), _ALL, 0, otherwise, is_negated=True) for half in (low, high))
    return Rule(then, tests)


class Filter:
    """A filter as the kernel takes it; one serves any number of processes."""

    def __init__(self, rules: dict[str, Rule]) -> None:
        code = b"".join(_assemble(rules))
        self._code = ctypes.create_string_buffer(code, len(code))
        program = struct.pack("HxxxxxxQ", len(code) // 8, ctypes.addressof(self._code))
        self._program = ctypes.create_string_buffer(program, len(program))

    def install(self) -> int:
        """Bind this process for good; the descriptor is where the referee is asked."""
        return system_call("seccomp", _SET_MODE_FILTER, _NEW_LISTENER, ctypes.addressof(self._program))


def can_ask() -> bool:
    """Whether the kernel can ask another process what to do with a call."""
    action = ctypes.c_uint32(ASK)
    try:
        system_call("seccomp", _GET_ACTION_AVAILABLE, 0, ctypes.addressof(action))
    except (OSError, KeyError):
        return False
    return True


def _assemble(rules: dict[str, Rule]) -> list[bytes]:
    # A call of another kind (32-bit, x32) has other numbers: it is always asked about, and never let through.
    lines = [_line(_LOAD, _ARCHITECTURE), _line(_EQUAL, ARCHITECTURE, 1, 0), _line(_RETURN, ASK), _line(_LOAD, _NUMBER)]
    lines += [_line(_AT_LEAST, _X32, 0, 1), _line(_RETURN, ASK)]
    named = sorted((NUMBERS[name], rule) for name, rule in rules.items() if name in NUMBERS)
    return lines + _choose([*_spans(named)])


def _spans(named: list[tuple[int, Rule]]) -> Iterator[tuple[int, list[bytes]]]:
    """Where each run of numbers with the same treatment begins, and the code for it."""
    known = dict(named)
    before = None
    for number in range(named[-1][0] + 2):
        rule = known.get(number, Rule(ASK))
        if rule != before:
            yield number, [line for test in rule.tests for line in _tested(test)] + [_line(_RETURN, rule.otherwise)]
        before = rule


def _choose(spans: list[tuple[int, list[bytes]]]) -> list[bytes]:
    """A search by halves: the kernel tries every number once when a filter is installed."""
    if len(spans) == 1:
        return spans[0][1]
    middle = len(spans) // 2
    lower, upper = _choose(spans[:middle]), _choose(spans[middle:])
    if len(lower) <= _FARTHEST:
        return [_line(_AT_LEAST, spans[middle][0], len(lower), 0), *lower, *upper]
    return [_line(_AT_LEAST, spans[middle][0], 0, 1), _line(_JUMP, len(lower)), *lower, *upper]


def _tested(test: Test) -> list[bytes]:
    compare = _AT_LEAST if test.is_at_least else _EQUAL
    jumps = (1, 0) if test.is_negated else (0, 1)
    masked = [] if test.mask == _ALL else [_line(_AND, test.mask)]
    return [_line(_LOAD, test.word), *masked, _line(compare, test.value, *jumps), _line(_RETURN, test.then)]


def _line(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)


def _names(*texts: str) -> dict[str, Rule]:
    return {name: Rule(ALLOW) for text in texts for name in text.split()}


_MEMORY = "brk munmap mprotect madvise msync mincore membarrier"
_TIME = "clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times alarm getitimer setitimer pause"
_SIGNALS = "rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack"
_RUNNING = "futex futex_waitv sched_yield exit exit_group restart_syscall rseq set_robust_list get_robust_list"
_ABOUT_ITSELF = """getpid gettid getppid getuid geteuid getgid getegid getresuid getresgid getgroups getpgrp getpgid
    getsid uname sysinfo getrusage getrlimit getpriority sched_getaffinity sched_getparam sched_getscheduler getcpu
    capget sched_get_priority_max sched_get_priority_min sched_rr_get_interval getcwd umask getrandom"""
# Descriptors come only from files that may be read, so whatever is done with them is harmless.
_DESCRIPTORS = """read write readv writev pread64 pwrite64 preadv pwritev lseek close close_range dup dup2 dup3 fstat
    getdents getdents64 fadvise64 poll ppoll select pselect6 pipe pipe2 eventfd2 recvfrom recvmsg shutdown getsockname
    getpeername getsockopt epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2
    timerfd_create timerfd_settime timerfd_gettime"""

_FCNTL_DUPLICATE, _FCNTL_FLAGS, _FCNTL_DUPLICATE_CLOSING = 0, (1, 2, 3, 4), 1030
_UNIX_SOCKETS = 1
# What an ioctl may ask or set: a terminal's size and state (there is none), blocking, bytes there, closing on exec.
_CONTROLS = (0x5413, 0x5401, 0x5421, 0x541B, 0x5451, 0x5450)
# Names of threads and mappings; timer slack, huge pages; reading what is set: death signal, dumps, privileges.
_HARMLESS_SETTINGS = (15, 16, 0x53564D41, 29, 30, 41, 2, 3, 21, 23, 39, 52)


def _large(argument: int, bytes_: int) -> tuple[Test, Test]:
    is_huge = Test(high(argument), _ALL, 0, ASK, is_negated=True)
    return is_huge, Test(low(argument), _ALL, bytes_, ASK, is_at_least=True)


# A C library maps a stack before it starts a thread, and gives up if there is no room: this shows the attempt.
_STACK = Test(low(3), MAP_STACK, MAP_STACK, ASK)
# Memory that is shared with nobody, and yet not counted as the process's own data.
_SHARED = Test(low(3), MAP_SHARED_ANONYMOUS, MAP_SHARED_ANONYMOUS, refuse(errno.EPERM))

_COMMON = _names(_MEMORY, _TIME, _SIGNALS, _RUNNING, _ABOUT_ITSELF, _DESCRIPTORS) | {
    "sendmsg": one_of(0, [CHANNEL], then=ALLOW, otherwise=ASK),
    "sendto": null(4, then=ALLOW, otherwise=ASK),
    "socketpair": one_of(0, [_UNIX_SOCKETS], then=ALLOW, otherwise=ASK),
    "fcntl": one_of(1, [_FCNTL_DUPLICATE, *_FCNTL_FLAGS, _FCNTL_DUPLICATE_CLOSING], then=ALLOW, otherwise=ASK),
    "prlimit64": one_of(0, [0], then=ALLOW, otherwise=ASK),
    "setrlimit": Rule(ALLOW),
    "mremap": Rule(ALLOW, _large(2, LARGE_MAPPING)),
    "ioctl": one_of(1, _CONTROLS, then=ALLOW, otherwise=refuse(errno.ENOTTY)),
    **{name: Rule(refuse(errno.EACCES)) for name in ("statfs", "fstatfs")},
    **{name: Rule(refuse(errno.EPERM)) for name in ("mlock", "mlock2", "mlockall", "munlock", "munlockall")},
    **{
        name: Rule(refuse(errno.ENOTSUP))
        for name in ("getxattr", "lgetxattr", "fgetxattr", "listxattr", "llistxattr", "flistxattr")
    },
    "prctl": one_of(0, _HARMLESS_SETTINGS, then=ALLOW, otherwise=ASK),
}


def python_filter() -> Filter:
    """For a bot in Python: one thread, one process, no file but those of the standard library."""
    return Filter(_COMMON | {"mmap": Rule(ALLOW, (_STACK, *_large(1, LARGE_MAPPING)))})


_LOADER = """arch_prctl set_tid_address access faccessat faccessat2 stat lstat newfstatat statx readlink readlinkat
    chdir fchdir timer_settime timer_gettime timer_getoverrun timer_delete sched_setscheduler setpriority
    getsockopt setsockopt signalfd4 pkey_alloc pkey_free pkey_mprotect map_shadow_stack cachestat readahead"""


def program_filter(*, threads: bool) -> Filter:
    """For a program in any language: what loaders and runtimes need, and threads where they are allowed."""
    rules = (
        _COMMON
        | _names(_LOADER)
        | {
            "mmap": Rule(
                ALLOW,
                (_SHARED, *_large(1, LARGE_MAPPING)) if threads else (_STACK, *_large(1, LARGE_MAPPING_OF_PROGRAM)),
            ),
            "sched_setaffinity": Rule(refuse(errno.EPERM)),
            "io_uring_setup": Rule(refuse(errno.ENOSYS)) if threads else Rule(ASK),
            "memfd_create": Rule(refuse(errno.ENOSYS)) if threads else Rule(ASK),
        }
    )
    if threads:
        # The flags of clone3 lie in memory, where no filter sees them; without it, C libraries use clone.
        rules["clone3"] = Rule(refuse(errno.ENOSYS))
        # So does the signal of a timer, which another thread could change after the referee has looked.
        rules["timer_create"] = Rule(refuse(errno.ENOSYS))
    return Filter(rules)

"""What the referee says to each system call that it is asked about: let through, refused quietly, or forbidden.

Interpreters and runtimes probe for much that is not there for a bot; that is refused and nobody is punished. What a
bot can only do on purpose is forbidden, in a sentence that a person understands.
"""

from __future__ import annotations

import errno
import os
import signal
import struct
from typing import NamedTuple

from ludus.sandbox import paths
from ludus.sandbox.kernel import read_memory, read_text
from ludus.sandbox.notify import Call
from ludus.sandbox.process import signal_name
from ludus.sandbox.seccomp import CLONE_THREAD, MAP_STACK

MOST_THREADS = 256


class Decision(NamedTuple):
    """Let through, or failed with an error; a `forbidden` one ends the bot, and says what it tried."""

    code: int = 0  # 0: let through
    forbidden: str = ""
    shown: str = ""  # the call with its arguments, for the record


LET = Decision()
_START = frozenset("fork vfork clone clone3".split())
_RUN = frozenset("execve execveat".split())
_SIGNAL = frozenset("kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo pidfd_send_signal".split())
_MAP = frozenset("mmap mremap".split())
_OPEN = {"open": (None, 0, 1), "openat": (0, 1, 2), "openat2": (0, 1, 2), "creat": (None, 0, None)}
_LOOK = {
    **dict.fromkeys("stat lstat access readlink".split(), (None, 0)),
    **dict.fromkeys("newfstatat statx faccessat faccessat2 readlinkat".split(), (0, 1)),
}
_OTHERS = {
    "look into another process": "ptrace process_vm_readv process_vm_writev pidfd_open pidfd_getfd kcmp",
    "share memory": "shmget shmat shmctl shmdt memfd_create memfd_secret semget semop semctl semtimedop msgget msgsnd "
    "msgrcv msgctl mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify",
    "use the network": "connect bind listen accept accept4 sendmmsg recvmmsg sendmsg sendto socketpair",
    "change a file": "unlink unlinkat mkdir mkdirat rmdir rename renameat renameat2 chmod fchmod fchmodat fchmodat2 "
    "chown fchown lchown fchownat truncate ftruncate symlink symlinkat link linkat mknod mknodat utime utimes "
    "utimensat futimesat fallocate setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr flock",
    "go to another folder": "chdir fchdir chroot",
    "hand work to the kernel": "io_uring_setup io_uring_enter io_uring_register io_setup io_submit",
    "leave its namespace": "unshare setns",
    "change how the kernel treats it": "prctl arch_prctl seccomp personality setpriority sched_setscheduler "
    "sched_setattr sched_setparam sched_setaffinity ioprio_set prlimit64 setsid setpgid",
    "become another user": "setuid setgid setreuid setregid setresuid setresgid setfsuid setfsgid setgroups capset",
    "wait for another process": "wait4 waitid",
    "watch files": "inotify_init inotify_init1 inotify_add_watch fanotify_init fanotify_mark",
    "control a descriptor in a way that is not for bots": "fcntl",
}
_SENTENCES = {name: sentence for sentence, names in _OTHERS.items() for name in names.split()}
_PATH_OF = {
    **dict.fromkeys("unlink mkdir rmdir rename chmod chown lchown truncate mknod utime utimes chdir chroot".split(), 0),
    **dict.fromkeys("unlinkat mkdirat renameat renameat2 fchmodat fchownat mknodat utimensat futimesat".split(), 1),
    **{"symlink": 1, "link": 1, "symlinkat": 2, "linkat": 3, "execve": 0, "execveat": 1},
}
_UNIX, _PROBING = 1, os.O_NONBLOCK | os.O_CLOEXEC  # how a C library asks for its name service
_FAMILIES = {1: "a Unix socket", 2: "a network connection", 10: "a network connection", 16: "a netlink socket"}
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_HERE = 0xFFFFFF9C  # the descriptor that means the current folder
_WRITABLE_MAPPING, _PRIVATE_MAPPING = 2, 2
_TIMER_EVENT = struct.Struct("8xii")  # the signal, and how it is sent
_SENDS_NOTHING = 1


class Policy:
    """The decisions for one process."""

    def __init__(
        self, files: paths.Files, *, pid: int, may_execute: bool = False, threads: bool = False, memory_bytes: int = 0
    ) -> None:
        self._files, self._pid, self._threads = files, pid, threads
        self._may_execute = may_execute  # once: the program itself
        self._memory_bytes = memory_bytes
        self._asks_for_names = False
        self.wanted_too_much = False
        """Whether it once asked for more memory than it may have."""

    def decide(self, call: Call) -> Decision:
        if not call.is_native:
            return _forbid(call, "make a system call of another kind of machine", "")
        name = call.name
        if name in _OPEN:
            return self._opens(call, *_OPEN[name])
        if name in _LOOK:
            return self._looks(call, *_LOOK[name])
        if name in _MAP:
            return self._maps(call)
        if name in _START:
            return self._starts(call)
        if name in _RUN:
            return self._runs(call)
        if name in _SIGNAL:
            return self._signals(call)
        if name == "socket":
            return self._sockets(call)
        if name == "timer_create":
            return _times(call)
        if name == "prlimit64" and call.arguments[0] == self._pid:
            return LET
        return _other(call)

    def _opens(self, call: Call, folder: int | None, path: int, flags: int | None) -> Decision:
        text = read_text(call.pid, call.arguments[path])
        wants = _open_flags(call, flags)
        if text is None:  # the system does not let us look: leave it to Landlock
            return LET if self._files.are_locked and not wants & _WRITING else Decision(errno.EACCES, "", call.name)
        shown = f'{call.name}("{text[:200]}", {wants:#o})'
        full = self._full_path(call, folder, text)
        place = paths.judge(self._files, full, writes=bool(wants & _WRITING))
        if place is paths.Place.NAMES:
            self._asks_for_names = True
        if place is paths.Place.OPEN:
            return LET
        if wants & os.O_PATH:  # names a place, and reads nothing
            return Decision(errno.EACCES, "", shown)
        if place in (paths.Place.QUIET, paths.Place.NAMES) or (place is paths.Place.USERS and self._asks_for_names):
            return Decision(errno.ENOENT if not wants & _WRITING else errno.EACCES, "", shown)
        if full.startswith("/dev/shm/"):  # noqa: S108  # this is where C libraries put it
            return Decision(errno.EACCES, f"tried to share memory ({call.name} of {text[:200]})", shown)
        if wants & _WRITING:
            return Decision(errno.EACCES, f"tried to write the file {text[:200]} ({call.name})", shown)
        what = "list the folder" if os.path.isdir(full) else "read the file"  # a plain string, often
        return Decision(errno.EACCES, f"tried to {what} {text[:200]} ({call.name})", shown)

    def _looks(self, call: Call, folder: int | None, path: int) -> Decision:
        text = read_text(call.pid, call.arguments[path])
        if text is None:
            return LET if self._files.are_locked else Decision(errno.ENOENT, "", call.name)
        if not text and call.name in ("newfstatat", "statx"):
            return LET  # of a descriptor that it holds
        full = self._full_path(call, folder, text)
        if paths.begins_names(full):
            self._asks_for_names = True
        if paths.may_look(self._files, full):
            return LET
        return Decision(errno.ENOENT, "", f'{call.name}("{text[:200]}")')

    def _full_path(self, call: Call, folder: int | None, text: str) -> str:
        if text.startswith("/"):
            return _plain(f"/{text.lstrip('/')}", call.pid)
        descriptor = _HERE if folder is None else call.arguments[folder] & 0xFFFFFFFF
        link = "cwd" if descriptor == _HERE else f"fd/{descriptor}"
        try:
            base = os.readlink(f"/proc/{call.pid}/{link}")
        except OSError:
            base = "/"
        return _plain(f"{base}/{text}", call.pid)

    def _maps(self, call: Call) -> Decision:
        if call.name == "mmap":
            length, protection, flags = call.arguments[1:4]
            if not self._threads and flags & MAP_STACK and not protection:  # a guarded stack is one of a thread
                return _forbid(call, "start a thread", f"a stack of {length >> 10} kB")
            counts = not self._threads or (protection & _WRITABLE_MAPPING and flags & _PRIVATE_MAPPING)
        else:
            length, counts = call.arguments[2] - min(call.arguments[2], call.arguments[1]), True
        if counts and self.memory_in_use(call.pid) + length > self._memory_bytes:
            self.wanted_too_much = True
        return LET

    def memory_in_use(self, pid: int) -> int:
        """Bytes, counted as the limit counts them; 0 where the process is gone."""
        try:
            with open(f"/proc/{pid}/statm", "rb") as file:
                fields = file.read().split()
        except OSError:
            return 0
        return int(fields[5 if self._threads else 0]) * os.sysconf("SC_PAGESIZE")

    def _starts(self, call: Call) -> Decision:
        flags = call.arguments[0] if call.name == "clone" else 0
        if call.name == "clone3":
            head = read_memory(call.pid, call.arguments[0], 8)
            flags = struct.unpack("Q", head)[0] if len(head) == 8 else 0
        if not flags & CLONE_THREAD:
            return _forbid(call, "start a process", f"flags {flags:#x}")
        if not self._threads or call.name == "clone3":
            return _forbid(call, "start a thread", f"flags {flags:#x}")
        try:
            running = os.stat(f"/proc/{self._pid}/task").st_nlink - 2
        except OSError:
            return LET
        return LET if running < MOST_THREADS else _forbid(call, f"start more than {MOST_THREADS} threads", "")

    def _runs(self, call: Call) -> Decision:
        if self._may_execute:
            self._may_execute = False
            return LET
        text = read_text(call.pid, call.arguments[_PATH_OF[call.name]]) or "?"
        return Decision(
            errno.EPERM, f"tried to run the program {text[:200]} ({call.name})", f'{call.name}("{text[:200]}")'
        )

    def _signals(self, call: Call) -> Decision:
        target = _signed(call.arguments[0])
        number = call.arguments[2 if call.name in ("tgkill", "rt_tgsigqueueinfo") else 1]
        is_own = target in (self._pid, call.pid) and call.name != "pidfd_send_signal"
        if is_own:
            if number == signal.SIGABRT and self.memory_in_use(call.pid) > self._memory_bytes - self._memory_bytes // 8:
                self.wanted_too_much = True
            return LET
        what = signal_name(number)
        whom = f"process {target}" if target > 0 else "a group of processes"
        return Decision(
            errno.EPERM, f"tried to send {what} to {whom} ({call.name})", f"{call.name}({target}, {number})"
        )

    def _sockets(self, call: Call) -> Decision:
        family, kind = call.arguments[0], call.arguments[1]
        shown = f"socket({family}, {kind:#x}, {call.arguments[2]})"
        if family == _UNIX and kind & _PROBING == _PROBING:
            return Decision(errno.EAFNOSUPPORT, "", shown)
        what = _FAMILIES.get(family, "a socket")
        return Decision(errno.EPERM, f"tried to open {what} (socket)", shown)


def _times(call: Call) -> Decision:
    """A timer may send any signal but the one that wakes a process which is stopped."""
    if not call.arguments[1]:
        return LET  # SIGALRM
    event = read_memory(call.pid, call.arguments[1], _TIMER_EVENT.size)
    if len(event) < _TIMER_EVENT.size:
        return Decision(errno.EFAULT, "", call.name)
    number, how = _TIMER_EVENT.unpack(event)
    if number == signal.SIGCONT and how != _SENDS_NOTHING:
        return _forbid(call, "wake itself in its opponent's turn", "SIGCONT")
    return LET


def _plain(path: str, pid: int) -> str:
    """The path as the process means it; where it goes up, links on the way count, as they do for the kernel."""
    for own in ("/proc/self/", "/proc/thread-self/"):
        if path.startswith(own):
            path = f"/proc/{pid}/{path.removeprefix(own)}"
    return os.path.realpath(path) if ".." in path.split("/") else os.path.normpath(path)


def _open_flags(call: Call, flags: int | None) -> int:
    if flags is None:
        return os.O_CREAT | os.O_WRONLY
    if call.name == "openat2":  # its flags lie in memory
        head = read_memory(call.pid, call.arguments[flags], 8)
        return int(struct.unpack("Q", head)[0]) if len(head) == 8 else os.O_RDWR
    return call.arguments[flags]


def _other(call: Call) -> Decision:
    what, detail = _SENTENCES.get(call.name, "make a system call that is not for bots"), ""
    if call.name in _PATH_OF:
        text = read_text(call.pid, call.arguments[_PATH_OF[call.name]]) or "?"
        if paths.is_tried_by_runtimes(text):
            return Decision(errno.EACCES, "", f'{call.name}("{text[:200]}")')
        verb = "go to the folder" if "folder" in what else "change the file"
        what, detail = f"{verb} {text[:200]}", f'"{text[:200]}"'
    return _forbid(call, what, detail)


def _forbid(call: Call, what: str, detail: str) -> Decision:
    arguments = detail or ", ".join(f"{argument:#x}" for argument in call.arguments)
    return Decision(errno.EPERM, f"tried to {what} ({call.name})", f"{call.name}({arguments})")


def _signed(argument: int) -> int:
    low = argument & 0xFFFFFFFF
    return low - (1 << 32) if low >> 31 else low

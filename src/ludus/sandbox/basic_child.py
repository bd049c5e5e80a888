"""Inside a Python bot's process at level "basic": limits where the system has them, and a hook that forbids acts."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import sys
import sysconfig
from collections.abc import Callable
from typing import Any

from ludus.sandbox import messages
from ludus.sandbox.messages import Failure
from ludus.sandbox.preparing import prepared, seed_dice
from ludus.sandbox.serving import find_entry, serve

# Beginnings of the names of audit events, and what a person calls such an act.
_FORBIDDEN = {
    "os.system": "run a program",
    "os.exec": "run a program",
    "os.posix_spawn": "run a program",
    "os.spawn": "run a program",
    "os.startfile": "run a program",
    "subprocess.": "run a program",
    "pty.": "run a program",
    "os.fork": "start a process",
    "_thread.start": "start a thread",
    "os.kill": "send a signal to a process",
    "signal.pthread_kill": "send a signal to a thread",
    "socket.": "use the network",
    "urllib.": "use the network",
    "http.": "use the network",
    "ftplib.": "use the network",
    "smtplib.": "use the network",
    "webbrowser.": "run a program",
    "ctypes.dlopen": "call system functions",
    "ctypes.dlsym": "call system functions",
    "ctypes.call_function": "call system functions",
    "ctypes.string_at": "look into memory",
    "mmap.": "share memory",
    "shutil.": "change files",
    "tempfile.": "write a file",
    "sqlite3.connect": "open a database",
    "resource.": "change its limits",
    "fcntl.": "change a descriptor",
    "syslog.": "write to the system's log",
    "winreg.": "use the registry",
    "msvcrt.": "use the console",
    **{
        f"os.{name}": "change files"
        for name in "remove rename mkdir rmdir chmod chown truncate symlink link utime chflags setxattr".split()
    },
    **{f"os.{name}": "look into folders" for name in ("listdir", "scandir", "chdir", "walk", "fwalk")},
}
_PREFIXES = tuple(_FORBIDDEN)
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_COMMON = "bisect collections copy functools heapq itertools json math re statistics string threading traceback".split()


def main() -> None:
    """Take on the limits, then be the bot."""
    receive, send = _channel()
    settings, source = messages.unpack_job(receive())[:2]
    for name in [*_COMMON, *settings["preload"]]:
        importlib.import_module(name)
    name = settings["name"]
    make_handler = find_entry(settings["entry"])
    code = prepared(source, name)
    seed_dice(settings["seed"])
    readable = _readable()
    sys.path[:] = [path for path in sys.path if path.startswith(readable) and not path.endswith("packages")]
    sys.argv, sys.executable = [""], ""
    os.environ.clear()
    sys.stdout = io.TextIOWrapper(_Printing(send), "utf-8", "backslashreplace", line_buffering=True)
    _limit(settings["memory_mb"], settings["cores"])
    _wrap_threads(_forbid_acts(name, readable, send))
    with contextlib.suppress(BaseException):
        serve(code, source, name=name, make_handler=make_handler, receive=receive, send=send)
    os._exit(0)


def _channel() -> tuple[Callable[[], bytes], Callable[[bytes], object]]:
    """The pipes to the referee, taken away from where the bot would find them by accident."""
    inbox, outbox = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)  # what is printed past Python

    def exactly(length: int) -> bytes:
        found = b""
        while len(found) < length:
            piece = os.read(inbox, length - len(found))
            if not piece:
                os._exit(0)  # the referee is gone
            found += piece
        return found

    def send(message: bytes) -> None:
        message = messages.FRAME.pack(len(message)) + message
        while message:
            message = message[os.write(outbox, message) :]

    return lambda: exactly(messages.FRAME.unpack(exactly(messages.FRAME.size))[0]), send


class _Printing(io.RawIOBase):
    """Hands what the bot prints to the referee, apart from its answers."""

    def __init__(self, send: Callable[[bytes], object]) -> None:
        self._send = send

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._send(messages.PRINTED + bytes(data))
        return len(data)


def _readable() -> tuple[str, ...]:
    found = sysconfig.get_paths()
    folders = {found[key] for key in ("stdlib", "platstdlib")}
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        folders.add(os.path.dirname(str(numpy.__file__)))
    return tuple({*folders, *map(os.path.realpath, folders)})


def _may_read(path: str, readable: tuple[str, ...]) -> bool:
    """Whether it lies below one of these; of the packages that are installed there, only what is named."""
    below = [folder for folder in readable if path.startswith(folder)]
    return any("-packages" not in path.removeprefix(folder) for folder in below)


def _limit(memory_mb: int, cores: list[int]) -> None:
    if cores and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, cores)
    try:
        import resource  # noqa: PLC0415  # not on every system
    except ImportError:
        return
    wanted = [("RLIMIT_CORE", 0), ("RLIMIT_FSIZE", 0), ("RLIMIT_NOFILE", 64), ("RLIMIT_NPROC", 0)]
    wanted.append(("RLIMIT_AS" if sys.platform == "linux" else "RLIMIT_DATA", _memory_in_use() + (memory_mb << 20)))
    for name, value in wanted:
        if hasattr(resource, name):
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(getattr(resource, name), (value, value))


def _memory_in_use() -> int:
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGESIZE")
    except OSError:
        return 0


def _forbid_acts(name: str, readable: tuple[str, ...], send: Callable[[bytes], object]) -> Callable[[str, str], None]:
    """From now on, acts that Python announces are prevented and told. The hook cannot be taken away again."""
    is_busy = False

    def tell(what: str, event: str) -> None:
        nonlocal is_busy
        is_busy = True
        frame: Any = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename != name:
            frame = frame.f_back
        line = None if frame is None else frame.f_lineno
        send(messages.pack_failure(Failure(f"it tried to {what} ({event})", line), letter=messages.CAUGHT))
        is_busy = False
        raise PermissionError(f"not for bots: {event}")

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if is_busy:
            return
        if event == "open":
            path, _, flags = (*arguments, None, None, None)[:3]
            writes = isinstance(flags, int) and bool(flags & _WRITING)
            if isinstance(path, int) or path == os.devnull:
                return
            text = os.path.abspath(os.fsdecode(path)) if isinstance(path, (str, bytes)) else "?"
            if not writes and (_may_read(text, readable) or str(path)[:1] == "<" or not os.path.lexists(text)):
                return
            tell(f"{'write' if writes else 'read'} the file {str(path)[:200]}", event)
        if event.startswith(_PREFIXES):
            path = arguments[0] if arguments else None
            if event in ("os.listdir", "os.scandir") and isinstance(path, str) and _may_read(path, readable):
                return  # looking for a module
            tell(next(what for prefix, what in _FORBIDDEN.items() if event.startswith(prefix)), event)

    sys.addaudithook(hook)
    return tell


def _wrap_threads(tell: Callable[[str, str], None]) -> None:
    """Python 3.11 announces no threads."""
    import _thread  # noqa: PLC0415
    import threading  # noqa: PLC0415

    def start(*_: object, **__: object) -> None:
        tell("start a thread", "_thread.start_new_thread")

    _thread.start_new_thread = _thread.start_new = start  # type: ignore[assignment]
    for name in ("_start_new_thread", "_start_joinable_thread"):
        if hasattr(threading, name):
            setattr(threading, name, start)

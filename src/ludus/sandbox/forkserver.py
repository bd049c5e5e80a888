"""The fork server: a process with everything imported that bots need, which forks one bot for each request.

It never sees a bot's source, name or seed: those lie in a file that only the forked process reads, so nothing of one
bot can be found in the memory of another. When the referee ends, it ends, and the kernel kills its bots.
"""

from __future__ import annotations

import array
import faulthandler
import gc
import importlib
import os
import select
import socket
import struct
import sys
import threading
from typing import NoReturn

from ludus.sandbox import landlock, limits, messages, paths, seccomp
from ludus.sandbox.identity import is_open_to_all, plan
from ludus.sandbox.launching import (
    Ground,
    become_program,
    become_python_bot,
    print_by_lines,
    refuse_to_start,
)
from ludus.sandbox.pipes import descriptors_in

PYTHON_BOT, PROGRAM = b"B", b"P"
UP, BORN, ENDED, FAILED = b"U", b"C", b"X", b"F"
REQUEST = struct.Struct("=cQ")  # the kind of bot, and the request's number
BIRTH = struct.Struct("=cQI")  # BORN, the number of the request, and the process
NOT_BORN = struct.Struct("=cQi")  # FAILED, the number of the request, and the system's error
DEATH = struct.Struct(
    "=cIiQd"
)  # ENDED, the process, its status as wait() gives it, its peak memory in kB, seconds used
START = struct.Struct("=cQ")  # UP, and the memory in use before any bot
MOST_DESCRIPTORS = 5

# What bots import, and what Python imports by itself for what they do.
_STANDARD = """abc argparse array ast base64 bisect builtins calendar cmath codecs collections collections.abc colorsys
    contextlib copy copyreg csv ctypes dataclasses datetime decimal difflib enum errno fractions functools gc getopt
    hashlib heapq inspect io itertools json keyword linecache locale logging marshal math numbers opcode operator os
    pathlib pickle platform pprint queue random re reprlib select signal socket stat statistics string struct sys
    textwrap threading time timeit token tokenize traceback types typing unicodedata uuid warnings weakref zlib
    _strptime _pydecimal encodings.ascii encodings.latin_1 encodings.idna encodings.utf_8_sig encodings.utf_16
    encodings.cp1252 stringprep""".split()
_NUMPY = "numpy numpy.random numpy.linalg numpy.fft numpy.ma".split()
_PARENT_LEFT = 1


def main(control_descriptor: int, preload: list[str], *, uses_landlock: bool) -> NoReturn:
    """Serve until the referee closes its end, or ends."""
    control = socket.socket(fileno=control_descriptor)
    try:
        referee = os.pidfd_open(os.getppid())
        readable = _import_all(preload)
        ground = _prepare(readable, uses_landlock=uses_landlock)
    except Exception as error:  # told to the referee, who says it to a person
        control.send(FAILED + f"{type(error).__name__}: {error}".encode())
        os._exit(1)
    control.send(START.pack(UP, ground.memory_bytes))
    _serve(control, referee, ground)


def _import_all(preload: list[str]) -> tuple[str, ...]:
    """Import everything; the folders of the packages among it, which bots may read."""
    found: list[str] = []
    for name in [*_STANDARD, *preload]:
        module = importlib.import_module(name)
        if name in preload and hasattr(module, "__path__") and name.partition(".")[0] != "ludus":
            folder = os.path.realpath(next(iter(module.__path__)))
            found += [folder, f"{folder}.libs"]
    if "numpy" in preload:
        for name in _NUMPY:
            importlib.import_module(name)
    return tuple(found)


def _prepare(packages: tuple[str, ...], *, uses_landlock: bool) -> Ground:
    libraries = (*paths.standard_library(), *packages, *paths.SYSTEM_LIBRARIES)
    locks = uses_landlock and landlock.version() > 0
    access = landlock.Access((*libraries, *paths.SYSTEM_DATA, *paths.DEVICES), (), (paths.SINK,))
    ruleset = landlock.make_ruleset(access) if locks else None
    _forget_the_host()
    print_by_lines()
    limits.limit_all_bots()
    faulthandler.enable(file=2, all_threads=False)
    faulthandler.register(messages.WHERE_SIGNAL, file=2, all_threads=False)
    while (spare := os.open(os.devnull, os.O_RDWR)) <= seccomp.CHANNEL:
        pass  # no descriptor that arrives later may lie where a bot's own will be put
    os.close(spare)
    ground = Ground(
        os.getpid(),
        # A user of its own may have to pass folders that are closed to others.
        plan(reads_anything=not all(map(is_open_to_all, (*paths.standard_library(), *packages)))),
        plan(reads_anything=True, runs_anything=True),
        seccomp.python_filter(),
        {threads: seccomp.program_filter(threads=threads) for threads in (False, True)},
        ruleset,
        limits.memory_in_use(),
    )
    gc.collect()
    gc.disable()
    gc.freeze()  # so that bots share these pages
    return ground


def _forget_the_host() -> None:
    """Bots see nothing of where they run."""
    os.environ.clear()
    os.environ.update(HOME="/", LANG="C.UTF-8", TZ="UTC0")
    os.chdir("/")
    os.umask(0o777)
    sys.argv, sys.executable = [""], ""
    sys.path[:] = [path for path in sys.path if os.path.realpath(path).startswith(paths.standard_library())]
    sys.path[:] = [path for path in sys.path if not path.endswith(("site-packages", "dist-packages"))]
    sys.path_importer_cache.clear()
    threading.stack_size(1 << 18)  # room for a stack under any limit, so that the kernel sees each thread begin


def _serve(control: socket.socket, referee: int, ground: Ground) -> NoReturn:
    children: dict[int, int] = {}  # descriptor -> process
    poll = select.poll()
    poll.register(control, select.POLLIN)
    poll.register(referee, select.POLLIN)
    place = socket.CMSG_SPACE(4 * MOST_DESCRIPTORS)
    while True:
        for descriptor, _ in poll.poll():
            if descriptor == control.fileno():
                request, ancillary, _, _ = control.recvmsg(REQUEST.size, place)
                if not request:
                    os._exit(0)
                kind, number = REQUEST.unpack(request)
                descriptors = descriptors_in(ancillary)
                try:
                    child = _fork(kind, descriptors, ground)
                except OSError as error:  # too many processes, or too little memory: others' games go on
                    control.send(NOT_BORN.pack(FAILED, number, error.errno or 0))
                else:
                    watched = os.pidfd_open(child)
                    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [watched]))]
                    control.sendmsg([BIRTH.pack(BORN, number, child)], rights)
                    children[watched] = child
                    poll.register(watched, select.POLLIN)
                for received in descriptors:
                    os.close(received)
            elif descriptor == referee:
                os._exit(_PARENT_LEFT)
            else:
                child = children.pop(descriptor)
                poll.unregister(descriptor)
                os.close(descriptor)
                _, status, used = os.wait4(child, 0)
                control.send(DEATH.pack(ENDED, child, status, used.ru_maxrss, used.ru_utime + used.ru_stime))


def _fork(kind: bytes, descriptors: list[int], ground: Ground) -> int:
    child = os.fork()
    if child == 0:
        try:
            if kind == PYTHON_BOT:
                become_python_bot(ground, descriptors)
            become_program(ground, descriptors)
        except BaseException as error:  # nothing may come back into the server's loop
            refuse_to_start(error, seccomp.CHANNEL if _is_placed(descriptors) else descriptors[0])
    return child


def _is_placed(descriptors: list[int]) -> bool:
    """Whether the channel has been put where the bot expects it, and the one that arrived is closed."""
    try:
        os.fstat(descriptors[0])
    except OSError:
        return True
    return False

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
import resource
import select
import socket
import struct
import sys
import threading
from collections.abc import Callable
from functools import partial
from typing import NoReturn

from ludus.sandbox import landlock, limits, messages, paths, seccomp
from ludus.sandbox.identity import is_open_to_all, plan
from ludus.sandbox.kernel import fork
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

# What many bots import, and what Python imports by itself for what they do. Each costs all bots a little, as a fork
# copies the tables of all memory; what is not here, a bot's process imports itself before it is locked in.
_STANDARD = """abc array ast bisect builtins cmath codecs collections collections.abc contextlib copy copyreg ctypes
    dataclasses datetime enum errno functools gc heapq inspect io itertools json keyword linecache locale marshal math
    numbers opcode operator os pathlib queue random re reprlib select signal socket stat string struct sys textwrap
    threading time token tokenize traceback types typing warnings weakref encodings.ascii encodings.latin_1
    encodings.utf_8_sig encodings.utf_16""".split()
_NUMPY = "numpy numpy.random numpy.linalg numpy.fft numpy.ma".split()
_PARENT_LEFT = 1
_POOL, _POOL_HEADER, _LARGEST_SMALL, _BYTES_OBJECT = 1 << 14, 48, 512, 33  # in bytes
_MOST_GAPS = 1000  # of one size; a Python that keeps its memory otherwise has none that could be seen
_fillers: list[object] = []
_NAMES_OF_A_BOT, _PAGES_OF_NAMES = 500, 60  # names that fit into the table take about 30 pages; a new table takes 80


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
    """Import everything, and rehearse what can be; the folders of the packages among it, which bots may read."""
    found: list[str] = []
    for name in [*_STANDARD, *preload]:
        module = importlib.import_module(name)
        if name in preload and hasattr(module, "__path__") and name.partition(".")[0] != "ludus":
            folder = os.path.realpath(next(iter(module.__path__)))
            found += [folder, f"{folder}.libs"]
        rehearse = getattr(module, "rehearse", None) if name in preload else None
        if rehearse is not None:
            rehearse()
    if "numpy" in sys.modules:
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
    _make_room_for_names()
    gc.collect()
    gc.disable()
    gc.freeze()  # so that bots share these pages
    _fill_gaps()
    return ground


def _make_room_for_names() -> None:
    """Python has all names in one table, and copies it when it is full: let that happen here, if it is near.

    Only a process that tries it can tell, by the pages that it takes.
    """
    names = [f" {number}" for number in range(_NAMES_OF_A_BOT)]
    child = fork()
    if child == 0:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        for name in names:
            sys.intern(name)
        os._exit(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before > _PAGES_OF_NAMES)
    if os.waitpid(child, 0)[1]:
        for name in names:
            sys.intern(name)


def _fill_gaps() -> None:
    """Use up small pieces of free memory, which lie scattered: what bots allocate is then together, on fewer pages.

    Python has small objects in pools by size; one at the beginning of a pool shows that no other pool had room.
    """
    makers: list[Callable[[], object]] = [object, lambda: complex(0, 1)]  # of 16 and 32 bytes
    makers += [partial(bytes, size - _BYTES_OBJECT) for size in range(48, _LARGEST_SMALL + 1, 16)]
    for make in makers:
        for _ in range(_MOST_GAPS):
            _fillers.append(make())
            if id(_fillers[-1]) % _POOL == _POOL_HEADER:
                break


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
    child = fork()
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

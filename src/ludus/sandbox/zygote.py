"""The referee's handle on the fork server: bots at level "full", on Linux, without root and with nothing to install."""

from __future__ import annotations

import array
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType

import ludus
from ludus.errors import SandboxError
from ludus.sandbox import landlock, paths
from ludus.sandbox.body import Exit
from ludus.sandbox.confined import ConfinedBot
from ludus.sandbox.forkserver import (
    BIRTH,
    BORN,
    DEATH,
    ENDED,
    FAILED,
    NOT_BORN,
    PROGRAM,
    PYTHON_BOT,
    REQUEST,
    START,
    UP,
)
from ludus.sandbox.levels import why_not_full
from ludus.sandbox.messages import PythonJob, pack_job
from ludus.sandbox.pipes import descriptors_in
from ludus.sandbox.process import Level, Limits
from ludus.sandbox.program import ConfinedProgram

INSIDE = "ludus.bots.inside"
_STARTING_S, _ANSWERING_S = 60.0, 20.0
_BOOT = "import sys, json; sys.path[:] = json.loads(sys.argv[2]); from ludus.sandbox.forkserver import main; main("
_BOOT += "int(sys.argv[1]), json.loads(sys.argv[3]), uses_landlock=sys.argv[4] == 'True')"
_LARGEST_REPORT, _MOST_PREPARED = 4096, 500
_ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"), "1")


class Zygote:
    """Starts bots. Close it, and neither a process nor a descriptor is left.

    `preload` names modules that are imported once, before any bot; packages among them can be read by bots. If the
    fork server is killed from outside, its bots die: asking them raises a SandboxError, and the next bot starts a new
    one. `landlock=False` does without Landlock, as on a kernel that has none.
    """

    level: Level = "full"

    def __init__(self, *, preload: tuple[str, ...] = (), landlock: bool = True) -> None:
        if (reason := why_not_full()) is not None:
            raise SandboxError(reason)
        self._preload = preload if INSIDE in preload else (INSIDE, *preload)
        self._uses_landlock = landlock
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._requests = 0
        self._is_closed = False
        self._prepared: dict[tuple[str, str], bytes] = {}  # by name and source of bots
        self._start()

    def __enter__(self) -> Zygote:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def python_bot(
        self,
        source: str,
        *,
        name: str,
        entry: str,
        seed: int,
        limits: Limits,
        audit: bool = True,
        cores: set[int] | None = None,
    ) -> ConfinedBot:
        """A bot from the text of a Python file. `entry` is the `module:function` that makes its handler of questions.

        With `audit` the bot's own process helps to say in which line it was; what it did is judged without its help.
        """
        job = PythonJob(name, entry, seed, limits.memory_mb, audit, sorted(cores or ()))
        bot = ConfinedBot(
            self,
            PYTHON_BOT,
            pack_job(job, source, prepared=self._prepared.get((name, source), b"")),
            files=self._files,
            limits=limits,
            memory_bytes=self._memory_bytes + (limits.memory_mb << 20),
            name=name if audit else "",
        )
        if bot.prepared:
            self._prepared[name, source] = bot.prepared
            if len(self._prepared) > _MOST_PREPARED:
                del self._prepared[next(iter(self._prepared))]
        return bot

    def program(
        self,
        argv: list[str],
        *,
        file: str | Path,
        limits: Limits,
        threads: bool = False,
        cores: set[int] | None = None,
    ) -> ConfinedProgram:
        """A program in any language. It can read and run its `file`, or what is below its folder, and the system's.

        `threads` allows them, and counts only memory that is written: runtimes like Java's and Node's reserve more.
        """
        if threads and not self._locks:
            raise SandboxError("this kernel has no Landlock, which programs with threads need to be confined")
        return ConfinedProgram(
            self, PROGRAM, argv, file=Path(file), limits=limits, threads=threads, cores=cores, is_locked=self._locks
        )

    def close(self) -> None:
        """End the fork server, and with it every bot."""
        if self._is_closed or os.getpid() != self._owner:
            return
        self._is_closed = True
        self._stop()

    @property
    def _locks(self) -> bool:
        return self._uses_landlock and landlock.version() > 0

    def spawn(self, kind: bytes, descriptors: list[int]) -> tuple[int, int]:
        """Fork a bot's process, which gets the descriptors: its number, and a descriptor that means it.

        A fork server that has died is started anew.
        """
        if os.getpid() != self._owner or self._is_closed:
            raise SandboxError("this sandbox is closed, or was opened by another process")
        with self._lock:
            if self._server.poll() is not None:
                self._stop()
                self._start()
            self._requests += 1
            try:
                self._control.settimeout(_ANSWERING_S)
                rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))]
                self._control.sendmsg([REQUEST.pack(kind, self._requests)], rights)
                return self._born(self._requests)
            except OSError as error:
                raise SandboxError(f"the fork server does not answer: {error}") from None

    def _born(self, request: int) -> tuple[int, int]:
        """The process that this request made."""
        while True:
            report, received = self._report(request)
            if received:
                pid: int = BIRTH.unpack(report)[2]
                self._ended.pop(pid, None)  # of an earlier process with this number
                return pid, received[0]
            if report[:1] == FAILED and NOT_BORN.unpack(report)[1] == request:
                raise SandboxError(f"no process can be started for a bot: {os.strerror(NOT_BORN.unpack(report)[2])}")

    def exit_of(self, pid: int, *, within_s: float) -> Exit | None:
        """How a process of ours ended; None if it has not ended yet. It is asked for once only."""
        with self._lock:
            try:
                self._control.settimeout(within_s)
                while pid not in self._ended:
                    self._report()
            except TimeoutError:
                return None
            except OSError:
                raise SandboxError("the fork server does not answer") from None
            return self._ended.pop(pid)

    def _report(self, request: int = 0) -> tuple[bytes, list[int]]:
        """The next thing the server says. How processes ended is noted by the way; one that is born too late for
        whoever wanted it is ended."""
        report, ancillary, _, _ = self._control.recvmsg(_LARGEST_REPORT, socket.CMSG_SPACE(4))
        if not report:
            raise SandboxError("the fork server was ended from outside, and its bots with it")
        if report[:1] == ENDED:
            _, pid, status, peak_kb, cpu_s = DEATH.unpack(report)
            self._ended[pid] = Exit(status, peak_kb, cpu_s)
        received = descriptors_in(ancillary)
        if report[:1] == BORN and BIRTH.unpack(report)[1] != request:
            for descriptor in received:
                with contextlib.suppress(ProcessLookupError):
                    signal.pidfd_send_signal(descriptor, signal.SIGKILL)
                os.close(descriptor)
            received = []
        return report, received

    def _start(self) -> None:
        self._ended: dict[int, Exit] = {}
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        here = str(Path(ludus.__file__).parent.parent)
        where = [here, *(path for path in sys.path if Path(path).is_absolute() and path != here)]
        arguments = [str(theirs.fileno()), json.dumps(where), json.dumps(self._preload), str(self._uses_landlock)]
        with theirs:
            self._server = subprocess.Popen(  # noqa: S603  # our own code
                [sys.executable, "-sSBP", "-X", "utf8", "-c", _BOOT, *arguments],
                pass_fds=[theirs.fileno()],
                env={"PYTHONHASHSEED": "0", "LANG": "C.UTF-8", "PATH": os.defpath, **_ONE_THREAD},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        self._control = ours
        ours.settimeout(_STARTING_S)
        try:
            said = ours.recv(_LARGEST_REPORT)
        except OSError as error:
            said = FAILED + str(error).encode()
        if said[:1] != UP:
            self._stop()
            raise SandboxError(f"the fork server did not start: {said[1:].decode(errors='replace') or 'it ended'}")
        ours.settimeout(_ANSWERING_S)
        self._memory_bytes = int(START.unpack(said)[1])
        self._files = self._readable()

    def _readable(self) -> paths.Files:
        readable = (*paths.standard_library(), *self._packages(), *paths.SYSTEM_LIBRARIES, *paths.SYSTEM_DATA)
        real = tuple(dict.fromkeys(os.path.realpath(path) for path in readable))
        return paths.Files(real, paths.installed_packages(), are_locked=self._locks)

    def _packages(self) -> list[str]:
        """The folders of preloaded packages, found without importing them."""
        found: list[str] = []
        for name in self._preload:
            package = name.partition(".")[0]
            spec = find_spec(package) if package != "ludus" else None
            for folder in (spec and spec.submodule_search_locations) or ():
                found += [folder, f"{folder}.libs"]
        return found

    def _stop(self) -> None:
        self._control.close()
        try:
            self._server.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._server.kill()
            self._server.wait()

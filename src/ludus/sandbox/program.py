"""A program at level "full", as the referee holds it: any language, one line for one question."""

from __future__ import annotations

import array
import os
import socket
from pathlib import Path
from time import perf_counter

from ludus.errors import SandboxError
from ludus.sandbox import messages, paths
from ludus.sandbox.confined import Forked, Parent, job_file
from ludus.sandbox.lines import LineProcess
from ludus.sandbox.policy import Policy
from ludus.sandbox.process import Level, Limits, Reply, Used
from ludus.sandbox.watching import Message

ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/", "LANG": "C.UTF-8", "TZ": "UTC0"}
_LOCKING_S = 10.0
_QUIET_S, _QUIET_TIMES = 0.001, 3  # asleep so often in a row: it has begun, and waits for its first question


class ConfinedProgram(LineProcess):
    """Somebody's program, locked in by the kernel before its first instruction."""

    level: Level = "full"

    def __init__(
        self,
        parent: Parent,
        kind: bytes,
        argv: list[str],
        *,
        file: Path,
        limits: Limits,
        threads: bool,
        cores: set[int] | None,
        is_locked: bool,
    ) -> None:
        start = perf_counter()
        own = os.path.realpath(file)
        runnable, settings = (own, *_runtime(argv[0]), *paths.SYSTEM_PROGRAMS), _java_settings()
        job = {
            "argv": argv,
            "environment": ENVIRONMENT,
            "folder": own if os.path.isdir(own) else "/",
            "readable": settings,
            "runnable": runnable,
            "memory_mb": limits.memory_mb,
            "threads": threads,
            "cores": sorted(cores or ()),
        }
        channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        questions_end, questions = os.pipe2(os.O_CLOEXEC)
        output, output_end = os.pipe2(os.O_CLOEXEC)
        errors, errors_end = os.pipe2(os.O_CLOEXEC)
        given = [theirs.detach(), output_end, errors_end, job_file(messages.pack_job(job)), questions_end]
        try:
            body = Forked(parent, kind, given)
        except BaseException:
            for descriptor in (questions, output, errors, channel.detach()):
                os.close(descriptor)
            raise
        finally:
            for descriptor in given:
                os.close(descriptor)
        super().__init__(body, questions=questions, output=output, errors=errors, limits=limits, threads=threads)
        readable = (*runnable, *settings)
        files = paths.Files(
            tuple(dict.fromkeys(map(os.path.realpath, readable))), are_locked=is_locked, all_can_be_looked_for=True
        )
        memory_bytes = limits.memory_mb << 20
        self._policy = Policy(files, pid=body.pid, may_execute=True, threads=threads, memory_bytes=memory_bytes)
        with channel:
            self._ready = self._locked_in(channel, start) or self._begun(channel, start)

    def _locked_in(self, channel: socket.socket, start: float) -> Reply | None:
        """Wait for the descriptor on which the kernel asks; None when it is there."""
        channel.settimeout(_LOCKING_S)
        try:
            said, ancillary, _, _ = channel.recvmsg(4096, socket.CMSG_SPACE(4))
        except TimeoutError:
            said, ancillary = b"", []
        if said != messages.LISTENER or not ancillary:
            self._end_it("crash", "it was not started", start)
            raise SandboxError(f"a program could not be isolated: {said[1:].decode(errors='replace') or 'it ended'}")
        self._listener = array.array("i", ancillary[0][2])[0]
        self._poll.register(self._listener, 1)
        return None

    def _begun(self, channel: socket.socket, start: float) -> Reply:
        """Let it run until it sleeps: its own start takes none of its time to move."""
        deadline = start + self._limits.loading_s
        quiet, before = 0, Used()
        while quiet < _QUIET_TIMES:
            found = self._step(min(deadline, perf_counter() + _QUIET_S), start, deadline)
            if isinstance(found, Reply):
                return self._could_not_run(channel) or found
            if isinstance(found, Message):  # it speaks before it is asked, which its first question will show
                self._pending = found.content + b"\n" + self._pending
                break
            used = self._meter.read()
            quiet = quiet + 1 if used.cpu_s == before.cpu_s and _sleeps(self._body.pid) else 0
            before = used
        return self._answered(Message(b"", perf_counter()), start, b"")

    def _could_not_run(self, channel: socket.socket) -> Reply | None:
        """Why the kernel refused to run it, if so; said before the program was there, and so the truth."""
        channel.setblocking(False)
        try:
            said = channel.recv(4096)
        except OSError:
            return None
        if said[:1] != messages.NOT_STARTED or self._end is None:
            return None
        self._end = Reply(
            "crash", reason=f"it cannot be run: {said[1:].decode(errors='replace')}", spent=self._end.spent
        )
        return self._end


def _sleeps(pid: int) -> bool:
    """Whether every thread of the process waits for something."""
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/stat", "rb") as file:
                if file.read().rpartition(b") ")[2][:1] != b"S":
                    return False
    except OSError:
        return False
    return True


def _runtime(program: str) -> tuple[str, ...]:
    """The program itself; and the folder of a runtime that is installed beside the system's."""
    real = os.path.realpath(program)
    folder = os.path.dirname(real)
    return (real, os.path.dirname(folder)) if os.path.basename(folder) == "bin" else (real,)


def _java_settings() -> list[str]:
    """Where distributions keep what lies below Java's own folder elsewhere."""
    return [str(path) for path in Path("/etc").glob("java*")]

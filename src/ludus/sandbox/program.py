"""A program at level "full", as the referee holds it: any language, one line for one question."""

from __future__ import annotations

import os
import select
import socket
from pathlib import Path
from time import perf_counter

from ludus.errors import SandboxError
from ludus.sandbox import messages, paths
from ludus.sandbox.confined import Forked, Parent, closed_if_it_fails, job_file
from ludus.sandbox.lines import LineProcess
from ludus.sandbox.pipes import descriptors_in, opened_pipes
from ludus.sandbox.policy import Policy
from ludus.sandbox.process import Level, Limits, Reply, Used
from ludus.sandbox.watching import Message

ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/", "LANG": "C.UTF-8", "TZ": "UTC0"}
_OF_RUNTIMES = ("lib", "lib64", "jre", "conf", "release")  # beside its folder `bin`
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
        runnable, settings = (own, *_runtime(argv[0], own), *paths.SYSTEM_PROGRAMS), _java_settings()
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
        with opened_pipes(questions=True) as pipes, job_file(messages.pack_job(job)) as description:
            channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with theirs, closed_if_it_fails(channel):
                given = [theirs.fileno(), pipes.output.theirs, pipes.errors.theirs, description, pipes.questions.theirs]
                body = Forked(parent, kind, given)
        super().__init__(body, pipes, limits=limits, threads=threads)
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
        self._listener = descriptors_in(ancillary)[0]  # its own code does not run yet
        self._poll.register(self._listener, select.POLLIN)
        return None

    def _begun(self, channel: socket.socket, start: float) -> Reply:
        """Let it run until it sleeps: its own start takes none of its time to move."""
        deadline = start + self._limits.loading_s
        quiet, before = 0, Used()
        self._awaited = "come to rest, to wait for its first question,"
        while quiet < _QUIET_TIMES:
            found = self._step(min(deadline, perf_counter() + _QUIET_S), start, deadline)
            if isinstance(found, Reply):
                return self._could_not_run(channel) or found
            if isinstance(found, Message):  # it speaks before it is asked, which its first question will show
                self._pending = found.content + b"\n" + self._pending
                break
            used = self._meter.read()
            quiet = quiet + 1 if used.cpu_s == before.cpu_s and self._meter.states() == {b"S"} else 0
            before = used
        self._awaited = "answer"
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


def _runtime(program: str, own: str) -> tuple[str, ...]:
    """The program itself; and of a runtime that is installed beside the system's, what it reads.

    Nothing more of the folder in which it is installed, and nothing that holds the bot: there may be other bots too.
    """
    real = os.path.realpath(program)
    folder = os.path.dirname(real)
    if os.path.basename(folder) != "bin" or real == own or real.startswith(own + "/"):
        return (real,)
    parts = [os.path.realpath(f"{os.path.dirname(folder)}/{name}") for name in _OF_RUNTIMES]
    return (real, *(part for part in parts if os.path.exists(part) and not own.startswith(part + "/")))


def _java_settings() -> list[str]:
    """Where distributions keep what lies below Java's own folder elsewhere."""
    return [str(path) for path in Path("/etc").glob("java*")]

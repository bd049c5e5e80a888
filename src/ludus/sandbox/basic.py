"""Level "basic", for any system: a bot in a process of its own, with what limits the system has, killed when late.

What it does not do: a bot that wants to can read files, use the network, or disturb other programs. What goes through
Python is noticed and prevented; what goes past it is not. For one's own bots, not for matches between strangers.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from pathlib import Path
from time import perf_counter
from types import TracebackType

import ludus
from ludus.errors import SandboxError
from ludus.sandbox import messages
from ludus.sandbox.kept import Kept
from ludus.sandbox.process import Evidence, Kind, Level, Limits, Reply, Spent, Used, signal_name, spent_between

NOT_GUARANTEED = (
    "files can be read and written by what does not go through Python",
    "the network and other programs can be reached by what does not go through Python",
    "the referee itself can be disturbed",
    "system calls are not seen, so a verdict can rest on what the bot's own process says",
)
"""What this level does not promise, for those who have to decide whether it is enough."""

_BOOT = "import sys, json; sys.path[:] = json.loads(sys.argv[1]); from ludus.sandbox.basic_child import main; main()"
_AT_ONCE, _WAITING = 1 << 16, 64  # bytes that are read together, and how many such pieces may wait
_ENDING_S = 5.0
_LARGEST_FRAME = 1 << 24
_IS_POSIX = os.name == "posix"


class BasicProcess:
    """A process with a thread for each of its pipes; what is said over them is its subclass's matter."""

    def __init__(self, argv: list[str], *, limits: Limits, level: Level, environment: dict[str, str] | None) -> None:
        self.level: Level = level
        self.evidence = Evidence()
        self._limits = limits
        self._output, self._errors = Kept(), Kept()
        self._received = bytearray()
        self._largest_answer = messages.LARGEST_ANSWER
        self._end: Reply | None = None
        self._events: queue.Queue[tuple[str, bytes]] = queue.Queue(_WAITING)
        self._questions: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        try:
            self._process = subprocess.Popen(  # noqa: S603  # what this level is for
                argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env=environment,
                start_new_session=_IS_POSIX,
            )
        except OSError as error:
            raise SandboxError(f"{argv[0][:200]!r} cannot be started: {error.strerror}") from None
        assert self._process.stdin and self._process.stdout and self._process.stderr
        # Descriptors of the threads' own, which they close: one may outlive this, where a stranger holds the other end.
        pipes = self._process.stdin, self._process.stdout, self._process.stderr
        outbox, inbox, errors = (os.dup(pipe.fileno()) for pipe in pipes)
        for pipe in pipes:
            pipe.close()
        self._threads = [
            threading.Thread(target=_write, args=(outbox, self._questions), daemon=True),
            threading.Thread(target=_read, args=(inbox, "inbox", self._events), daemon=True),
            threading.Thread(target=_read, args=(errors, "errors", self._events), daemon=True),
        ]
        self._open = {"inbox", "errors"}
        for thread in self._threads:
            thread.start()
        self._meter = None
        if sys.platform == "linux":
            from ludus.sandbox.meter import Meter  # noqa: PLC0415  # other systems have no such counters

            self._meter = Meter(self._process.pid, threads=True)
        self._used = Used()
        self._ready = Reply("crash", reason="it was not started")

    def _complete(self) -> bytes | None:
        """The next message in what was received, if it is there as a whole."""
        raise NotImplementedError

    def _judge(self, message: bytes, start: float) -> Reply | None:
        """What a message means; None if it answers nothing."""
        raise NotImplementedError

    def _packed(self, message: bytes) -> bytes:
        raise NotImplementedError

    @property
    def is_alive(self) -> bool:
        return self._end is None

    @property
    def ready(self) -> Reply:
        return self._ready

    def ask(self, message: bytes, *, limit_s: float) -> Reply:
        if self._end is not None:
            return self._end
        with contextlib.suppress(queue.Empty):
            while True:
                self._take(*self._events.get_nowait())
        if self._received:
            return self._end_it("protocol", "it wrote something when it was not its turn")
        self._output.in_turn = self._errors.in_turn = 0
        self._largest_answer = messages.largest_answer(len(message))
        start = perf_counter()
        self._signal("SIGCONT")
        self._questions.put(self._packed(message))
        return self._await(start, limit_s)

    def kill(self) -> None:
        self._signal("SIGKILL")
        self._process.kill()

    def close(self) -> None:
        if self._end is None:
            self._end_it("crash", "its process has been ended")

    def _await(self, start: float, limit_s: float) -> Reply:
        deadline = start + limit_s
        while True:
            while (message := self._complete()) is not None:
                reply = self._judge(message, start)
                if reply is not None:
                    return reply
            if len(self._received) > self._largest_answer + _AT_ONCE:
                return self._end_it("protocol", f"its answer has more than {self._largest_answer} bytes", start)
            if self._output.in_turn + self._errors.in_turn > self._limits.output_bytes:
                reason = f"it wrote more than {self._limits.output_bytes} bytes in one turn"
                return self._end_it("output", reason, start)
            if "inbox" not in self._open:
                return self._died(start)
            try:
                self._take(*self._events.get(timeout=max(0.0, deadline - perf_counter())))
            except queue.Empty:
                reason = f"it did not answer within {limit_s:.3g} s"
                return self._end_it("timeout", reason, start, deadline=deadline)

    def _take(self, where: str, data: bytes) -> None:
        if not data:
            self._open.discard(where)
        elif where == "errors":
            self._errors.keep(data)
        else:
            self._received += data

    def _answered(self, start: float, answer: bytes) -> Reply:
        self._signal("SIGSTOP")
        return Reply("answer", answer, spent=self._spent(start))

    def _spent(self, start: float) -> Spent:
        wall_s, before = perf_counter() - start, self._used
        if self._meter:
            self._used = self._meter.read()
        return spent_between(before, self._used, wall_s=wall_s)

    def _died(self, start: float) -> Reply:
        try:
            status = self._process.wait(timeout=_ENDING_S / 10)
        except subprocess.TimeoutExpired:
            return self._end_it("protocol", "it closed the way on which it answers", start)
        name = signal_name(-status) if status < 0 else ""
        how = f"its process was ended by {name}" if name else f"its process exited with status {status}"
        self._drain()
        kind: Kind = "crash"
        if status and any(text in self._errors.text for text in ("MemoryError", "bad_alloc", "OutOfMemory")):
            kind, how = "memory", f"it used up its {self._limits.memory_mb} MB of memory: {how}"
        self.evidence.exit_status = name or f"exit status {status}"
        return self._end_it(kind, how, start)

    def _end_it(
        self,
        kind: Kind,
        reason: str,
        start: float | None = None,
        *,
        line: int | None = None,
        deadline: float | None = None,
    ) -> Reply:
        spent = Spent() if start is None else self._spent(start)
        self.evidence.exit_status = self.evidence.exit_status or "ended by the referee"
        self._kill()
        gone_s = None if deadline is None else perf_counter() - deadline
        self._questions.put(None)
        self._drain()
        until = perf_counter() + _ENDING_S / 10
        for thread in self._threads:
            thread.join(timeout=max(0.0, until - perf_counter()))
        if self._meter:
            self._meter.close()
        self.evidence.stdout, self.evidence.stderr = self._output.text, self._errors.text
        self._end = Reply(kind, reason=reason, line=line, spent=spent, gone_s=gone_s)
        return self._end

    def _kill(self) -> None:
        self._signal("SIGKILL")
        self._process.kill()
        self._process.wait(timeout=_ENDING_S)

    def _signal(self, name: str) -> None:
        """To the process and all that it started, where the system has such a thing."""
        if _IS_POSIX:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, getattr(signal, name))

    def _drain(self) -> None:
        """Take what is still in the pipes. What it started may hold them open: that is not waited for."""
        until = perf_counter() + _ENDING_S / 10
        while self._open and perf_counter() < until:
            with contextlib.suppress(queue.Empty):
                self._take(*self._events.get(timeout=0.05))


def _read(descriptor: int, name: str, events: queue.Queue[tuple[str, bytes]]) -> None:
    data = b"?"
    while data:
        try:
            data = os.read(descriptor, _AT_ONCE)
        except OSError:
            data = b""
        if not data:
            os.close(descriptor)
        events.put((name, data))


def _write(descriptor: int, questions: queue.SimpleQueue[bytes | None]) -> None:
    with contextlib.suppress(OSError):
        while (question := questions.get()) is not None:
            while question:
                question = question[os.write(descriptor, question) :]
    os.close(descriptor)


class BasicBot(BasicProcess):
    """A bot in Python, in an interpreter of its own."""

    def __init__(self, job: messages.PythonJob, source: str, *, limits: Limits, preload: tuple[str, ...]) -> None:
        start = perf_counter()
        here = str(Path(ludus.__file__).parent.parent)
        where = [here, *(path for path in sys.path if Path(path).is_absolute() and path != here)]
        argv = [sys.executable, "-sSBP", "-X", "utf8", "-c", _BOOT, json.dumps(where)]
        super().__init__(argv, limits=limits, level="basic", environment=_environment())
        described = messages.pack_job(job._asdict() | {"preload": preload}, source)
        self._questions.put(messages.FRAME.pack(len(described)) + described)
        self._is_loading = True
        self._ready = self._await(start, limits.loading_s)
        self._is_loading = False

    def _packed(self, message: bytes) -> bytes:
        self._number = os.urandom(messages.NUMBER)
        return messages.FRAME.pack(len(self._number) + len(message)) + self._number + message

    def _complete(self) -> bytes | None:
        if len(self._received) < messages.FRAME.size:
            return None
        length = min(messages.FRAME.unpack_from(self._received)[0], _LARGEST_FRAME)
        if len(self._received) < messages.FRAME.size + length:
            return None
        message = bytes(self._received[messages.FRAME.size : messages.FRAME.size + length])
        del self._received[: messages.FRAME.size + length]
        return message

    def _judge(self, message: bytes, start: float) -> Reply | None:
        letter, rest = message[:1], message[1:]
        if letter == messages.PRINTED:
            self._output.keep(rest)
            return None
        if self._is_loading and letter == messages.READY:
            return self._answered(start, b"")
        if not self._is_loading and letter == messages.ANSWER and rest.startswith(self._number):
            return self._answered(start, rest[messages.NUMBER :])
        failure = messages.unpack_failure(message) if letter in (messages.FAILED, messages.CAUGHT) else None
        if failure is not None:
            self.evidence.traceback = failure.traceback
            kind: Kind = "memory" if failure.is_memory else "exception"
            if letter == messages.CAUGHT:
                kind = "forbidden"
                self.evidence.calls.append(failure.reason)
            return self._end_it(kind, failure.reason, start, line=failure.line)
        if letter == messages.TOO_LARGE:
            return self._end_it("protocol", f"its answer has more than {self._largest_answer} bytes", start)
        return self._end_it("protocol", "its answer was not made by the code that asks it", start)


class BasicProgram(BasicProcess):
    """A program in any language: a message in, one line back."""

    def __init__(self, argv: list[str], *, limits: Limits, level: Level = "basic") -> None:
        super().__init__(argv, limits=limits, level=level, environment=_environment() if level == "basic" else None)
        self._ready = self._answered(perf_counter(), b"")

    def _packed(self, message: bytes) -> bytes:
        return message

    def _complete(self) -> bytes | None:
        line, end, rest = self._received.partition(b"\n")
        if not end:
            return None
        self._received = rest
        self._output.keep(bytes(line + end))
        return bytes(line.removesuffix(b"\r"))

    def _judge(self, message: bytes, start: float) -> Reply | None:
        return self._answered(start, message)


class Basic:
    """Starts bots at level "basic"."""

    level: Level = "basic"

    def __init__(self, *, preload: tuple[str, ...] = ()) -> None:
        self._preload = preload

    def __enter__(self) -> Basic:
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
    ) -> BasicBot:
        """A bot from the text of a Python file; `audit` is always on, for nothing else notices what it does."""
        job = messages.PythonJob(name, entry, seed, limits.memory_mb, audit, sorted(cores or ()))
        return BasicBot(job, source, limits=limits, preload=self._preload)

    def program(
        self,
        argv: list[str],
        *,
        file: str | Path,
        limits: Limits,
        threads: bool = False,
        cores: set[int] | None = None,
    ) -> BasicProgram:
        """A program in any language; nothing at this level keeps it from other files, or from threads."""
        del file, threads, cores
        return BasicProgram(argv, limits=limits)

    def close(self) -> None:
        """Bots are closed one by one."""


def _environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("SYSTEMROOT", "PATH") if name in os.environ}
    one_thread = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    return kept | one_thread | {"PYTHONHASHSEED": "0", "LANG": "C.UTF-8"}

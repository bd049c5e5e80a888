"""A Python bot at level "full", as the referee holds it."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import struct
import time
from collections.abc import Iterator
from time import perf_counter
from typing import Protocol

from ludus.errors import SandboxError
from ludus.sandbox import messages, paths
from ludus.sandbox.body import Exit
from ludus.sandbox.captured import Captured
from ludus.sandbox.kernel import system_call
from ludus.sandbox.messages import FRAME, LARGEST_ANSWER, LARGEST_PART, NUMBER, largest_answer
from ludus.sandbox.pipes import descriptors_in, opened_pipes
from ludus.sandbox.policy import Policy
from ludus.sandbox.process import Kind, Level, Limits, Reply
from ludus.sandbox.watching import Message, Watched

_STAMPED = 35  # SO_TIMESTAMPNS: the kernel notes when a message was sent
_STAMP = struct.Struct("qq")


class Parent(Protocol):
    """What forks the processes, and learns how they end."""

    def spawn(self, kind: bytes, descriptors: list[int]) -> tuple[int, int]: ...

    def exit_of(self, pid: int, *, within_s: float) -> Exit | None: ...


class Forked:
    """A process that the fork server made."""

    def __init__(self, parent: Parent, kind: bytes, descriptors: list[int]) -> None:
        self._parent = parent
        self.pid, self.descriptor = parent.spawn(kind, descriptors)

    def send_signal(self, number: int) -> None:
        try:  # noqa: SIM105  # this is done twice for each move
            signal.pidfd_send_signal(self.descriptor, number)
        except ProcessLookupError:  # it has ended, which the loop will see
            pass

    def take_memory(self) -> None:
        """Free the memory of a killed process here: it would do that itself, but may have to wait for a core."""
        with contextlib.suppress(OSError, KeyError):
            system_call("process_mrelease", self.descriptor, 0)

    def wait(self, *, within_s: float) -> Exit | None:
        return self._parent.exit_of(self.pid, within_s=within_s)


@contextlib.contextmanager
def job_file(content: bytes) -> Iterator[int]:
    """A descriptor of a file that exists in memory only, and that only a bot's own process reads."""
    file = os.memfd_create("job", os.MFD_CLOEXEC)
    try:
        while content:
            content = content[os.write(file, content) :]
        yield file
    finally:
        os.close(file)


@contextlib.contextmanager
def closed_if_it_fails(channel: socket.socket) -> Iterator[None]:
    """Keep the channel only if what happens inside succeeds."""
    try:
        yield
    except BaseException:
        channel.close()
        raise


class ConfinedBot(Watched):
    """A bot in Python, locked in by the kernel, from birth to death."""

    level: Level = "full"

    def __init__(
        self,
        parent: Parent,
        kind: bytes,
        job: bytes,
        *,
        files: paths.Files,
        limits: Limits,
        memory_bytes: int,
        name: str,
    ) -> None:
        start = perf_counter()
        with opened_pipes(questions=False) as pipes, job_file(job) as file:
            self._channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self._channel.setblocking(False)
            self._channel.setsockopt(socket.SOL_SOCKET, _STAMPED, 1)
            self._inbox = self._outbox = self._channel.fileno()
            with theirs, closed_if_it_fails(self._channel):
                body = Forked(parent, kind, [theirs.fileno(), pipes.output.theirs, pipes.errors.theirs, file])
        self._buffer = bytearray(LARGEST_ANSWER + 1)
        self._number, self._largest_answer = b"", LARGEST_ANSWER
        self.prepared = b""
        """Its compiled code, if it had to be compiled: for the next process of the same bot, and for nobody to read."""
        self._joined, self._joined_bytes = bytearray(), 0  # an answer in parts, and how many bytes it will have
        output, errors = Captured(pipes.output.ours), Captured(pipes.errors.ours)
        super().__init__(body, limits=limits, output=output, errors=errors, name=name)
        self._policy = Policy(files, pid=body.pid, memory_bytes=memory_bytes)
        self._ready = self._load(start)

    def _load(self, start: float) -> Reply:
        """Wait until it is locked in, and then until its file has run."""
        limit_s = self._limits.loading_s
        while True:
            found = self._await(start, limit_s)
            if isinstance(found, Reply):
                return found
            letter = found.content[:1]
            if letter == messages.PREPARED and self._listener < 0:  # not locked in yet, so not from the bot's own code
                self.prepared = found.content[1:]
                continue
            if letter == messages.NOT_STARTED and self._listener < 0:
                self._end_it("crash", "it was not started", start)
                raise SandboxError(f"a bot could not be isolated: {found.content[1:].decode(errors='replace')}")
            if letter == messages.READY:
                return self._answered(found, start, b"")
            return self._judge_message(found, start)

    def _pack(self, message: bytes) -> list[bytes]:
        self._number = os.urandom(NUMBER)
        whole = self._number + message
        self._largest_answer = largest_answer(len(whole))
        if len(whole) <= LARGEST_PART:
            return [whole]
        return [FRAME.pack(len(whole)), *(whole[i : i + LARGEST_PART] for i in range(0, len(whole), LARGEST_PART))]

    def _receive(self, now: float, deadline: float) -> Message | None:
        try:
            if self._listener < 0 or now > deadline:
                return self._receive_all(now)
            length = self._channel.recv_into(self._buffer)
        except BlockingIOError:
            return None
        except OSError:
            raise EOFError from None
        if not length:
            raise EOFError
        return self._whole(bytes(self._buffer[:length]), now)

    def _whole(self, content: bytes, now: float) -> Message | None:
        """A message with all its parts; None while some are missing."""
        if self._joined_bytes:
            self._joined += content
            if len(self._joined) < self._joined_bytes:
                return None
            content, self._joined_bytes = bytes(self._joined), 0
            return Message(content, now)
        if content[:1] == messages.MORE and len(content) == 1 + FRAME.size:
            self._joined, self._joined_bytes = bytearray(), FRAME.unpack_from(content, 1)[0]
            return None if 0 < self._joined_bytes <= self._largest_answer else Message(messages.TOO_LARGE, now)
        return Message(messages.TOO_LARGE if len(content) > LARGEST_ANSWER else content, now)

    def _receive_all(self, now: float) -> Message | None:
        """With what belongs to a message: the listener, at the beginning, and when it was sent."""
        room = socket.CMSG_SPACE(_STAMP.size) + (socket.CMSG_SPACE(4) if self._listener < 0 else 0)
        content, ancillary, _, _ = self._channel.recvmsg(LARGEST_ANSWER + 1, room)
        received = descriptors_in(ancillary)
        is_listener = self._listener < 0 and len(received) == 1
        if is_listener:
            self._listener = received.pop()
            self._poll.register(self._listener, select.POLLIN)
        for descriptor in received:  # there is room for two where one is wanted
            os.close(descriptor)
        if not content:
            raise EOFError
        if is_listener:
            return None
        for _, kind, data in ancillary:
            if kind == _STAMPED:
                seconds, nanoseconds = _STAMP.unpack(data)
                now = perf_counter() - (time.time_ns() - seconds * 10**9 - nanoseconds) * 1e-9
        return self._whole(content, now)

    def _judge_message(self, message: Message, start: float) -> Reply:
        letter, rest = message.content[:1], message.content[1:]
        if letter == messages.ANSWER and rest.startswith(self._number):
            return self._answered(message, start, rest[NUMBER:])
        if letter == messages.FAILED and (failure := messages.unpack_failure(message.content)) is not None:
            self.evidence.traceback = failure.traceback
            kind: Kind = "memory" if failure.is_memory else "exception"
            return self._end_it(kind, failure.reason, start, line=failure.line)
        if letter == messages.TOO_LARGE:
            return self._end_it("protocol", f"its answer has more than {self._largest_answer} bytes", start)
        return self._end_it("protocol", "its answer was not made by the code that asks it", start)

    def _let_go(self) -> None:
        super()._let_go()
        self._channel.close()

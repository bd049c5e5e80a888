"""A process that is spoken to over its standard input and output: a message in, one line back."""

from __future__ import annotations

import contextlib
import fcntl
import os

from ludus.sandbox.body import Body
from ludus.sandbox.captured import Captured
from ludus.sandbox.pipes import Pipes
from ludus.sandbox.process import Limits, Reply
from ludus.sandbox.watching import Message, Watched

LONGEST_LINE = 1 << 16  # bytes
_PIPE, _LARGEST_PIPE = 1 << 16, 1 << 20
_SET_PIPE_SIZE = 1031
# Beyond this the referee was late itself, and cannot know whether an answer that is there came in time: so it did.
_LATE_S, _MOMENT_S = 0.001, 1e-6


class LineProcess(Watched):
    """Answers with the first line that it writes after it was asked."""

    def __init__(self, body: Body, pipes: Pipes, *, limits: Limits, threads: bool = False) -> None:
        self._outbox, self._inbox = pipes.questions.ours, pipes.output.ours
        os.set_blocking(self._outbox, False)
        self._pending = b""
        output, errors = Captured(pipes.output.ours), Captured(pipes.errors.ours)
        super().__init__(body, limits=limits, output=output, errors=errors, threads=threads)

    def _pack(self, message: bytes) -> list[bytes]:
        if len(message) > _PIPE:
            with contextlib.suppress(OSError):  # where one user's pipes are too many already
                fcntl.fcntl(self._outbox, _SET_PIPE_SIZE, _LARGEST_PIPE)
        return [message]

    def ask(self, message: bytes, *, limit_s: float) -> Reply:
        if self._pending and self.is_alive:
            return self._end_it("protocol", "it wrote something when it was not its turn")
        return super().ask(message, limit_s=limit_s)

    def _receive(self, now: float, deadline: float) -> Message | None:
        data = os.read(self._inbox, LONGEST_LINE + 1)
        if not data:
            raise EOFError
        self._output.keep(data)
        self._pending += data
        line, end, rest = self._pending.partition(b"\n")
        if not end and len(line) <= LONGEST_LINE:
            return None
        self._pending = rest
        return Message(line, deadline - _MOMENT_S if now > deadline + _LATE_S else now)

    def _judge_message(self, message: Message, start: float) -> Reply:
        if len(message.content) > LONGEST_LINE:
            return self._end_it("protocol", f"it wrote a line of more than {LONGEST_LINE} bytes", start)
        return self._answered(message, start, message.content.removesuffix(b"\r"))

    def _let_go(self) -> None:
        super()._let_go()
        if self._outbox >= 0:
            os.close(self._outbox)
            self._outbox = -1

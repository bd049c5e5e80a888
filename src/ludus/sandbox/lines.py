"""A process that is spoken to over its standard input and output: a message in, one line back."""

from __future__ import annotations

import contextlib
import fcntl
import os

from ludus.sandbox.captured import Captured
from ludus.sandbox.process import Limits, Reply
from ludus.sandbox.watching import Body, Message, Watched

LONGEST_LINE = 1 << 16  # bytes
_PIPE, _LARGEST_PIPE = 1 << 16, 1 << 20
_SET_PIPE_SIZE = 1031


class LineProcess(Watched):
    """Answers with the first line that it writes after it was asked."""

    def __init__(
        self, body: Body, *, questions: int, output: int, errors: int, limits: Limits, threads: bool = False
    ) -> None:
        os.set_blocking(questions, False)
        self._questions, self._inbox = questions, output
        self._pending = b""
        super().__init__(body, limits=limits, output=Captured(output), errors=Captured(errors), threads=threads)

    def _deliver(self, message: bytes) -> None:
        if len(message) > _PIPE:
            if len(message) > _LARGEST_PIPE:
                raise ValueError(f"a question has at most {_LARGEST_PIPE} bytes, and this has {len(message)}")
            with contextlib.suppress(OSError):  # where one user's pipes are too many already
                fcntl.fcntl(self._questions, _SET_PIPE_SIZE, _LARGEST_PIPE)
        if os.write(self._questions, message) < len(message):
            raise BlockingIOError

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
        return Message(line, now)

    def _judge_message(self, message: Message, start: float) -> Reply:
        if len(message.content) > LONGEST_LINE:
            return self._end_it("protocol", f"it wrote a line of more than {LONGEST_LINE} bytes", start)
        return self._answered(message, start, message.content.removesuffix(b"\r"))

    def _let_go(self) -> None:
        super()._let_go()
        if self._questions >= 0:
            os.close(self._questions)
            self._questions = -1

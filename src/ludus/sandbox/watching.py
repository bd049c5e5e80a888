"""The referee's side of a bot's process: one loop that waits for an answer and for everything else that can happen.

What is decided here is decided on what the kernel says. What the bot's process says about itself only adds a line
number, or incriminates it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import select
import signal
from collections import deque
from time import perf_counter, sleep
from typing import NamedTuple

from ludus.errors import SandboxError
from ludus.sandbox import messages, notify
from ludus.sandbox.body import Body, Exit
from ludus.sandbox.captured import Captured
from ludus.sandbox.meter import Meter
from ludus.sandbox.policy import Policy
from ludus.sandbox.process import Evidence, Kind, Level, Limits, Reply, Used, signal_name, spent_between
from ludus.sandbox.stacks import place_in, without_stack

_ENDING_S = 5.0  # a killed process that is not gone by then is a fault of the machine
_CLOSING_S = 0.2  # a process that ends closes its descriptors first
_SAYING_WHERE_S, _LOOKING_S = 0.005, 0.0002
_SAYING_WHERE_LATER_S = 0.1  # once its call is refused; nobody's clock runs any more
_MOST_CALLS = 50
# A process that is told to stop does so when it leaves the kernel, and its core is counted up a little later. To give
# memory back takes it longest.
_UNSUSPICIOUS_S, _STOPPING_S = 0.005, 2.0
_LONGEST_LEAVING_S, _LONGEST_LEAVING_PER_MB_S = 0.05, 0.0002
_STOPPED = {b"T", b"t", b"Z", b"X"}
_NEAR = 0.9  # of the memory limit
_NO_MEMORY = re.compile(r"bad_alloc|OutOfMemoryError|(out of|insufficient|allocate) memory|MemoryError", re.IGNORECASE)


class Message(NamedTuple):
    """What a bot sent, and when the kernel had it."""

    content: bytes
    arrived: float


class Watched:
    """A process that is asked, watched and ended; what it speaks is its subclass's matter."""

    level: Level

    def __init__(
        self, body: Body, *, limits: Limits, output: Captured, errors: Captured, name: str = "", threads: bool = False
    ) -> None:
        self.evidence = Evidence()
        self._body, self._limits, self._name = body, limits, name
        self._errors, self._output = errors, output
        self._streams = {stream.descriptor: stream for stream in (output, errors) if stream.descriptor != self._inbox}
        self._meter = Meter(body.pid, threads=threads)
        self._turn_began = Used()
        self._listener = -1
        self._policy: Policy | None = None
        self._end: Reply | None = None
        self._is_closed = False
        self._unsent: deque[bytes] = deque()
        self._waits_for_room = False
        self._awaited = "answer"  # what it did not do when it is late
        self._ready = Reply("crash", reason="it was not started")
        self._poll = select.poll()
        for descriptor in (body.descriptor, self._inbox, *self._streams):
            self._poll.register(descriptor, select.POLLIN)

    # What a subclass says about how it is spoken to.

    _inbox: int
    """The descriptor on which it answers."""

    _outbox: int
    """The descriptor on which it is asked, which never blocks."""

    def _pack(self, message: bytes) -> list[bytes]:
        """The message, in the parts in which it is sent."""
        raise NotImplementedError

    def _receive(self, now: float, deadline: float) -> Message | None:
        """The next message, None while it is incomplete; EOFError where nothing will come any more."""
        raise NotImplementedError

    def _judge_message(self, message: Message, start: float) -> Reply:
        """What the message means as the answer to a question."""
        raise NotImplementedError

    # What the referee does with it.

    @property
    def is_alive(self) -> bool:
        return self._end is None and not self._is_closed

    @property
    def ready(self) -> Reply:
        return self._ready

    def ask(self, message: bytes, *, limit_s: float) -> Reply:
        if self._end is not None or self._is_closed:
            return self._end or Reply("crash", reason="its process has been ended")
        early = self._happened_before_its_turn()
        if early is not None:
            return early
        for stream in self._streams.values():
            stream.in_turn = 0
        self._unsent.extend(self._pack(message))
        try:
            self._send()
        except OSError:  # it has ended, or no longer listens
            return self._closed_or_died(perf_counter())
        start = perf_counter()
        self._body.send_signal(signal.SIGCONT)  # the message is there already: its time begins when it can run
        found = self._await(start, limit_s)
        return found if isinstance(found, Reply) else self._judge_message(found, start)

    def kill(self) -> None:
        if self._end is None:
            with contextlib.suppress(OSError):  # it ended just now, and its descriptor is closed
                self._body.send_signal(signal.SIGKILL)

    def close(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            if self._end is None:
                with contextlib.suppress(SandboxError):  # what started it is gone, and takes it along
                    self._end_it("crash", "its process has been ended")

    def _freeze(self) -> None:
        self._body.send_signal(signal.SIGSTOP)

    def _answered(self, message: Message, start: float, answer: bytes) -> Reply:
        """Its turn is over, and it is frozen until the next."""
        self._freeze()
        before, after = self._turn_began, self._meter.read()
        self._turn_began = after
        return Reply("answer", answer, spent=spent_between(before, after, wall_s=message.arrived - start))

    def _send(self) -> None:
        """Send what has not been sent yet; what finds no room is sent in its turn, as it reads."""
        unsent = self._unsent
        try:
            while unsent:
                sent = os.write(self._outbox, unsent[0])
                if sent == len(unsent[0]):
                    unsent.popleft()
                else:
                    unsent[0] = unsent[0][sent:]
        except BlockingIOError:
            pass
        if self._waits_for_room != bool(unsent):
            self._waits_for_room = bool(unsent)
            also = select.POLLIN if self._outbox == self._inbox else 0
            if unsent or also:
                self._poll.register(self._outbox, (select.POLLOUT if unsent else 0) | also)
            else:
                self._poll.unregister(self._outbox)

    def _happened_before_its_turn(self) -> Reply | None:
        for descriptor, mask in self._poll.poll(0):
            if descriptor == self._inbox and mask != select.POLLOUT:
                try:
                    self._receive(0.0, 1.0)
                except EOFError:
                    return self._closed_or_died(perf_counter())
                return self._end_it("protocol", "it wrote something when it was not its turn")
            if descriptor == self._body.descriptor:
                return self._died(perf_counter())
        if self._policy is not None and (cpu_s := self._meter.cpu_after_last_s()) > _UNSUSPICIOUS_S:
            return self._ran_on(cpu_s)
        return None

    def _ran_on(self, cpu_s: float) -> Reply | None:
        """The end of a process that ran after it was told to stop; None where it only took long to do so."""
        until = perf_counter() + _STOPPING_S
        while not (is_stopped := self._meter.states() <= _STOPPED) and perf_counter() < until:
            sleep(0.001)
        if is_stopped and cpu_s < _LONGEST_LEAVING_S + _LONGEST_LEAVING_PER_MB_S * self._limits.memory_mb:
            return None
        return self._end_it("forbidden", f"it used {cpu_s * 1000:.0f} ms of CPU in its opponent's turn")

    def _await(self, start: float, limit_s: float) -> Message | Reply:
        """The bot's next message, or how its process ended instead."""
        deadline = start + limit_s
        while True:
            found = self._step(deadline, start, deadline)
            if found is not None:
                return found

    def _step(self, until: float, start: float, deadline: float) -> Message | Reply | None:
        """Wait for the next thing that happens and deal with it; None if it is neither a message nor the end."""
        happened = dict(self._poll.poll(max(0.0, until - perf_counter()) * 1000))
        now = perf_counter()
        if happened.get(self._listener, 0) & select.POLLIN:  # and not its end, on which older kernels wait for ever
            ended = self._judge_call(start)
            if ended is not None:
                return ended
        if (len(happened) > 1 or self._inbox not in happened) and self._drain(happened):
            return self._end_it("output", f"it wrote more than {self._limits.output_bytes} bytes in one turn", start)
        if self._unsent:
            try:
                self._send()
            except OSError:
                return self._closed_or_died(start)
        if self._inbox in happened:
            try:
                message = self._receive(now, deadline)
            except EOFError:
                return self._closed_or_died(start)
            if message is not None and message.arrived <= deadline:
                return message
        elif self._body.descriptor in happened:
            return self._died(start)
        return self._overran(start, deadline) if now >= deadline else None

    def _drain(self, happened: dict[int, int]) -> bool:
        """Take what was written on standard output and error; whether it is too much."""
        for descriptor, stream in self._streams.items():
            if descriptor in happened and not stream.drain():
                self._poll.unregister(descriptor)
        return sum(stream.in_turn for stream in self._streams.values()) > self._limits.output_bytes

    def _judge_call(self, start: float) -> Reply | None:
        """Decide about a system call that waits; the end of the process if it is forbidden."""
        assert self._policy is not None
        call = notify.receive(self._listener)
        if call is None:
            return None
        decision = self._policy.decide(call)
        if decision.shown and (len(self.evidence.calls) < _MOST_CALLS or decision.forbidden):
            self.evidence.calls.append(decision.shown)
        if decision.forbidden:
            return self._end_it("forbidden", f"it {decision.forbidden}", start, line=self._where(call))
        if decision.code:
            notify.refuse(self._listener, call, decision.code)
        else:
            notify.let_through(self._listener, call)
        return None

    # How it can end.

    def _overran(self, start: float, deadline: float) -> Reply:
        what = "read what it was asked" if self._unsent else self._awaited
        reason = f"it did not {what} within {deadline - start:.3g} s"
        return self._end_it("timeout", reason, start, line=self._where(), deadline=deadline)

    def _closed_or_died(self, start: float) -> Reply:
        self._poll.unregister(self._inbox)
        ends = select.poll()
        ends.register(self._body.descriptor, select.POLLIN)
        if ends.poll(_CLOSING_S * 1000):
            return self._died(start)
        return self._end_it("protocol", "it closed the way on which it is asked and answers", start)

    def _died(self, start: float) -> Reply:
        """It ended by itself, or through what it did."""
        found = self._wait()
        for stream in self._streams.values():
            stream.drain_all()
        if os.WIFSIGNALED(found.status):
            number = os.WTERMSIG(found.status)
            how = f"its process was ended by {signal_name(number)}"
            kind: Kind = "forbidden" if number == signal.SIGSYS else "crash"
        else:
            how, kind = f"its process exited with status {os.WEXITSTATUS(found.status)}", "crash"
        # What an unconfined program held at most is not known: the system counts what its parent held at the fork.
        if kind == "crash" and found.status != 0 and self.level != "trusted" and self._had_no_memory(found):
            how, kind = f"it used up its {self._limits.memory_mb} MB of memory: {how}", "memory"
        return self._end_it(kind, how, start, line=self._line_in(self._errors.tail), exit_=found)

    def _had_no_memory(self, found: Exit) -> bool:
        wanted_too_much = self._policy is not None and self._policy.wanted_too_much
        used_all = found.peak_kb >= _NEAR * 1024 * self._limits.memory_mb
        return wanted_too_much or used_all or bool(_NO_MEMORY.search(self._errors.tail))

    def _end_it(
        self,
        kind: Kind,
        reason: str,
        start: float | None = None,
        *,
        line: int | None = None,
        deadline: float | None = None,
        exit_: Exit | None = None,
    ) -> Reply:
        """Kill it, see it gone, keep what is needed for an appeal, and let go of everything."""
        used, gone_s = self._meter.read(), None
        wall_s = 0.0 if start is None else perf_counter() - start
        was_running = exit_ is None
        if exit_ is None:
            self._body.send_signal(signal.SIGKILL)
            if deadline is not None:
                gone_s = self._stopped() - deadline
                self._body.take_memory()
            exit_ = self._wait()
        self._let_go()
        if not was_running:
            used = Used(max(used.cpu_s, exit_.cpu_s), used.waited_s)
        spent = spent_between(self._turn_began, used, wall_s=wall_s)
        self.evidence.peak_memory_mb = exit_.peak_kb / 1024
        self.evidence.exit_status = "ended by the referee" if was_running else _status_text(exit_.status)
        self._end = Reply(kind, reason=reason, line=line, spent=spent, gone_s=gone_s)
        return self._end

    def _stopped(self) -> float:
        """When nothing of it could run any more; to free much memory takes the kernel longer."""
        until = perf_counter() + _ENDING_S
        while self._meter.can_run() and perf_counter() < until:
            sleep(_LOOKING_S)
        return perf_counter()

    def _wait(self) -> Exit:
        """How it ended, which it has, or will at once. Lets go of everything if that cannot be learned."""
        try:
            found = self._body.wait(within_s=_ENDING_S)
            if found is None:
                raise SandboxError(f"process {self._body.pid} was ended and is not gone")
        except SandboxError:
            self._end = Reply("crash", reason="what started its process has ended")
            self._let_go()
            raise
        return found

    def _let_go(self) -> None:
        for stream in self._streams.values():
            stream.drain_all()
        self.evidence.stdout, self.evidence.stderr = self._output.text, self._errors.text
        if self._name:
            self.evidence.stderr = without_stack(self.evidence.stderr)
        for stream in (self._output, self._errors):
            stream.close()
        self._meter.close()
        if self._listener >= 0:
            os.close(self._listener)
            self._listener = -1
        with contextlib.suppress(OSError):
            os.close(self._body.descriptor)

    def _where(self, call: notify.Call | None = None) -> int | None:
        """The line of its file at which the bot is, if its process can still say so.

        In the midst of starting a program it hears no signal; it does once its call has failed.
        """
        if not self._name:
            return None
        self._body.send_signal(messages.WHERE_SIGNAL)
        line = self._said_where()
        if line is None and call is not None:
            notify.refuse(self._listener, call, errno.EPERM)
            line = self._said_where(refuses=True)
        return line

    def _said_where(self, *, refuses: bool = False) -> int | None:
        """What it says within a moment, in which all its calls fail if they are refused."""
        errors = self._errors.descriptor
        said = select.poll()
        for descriptor in (errors, self._listener) if refuses else (errors,):
            said.register(descriptor, select.POLLIN)
        until = perf_counter() + (_SAYING_WHERE_LATER_S if refuses else _SAYING_WHERE_S)
        while (left := until - perf_counter()) > 0:
            happened = dict(said.poll(left * 1000))
            if errors in happened and (not self._errors.drain() or self._line_in(self._errors.tail) is not None):
                break
            asks = happened.get(self._listener, 0) & select.POLLIN
            if asks and (call := notify.receive(self._listener)) is not None:
                notify.refuse(self._listener, call, errno.EPERM)
        return self._line_in(self._errors.tail)

    def _line_in(self, text: str) -> int | None:
        """The bot's innermost line by the last stack of this text, which is kept."""
        place = place_in(text, self._name)
        if place is None:
            return None
        self.evidence.traceback = place.stack
        return place.line


def _status_text(status: int) -> str:
    return signal_name(os.WTERMSIG(status)) if os.WIFSIGNALED(status) else f"exit status {os.WEXITSTATUS(status)}"

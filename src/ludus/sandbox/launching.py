"""How a forked process becomes a bot: it takes on every limit, locks itself in for good, and only then meets the bot.

The order matters: what needs a privilege or an open file comes first, the filter for system calls last.
"""

from __future__ import annotations

import array
import contextlib
import faulthandler
import gc
import io
import os
import signal
import socket
import sys
from collections.abc import Callable
from typing import NamedTuple, NoReturn

from ludus.sandbox import landlock, limits, messages, paths
from ludus.sandbox.identity import Identity, adopt
from ludus.sandbox.kernel import die_with
from ludus.sandbox.preparing import Prepared, prepared, seed_dice
from ludus.sandbox.seccomp import CHANNEL, Filter
from ludus.sandbox.serving import OUT_OF_MEMORY, find_entry, serve

# Made before any bot is forked: of memory that is there already, a bot takes only the pages that it writes.
_buffer = bytearray(messages.LARGEST_PART)


class Ground(NamedTuple):
    """What the fork server has prepared once for all bots."""

    parent: int
    python_identity: Identity
    program_identity: Identity
    python_filter: Filter
    program_filters: dict[bool, Filter]  # by whether threads are allowed
    ruleset: int | None  # Landlock's, for Python bots; None where the kernel has none
    memory_bytes: int  # in use before any bot


def become_python_bot(ground: Ground, descriptors: list[int]) -> NoReturn:
    """Turn this process into the bot that the job describes. Ends the process."""
    channel, output, errors, job = descriptors
    settings, source, earlier = messages.unpack_job(os.pread(job, os.fstat(job).st_size, 0))
    _begin(settings["cores"])
    adopt(ground.python_identity)
    die_with(ground.parent)  # said after the user changed, for the kernel forgets it then
    _place(output, errors, channel)
    if ground.ruleset is not None:
        landlock.enter(ground.ruleset)
    os.closerange(CHANNEL + 1, 1 << 16)
    limits.limit_python(ground.memory_bytes + (settings["memory_mb"] << 20))
    name: str = settings["name"]
    code = prepared(source, name, earlier=earlier)
    if not earlier and isinstance(code, Prepared):
        _hand_on(code)
    make_handler = find_entry(settings["entry"])
    seed_dice(settings["seed"])
    if not settings["audit"]:
        faulthandler.disable()
        faulthandler.unregister(messages.WHERE_SIGNAL)
    gc.enable()
    _lock_in(ground.python_filter)
    try:
        serve(
            code,
            source,
            name=name,
            make_handler=make_handler,
            receive=_receiver(),
            send=_send,
        )
    except MemoryError:  # it could not even say so, but has let go of everything by now
        os.write(CHANNEL, OUT_OF_MEMORY)
    except BaseException:  # noqa: S110  # it has closed the channel
        pass
    _wait_for_the_end()


def _hand_on(code: Prepared) -> None:
    """Give the referee, who does not look at it, what the next process of this bot need not do again."""
    content = messages.PREPARED + code.to_bytes()
    if len(content) <= messages.LARGEST_ANSWER:
        os.write(CHANNEL, content)


def _receiver() -> Callable[[], bytes]:
    """What reads the next question."""
    view, into, read, frame = memoryview(_buffer), [_buffer], os.readv, messages.FRAME

    def receive() -> bytes:
        length = read(CHANNEL, into)
        if length != frame.size:
            return bytes(view[:length])
        whole, left = [], frame.unpack_from(view)[0]
        while left > 0 and (length := read(CHANNEL, into)):
            whole.append(bytes(view[:length]))
            left -= length
        return b"".join(whole)

    return receive


def _send(message: bytes) -> None:
    most = messages.LARGEST_ANSWER
    if len(message) > most:
        os.write(CHANNEL, messages.MORE + messages.FRAME.pack(len(message)))
    for start in range(0, len(message), most):
        os.write(CHANNEL, message[start : start + most])


def become_program(ground: Ground, descriptors: list[int]) -> NoReturn:
    """Turn this process into somebody's program. Ends the process, or is replaced by the program."""
    channel, output, errors, job, questions = descriptors
    settings, _, _ = messages.unpack_job(os.pread(job, os.fstat(job).st_size, 0))
    threads: bool = settings["threads"]
    _begin(settings["cores"])
    is_locked = ground.ruleset is not None
    adopt(ground.program_identity)
    die_with(ground.parent)
    os.dup2(questions, 0)
    _place(output, errors, channel)
    os.chdir(settings["folder"])
    if is_locked:
        access = landlock.Access((*settings["readable"], *paths.DEVICES), tuple(settings["runnable"]), (paths.SINK,))
        landlock.enter(landlock.make_ruleset(access))
    os.closerange(CHANNEL + 1, 1 << 16)
    limits.limit_program(settings["memory_mb"] << 20, threads=threads)
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # which Python ignores, and programs would inherit
        signal.signal(number, signal.SIG_DFL)
    argv, environment = settings["argv"], settings["environment"]
    _lock_in(ground.program_filters[threads])
    os.execve(argv[0], argv, environment)  # noqa: S606  # what this process is for


def _wait_for_the_end() -> NoReturn:
    """The referee ends this process, so that nothing that the bot left behind is run at its exit."""
    while True:
        with contextlib.suppress(BaseException):  # handlers of signals that the bot has set
            signal.pause()


def refuse_to_start(error: BaseException, channel: int) -> NoReturn:
    """The sandbox could not be made: tell the referee, who must not blame the bot."""
    text = f"{type(error).__name__}: {error}"
    with contextlib.suppress(OSError):
        os.write(channel, messages.NOT_STARTED + text.encode())
    os._exit(1)


def _begin(cores: list[int]) -> None:
    os.setsid()
    if cores:
        os.sched_setaffinity(0, cores)


def _place(output: int, errors: int, channel: int) -> None:
    os.dup2(output, 1)
    os.dup2(errors, 2)
    os.dup2(channel, CHANNEL, inheritable=False)


def print_by_lines() -> None:
    """Make the streams of all bots: what is printed is kept for an appeal even if the bot is killed.

    Made on a pipe, as theirs will be, and before any bot is forked, for it takes time.
    """
    ends = os.pipe()
    for descriptor in (1, 2):
        os.dup2(ends[1], descriptor)
    sys.stdout = sys.__stdout__ = _by_lines(1)  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = _by_lines(2)  # type: ignore[misc]
    for descriptor in (1, 2):
        os.dup2(0, descriptor)
    for descriptor in ends:
        os.close(descriptor)


def _by_lines(descriptor: int) -> io.TextIOWrapper:
    raw = io.FileIO(descriptor, "w", closefd=False)
    return io.TextIOWrapper(io.BufferedWriter(raw), "utf-8", "backslashreplace", line_buffering=True)


def _lock_in(filter_: Filter) -> None:
    """From here on, the referee is asked about everything that the filter does not allow."""
    channel = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, fileno=CHANNEL)
    listener = filter_.install()
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [listener]))]
    channel.sendmsg([messages.LISTENER], rights)
    os.close(listener)
    channel.detach()

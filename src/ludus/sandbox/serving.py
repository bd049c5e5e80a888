"""The loop that runs a Python bot inside its process: load the file, answer questions, say how it failed.

Nothing here is trusted by the referee: the bot can change all of it, and harms only itself.
"""

from __future__ import annotations

import contextlib
import importlib
import linecache
import sys
import traceback
from collections.abc import Callable
from types import ModuleType, TracebackType
from typing import TypeVar

from ludus.errors import LudusError
from ludus.sandbox import messages
from ludus.sandbox.messages import Failure
from ludus.sandbox.preparing import Prepared

T = TypeVar("T")

Handler = Callable[[bytes], bytes]
MODULE = "bot"
_MOST_FRAMES = 40
_RESERVE = 1 << 20  # bytes that are not used before a failure
OUT_OF_MEMORY = messages.pack_failure(Failure("MemoryError: it has no memory left", is_memory=True))


def find_entry(entry: str) -> Callable[[ModuleType], Handler]:
    """The function `module:name` that makes a handler of questions from the bot's module."""
    module, _, name = entry.partition(":")
    found: Callable[[ModuleType], Handler] = getattr(sys.modules.get(module) or importlib.import_module(module), name)
    return found


def serve(
    prepared: Prepared | BaseException,
    source: str,
    *,
    name: str,
    make_handler: Callable[[ModuleType], Handler],
    receive: Callable[[], bytes],
    send: Callable[[bytes], object],
) -> None:
    """Run the bot's file, then answer until nothing is asked any more, or until it fails."""
    try:
        handler = make_handler(_run(prepared, source, name))
    except BaseException as error:  # a bot raises what it likes
        _report(error, name, send)
        return
    flush = _flush
    flush()
    reserve = [bytes(_RESERVE)]  # addresses only: nothing is written there
    number = messages.NUMBER
    send(messages.READY)
    while message := receive():
        try:
            answer = messages.ANSWER + message[:number] + handler(message[number:])
        except BaseException as error:
            reserve.clear()  # for what is still to be said
            _report(error, name, send)
            return
        flush()
        if len(answer) > messages.LARGEST_ANSWER and len(answer) > messages.largest_answer(len(message)):
            answer = messages.TOO_LARGE + str(len(answer)).encode()
        send(answer)


def _run(prepared: Prepared | BaseException, source: str, name: str) -> ModuleType:
    """The bot's module. The name of its file is shown in tracebacks, with the lines of its source."""
    linecache.cache[name] = (lambda: source,)
    if isinstance(prepared, BaseException):
        raise prepared
    module = ModuleType(MODULE)
    module.__file__ = name
    sys.modules[MODULE] = module
    exec(prepared.code, module.__dict__)  # noqa: S102  # this process exists for nothing else
    return module


def _flush() -> None:
    """Hand over what was printed, before the answer."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):  # closed, or replaced by the bot
            stream.flush()


def _report(error: BaseException, name: str, send: Callable[[bytes], object]) -> None:
    try:
        if issubclass(type(error), MemoryError):
            traceback.clear_frames(_traceback_of(error))  # what fills the memory is there
        message = messages.pack_failure(describe(error, name))
    except MemoryError:
        message = OUT_OF_MEMORY
    _flush()
    send(message)


def describe(error: BaseException, name: str) -> Failure:
    """The exception in one line, the line of the bot's file that it came from, and the traceback within that file.

    The exception is of the bot's making: whatever it says of itself may raise.
    """
    kind: type[BaseException] = type(error)
    found, line, first = _traceback_of(error), None, None
    while found is not None:
        if found.tb_frame.f_code.co_filename == name:
            first, line = first or found, found.tb_lineno
        found = found.tb_next
    if issubclass(kind, SyntaxError) and _told(lambda: error.filename == name):  # type: ignore[attr-defined]
        line = _told(lambda: int(error.lineno))  # type: ignore[attr-defined]
    text = _told(lambda: str(error.msg if issubclass(kind, SyntaxError) else error))  # type: ignore[attr-defined]
    text = "?" if text is None else text[: messages.LONGEST_REASON]
    is_ours = line is None and bool(text)  # raised beside the bot's code, as a sentence about it
    kind_name = _name_of(kind)
    reason = text if is_ours or issubclass(kind, LudusError) else f"{kind_name}: {text}" if text else kind_name
    frames = "".join(traceback.format_tb(first, limit=-_MOST_FRAMES)) if first else ""
    is_memory = issubclass(kind, MemoryError)
    return Failure(reason, line, f"{frames}{reason}"[-messages.LONGEST_TRACEBACK :], is_memory=is_memory)


# Past whatever the bot's own classes put in their place.
_name_of: Callable[[type], str] = type.__dict__["__name__"].__get__
_traceback_of: Callable[[BaseException], TracebackType | None] = BaseException.__dict__["__traceback__"].__get__


def _told(ask: Callable[[], T]) -> T | None:
    try:
        return ask()
    except MemoryError:
        raise
    except BaseException:
        return None

"""What a Python bot's process and the referee say to each other: one letter, and what belongs to it."""

from __future__ import annotations

import json
import marshal
import struct
from typing import Any, NamedTuple

READY = b"R"  # it is loaded and can be asked
ANSWER = b"A"  # and the answer
FAILED = b"E"  # and a Failure: the bot raised
MORE = b"M"  # and the frame of an answer that comes in parts
TOO_LARGE = b"P"  # and how many bytes the answer has
LISTENER = b"L"  # comes with a descriptor: where the kernel asks about system calls
PREPARED = b"K"  # and the bot's code, before it has run: for the next process of the same bot
NOT_STARTED = b"F"  # and why: the sandbox itself is at fault
CAUGHT = b"H"  # and a Failure: an act that was prevented inside the process, at the level that has nothing better
PRINTED = b"O"  # and what the bot printed, at that level

WHERE_SIGNAL = (
    64  # the last of the real-time signals: makes a Python bot's process write on its error stream where it is
)

NUMBER = 8  # bytes before a question's content, which come back before the answer's: it answers this question

FRAME = struct.Struct("<I")  # the length, before messages that are not told apart by themselves
# Bytes. A larger question comes in parts, after a message that is the frame of all of them: no other is so short.
LARGEST_PART, LARGEST_ANSWER = 1 << 17, 1 << 16
LONGEST_REASON, LONGEST_TRACEBACK = 500, 16_000  # characters


def largest_answer(question_bytes: int) -> int:
    """In bytes: an answer repeats what was handed over, for comparison."""
    return max(LARGEST_ANSWER, 2 * question_bytes)


class Failure(NamedTuple):
    """An exception, as the bot's own process describes it."""

    reason: str
    line: int | None = None
    traceback: str = ""
    is_memory: bool = False


def pack_failure(failure: Failure, *, letter: bytes = FAILED) -> bytes:
    return letter + json.dumps(failure).encode()


def unpack_failure(message: bytes) -> Failure | None:
    """None where it is not one: a bot can send what it likes."""
    try:
        reason, line, traceback, is_memory = json.loads(message[1:])
        reason, traceback = _writable(reason, LONGEST_REASON), _writable(traceback, LONGEST_TRACEBACK)
    except (ValueError, TypeError, RecursionError):
        return None
    is_line = isinstance(line, int) and not isinstance(line, bool) and 0 < line < 1 << 31
    return Failure(reason, line if is_line else None, traceback, is_memory is True)


def _writable(found: object, longest: int) -> str:
    """As text that can be written to any file."""
    return str(found)[:longest].encode("utf-8", "replace").decode()


class PythonJob(NamedTuple):
    """What a Python bot's process is told before it becomes the bot."""

    name: str
    entry: str
    seed: int
    memory_mb: int
    audit: bool
    cores: list[int]


def pack_job(job: PythonJob | dict[str, Any], source: str = "", *, prepared: bytes = b"") -> bytes:
    settings = job if isinstance(job, dict) else job._asdict()
    return marshal.dumps((settings, source, prepared))


def unpack_job(content: bytes) -> tuple[dict[str, Any], str, bytes]:
    """The settings, the bot's source, and what an earlier process made of it."""
    found: tuple[dict[str, Any], str, bytes] = marshal.loads(content)  # noqa: S302  # written by the referee
    return found

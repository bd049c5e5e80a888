"""Traces and records of a game as files, which a person asked for."""

from __future__ import annotations

from pathlib import Path

from ludus.errors import LudusError
from ludus.sittings.sitting import Sitting


class Files:
    """Where the trace and the record of a game go when it is over or left; None where nobody asked."""

    def __init__(self, *, trace: str | None = None, record: str | None = None) -> None:
        self.trace, self.record = trace, record
        for name in (trace, record):
            if name is not None:
                require_writable(name)

    def write(self, sitting: Sitting) -> list[str]:
        """Write what was asked for; the names of the files."""
        if self.trace is not None:
            write_file(self.trace, sitting.trace())
        if self.record is not None:
            write_file(self.record, sitting.record().to_json() + "\n")
        return [name for name in (self.trace, self.record) if name is not None]


def require_writable(name: str) -> None:
    """Say before a game that a file cannot be written, not after it."""
    path = Path(name)
    try:
        reason = "it is a folder" if path.is_dir() else "" if path.parent.is_dir() else "there is no such folder"
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
    if reason:
        raise LudusError(f"{name[:200]}: the file cannot be written: {reason}")


def write_file(name: str, text: str) -> None:
    try:
        Path(name).write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise LudusError(f"{name[:200]}: the file cannot be written: {reason}") from None


def free_name(stem: str, suffix: str) -> str:
    """A name that no file here has yet: slant-trace.txt, slant-trace-2.txt and so on."""
    numbered = (f"{stem}{'' if number == 1 else f'-{number}'}{suffix}" for number in range(1, 10_000))
    return next(name for name in numbered if not Path(name).exists())

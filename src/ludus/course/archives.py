"""The files of a folder or a zip archive that somebody handed in: listed with care, read when asked, never unpacked.

No name from an archive is ever used as a path. What looks like a trick is left out and told in one sentence.
"""

from __future__ import annotations

import os
import re
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from lzma import LZMAError
from pathlib import Path
from typing import BinaryIO, NamedTuple

from ludus.errors import LudusError
from ludus.view.canvas import printable

MOST_ENTRIES = 20_000  # of a folder, or of an archive
LONGEST_LIST = 8_000_000  # bytes of an archive's list of contents
DEEPEST = 12  # folders in folders
LARGEST_RATIO, RATIO_MATTERS = 200, 1_000_000  # what a member may grow by, where it is so many bytes or more
NO_OFFSET = 0xFFFFFFFF  # in the old list of contents: the number stands in a longer one
IGNORED = frozenset(["__macosx", "__pycache__", "thumbs.db", "desktop.ini"])
DRIVE = re.compile(r"[A-Za-z]:")
NUMBER = re.compile(r"\d+")
LINKED = "it is a symbolic link, which is not followed"


class Piece(NamedTuple):
    """A plain file of what was handed in. `read` gives its content, or an UnreadableError beyond so many bytes."""

    parts: tuple[str, ...]  # folders and name, for showing only
    size: int  # as it is told; reading finds out
    when: datetime | None
    is_executable: bool
    read: Callable[[int], bytes]

    @property
    def name(self) -> str:
        return self.parts[-1]

    @property
    def where(self) -> str:
        return shown("/".join(self.parts))


class Problem(NamedTuple):
    """Something that was left out, and why, in one sentence."""

    where: str
    why: str

    def __str__(self) -> str:
        return f"{self.where}: {self.why}"


class UnreadableError(LudusError):
    """A piece that cannot be read, or is larger than asked for."""


Listing = tuple[list[Piece], list[Problem]]


def in_short(problems: Iterable[Problem]) -> list[Problem]:
    """One sentence for all problems that are alike but for their numbers: the first of them, and how many follow."""
    alike: dict[str, list[Problem]] = {}
    for problem in problems:
        alike.setdefault(NUMBER.sub("", problem.why), []).append(problem)
    return [
        first._replace(why=f"{first.why} (and {len(more)} more like it)") if more else first
        for first, *more in alike.values()
    ]


def shown(name: str) -> str:
    """A stranger's name, so that it can be printed anywhere: short, on one line, no half characters."""
    whole = name.encode("utf-8", "backslashreplace").decode()
    text = printable(whole)
    return text if len(text) <= 120 else text[:117] + "..."


def list_folder(root: Path) -> Listing:
    """All files below a folder, in order of their names; links are not followed."""
    pieces: list[Piece] = []
    problems: list[Problem] = []
    for found in _walk(root, ()):
        if isinstance(found, Problem):
            problems.append(found)
        else:
            pieces.append(found)
        if len(pieces) + len(problems) >= MOST_ENTRIES:
            problems.append(
                Problem(shown(root.name), f"it holds more than {MOST_ENTRIES} files; the rest was left out")
            )
            break
    return pieces, problems


def _walk(folder: Path, above: tuple[str, ...]) -> Iterator[Piece | Problem]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        yield Problem(shown("/".join(above)), f"the folder cannot be read: {error.strerror}")
        return
    if above and not entries:
        yield Problem(shown("/".join(above)), "the folder is empty")
    for entry in entries:
        parts = (*above, unicodedata.normalize("NFC", entry.name))
        where = shown("/".join(parts))
        if _is_ignored(entry.name):
            continue
        if entry.is_symlink():
            yield Problem(where, LINKED)
        elif entry.is_dir(follow_symlinks=False):
            if entry.name.endswith(".py"):
                yield Problem(where, "this is a folder, though it is named like a Python file")
            if len(parts) > DEEPEST:
                yield Problem(where, f"more than {DEEPEST} folders lie in one another; it was left out")
            else:
                yield from _walk(folder / entry.name, parts)
        elif entry.is_file(follow_symlinks=False):
            about = entry.stat(follow_symlinks=False)
            when = datetime.fromtimestamp(about.st_mtime).astimezone()
            is_program = bool(about.st_mode & stat.S_IXUSR)
            yield Piece(parts, about.st_size, when, is_program, _file_reader(folder / entry.name))
        else:
            yield Problem(where, "it is no plain file")


def _file_reader(path: Path) -> Callable[[int], bytes]:
    def read(most: int) -> bytes:
        try:
            # What was a file a moment ago may be a link, or a pipe that never ends.
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            with os.fdopen(descriptor, "rb") as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    raise UnreadableError("it is no plain file")
                return _bounded(file.read(most + 1), most)
        except OSError as error:
            raise UnreadableError(f"it cannot be read: {error.strerror}") from None

    return read


def _bounded(content: bytes, most: int) -> bytes:
    if len(content) > most:
        raise UnreadableError(f"it has more than {most} bytes")
    return content


def list_zip(stream: BinaryIO) -> Listing:
    """All files of an archive; one that is no archive, or too much as a whole, is an UnreadableError.

    Its pieces can be read as long as the stream is open.
    """
    try:
        _require_short_list(stream)
        archive = zipfile.ZipFile(stream)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, OverflowError, IndexError):
        raise UnreadableError("it is no zip archive, or a broken one") from None
    members = archive.infolist()
    if len(members) > MOST_ENTRIES:
        raise UnreadableError(f"it holds {len(members)} files; at most {MOST_ENTRIES} are looked at")
    pieces: dict[tuple[str, ...], Piece] = {}
    problems = []
    for member in members:
        found = _member(archive, member)
        if isinstance(found, Problem):
            problems.append(found)
        elif found is not None:
            if found.parts in pieces:
                problems.append(Problem(found.where, "it is in the archive twice; the last one counts"))
            pieces[found.parts] = found
    return sorted(pieces.values(), key=lambda piece: piece.parts), problems


def _require_short_list(stream: BinaryIO) -> None:
    """The list of contents is read as a whole before anything else, so its length comes first."""
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(0, size - 66_000))
    tail = stream.read()
    at = tail.rfind(b"PK\5\6")
    length = int.from_bytes(tail[at + 12 : at + 16], "little") if at >= 0 else 0
    if length > LONGEST_LIST and (length != NO_OFFSET or size > LONGEST_LIST):
        raise UnreadableError("its list of contents is too long")
    stream.seek(0)


def _member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Piece | Problem | None:
    """A member that can be used, or why not; None for a folder, and for what systems leave behind."""
    name = _decoded_name(member).replace("\\", "/")
    where, parts = shown(name), tuple(part for part in name.split("/") if part not in ("", "."))
    if "\0" in name:
        return Problem(where, "its name holds a null byte; it was left out")
    if name.startswith("/") or DRIVE.match(name) or ".." in parts:
        return Problem(where, "its name leads out of the archive; it was left out")
    if not parts or any(_is_ignored(part) for part in parts):
        return None
    if name.endswith("/"):
        is_odd = parts[-1].endswith(".py")
        return Problem(where, "this is a folder, though it is named like a Python file") if is_odd else None
    mode = member.external_attr >> 16
    if stat.S_ISLNK(mode):
        return Problem(where, LINKED)
    if len(parts) > DEEPEST:
        return Problem(where, f"more than {DEEPEST} folders lie in one another; it was left out")
    if member.file_size > RATIO_MATTERS and member.file_size > LARGEST_RATIO * max(1, member.compress_size):
        return Problem(where, f"it would grow from {member.compress_size} to {member.file_size} bytes: a zip bomb")
    when = None
    with suppress(ValueError, OverflowError, OSError):
        when = datetime(*member.date_time).astimezone()  # archives tell local time
    return Piece(parts, member.file_size, when, bool(mode & stat.S_IXUSR), _member_reader(archive, member))


def _decoded_name(member: zipfile.ZipInfo) -> str:
    """The name as it was meant: many programs write UTF-8 and do not say so."""
    name = member.orig_filename
    if not member.flag_bits & 0x800:
        with suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return unicodedata.normalize("NFC", name)


def _member_reader(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Callable[[int], bytes]:
    def read(most: int) -> bytes:
        if member.flag_bits & 1:
            raise UnreadableError("it is locked with a password")
        try:
            with archive.open(member) as file:
                return _bounded(file.read(most + 1), most)
        except (zipfile.BadZipFile, zlib.error, LZMAError, EOFError, OSError, ValueError):
            raise UnreadableError("it is damaged inside its archive") from None
        except (NotImplementedError, RuntimeError):
            raise UnreadableError("it is packed in a way that is not known here") from None

    return read


def _is_ignored(name: str) -> bool:
    return name.startswith(".") or name.casefold() in IGNORED

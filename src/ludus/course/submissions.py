"""What a course got, as one submission for each team: loose files, archives, folders of a learning platform.

Names of platforms are read as these write them:
    Moodle       Anna Bell_1234_assignsubmission_file_/team7.py
    Canvas       bellanna_LATE_1234_5678_team7-1.py
    Blackboard   Project 1_abell_attempt_2026-11-30-23-59-00_team7.py
"""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from ludus.bots.entrants import LARGEST_PROGRAM, LARGEST_SOURCE, RUNTIMES
from ludus.course.archives import Piece, Problem, UnreadableError, in_short, list_folder, list_zip, shown
from ludus.errors import LudusError

LARGEST_ARCHIVE = 64_000_000  # bytes of one team's
MOST_ARCHIVES, DEEPEST_ARCHIVE = 8, 2  # of a team, one in the other
MOST_FILES, LARGEST_TEAM = 500, 40_000_000  # of a team, and the bytes of its bots together
OTHER_ARCHIVES = (".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz")
MOODLE = re.compile(r"(?P<owner>.+?)_\d+_assignsubmission_\w+")
CANVAS = re.compile(r"(?P<owner>[^\W_]+)_(?P<late>LATE_)?\d+_\d+_(?P<name>.+)")
BLACKBOARD = re.compile(r".*_(?P<owner>[^_]+)_attempt_(?P<when>\d{4}(?:-\d\d){5})(?:_(?P<name>.+)|\.txt)")
AGAIN = re.compile(r"(?:-\d{1,2}| ?\(\d{1,2}\))(?=\.[A-Za-z]+$)")  # how a name says that it came once more


class Bot(NamedTuple):
    """One file that may be a bot, read."""

    name: str  # of the file, as its author named it
    where: str
    content: bytes
    is_program: bool


class Submission(NamedTuple):
    """Whatever one team handed in, and what of it was left out and why."""

    owner: str  # a person or a team, as far as names tell
    where: str
    bots: tuple[Bot, ...] = ()  # those in Python alone, if there are any
    problems: tuple[Problem, ...] = ()
    others: tuple[str, ...] = ()  # names of the files that are no bots
    when: datetime | None = None
    is_late: bool = False  # says the platform
    is_alone: bool = False  # a single file, which names itself


class Group(NamedTuple):
    """The files of one team before anything of them is read."""

    owner: str
    where: str
    pieces: list[Piece]
    when: datetime | None = None
    is_late: bool = False


def read_submissions(place: Path) -> tuple[list[Submission], list[Problem]]:
    """All submissions of a folder or an archive, by name; a place that is neither is a LudusError."""
    try:
        if place.is_dir():
            return _read(*list_folder(place))
        with place.open("rb") as stream:
            return _read(*list_zip(stream))
    except UnreadableError as error:
        raise LudusError(f"{shown(str(place))}: {error}; expected a folder or a zip archive of submissions") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "there is no such folder or zip archive"
        raise LudusError(f"{shown(str(place))}: the submissions cannot be read: {reason}") from None


def _read(pieces: list[Piece], problems: list[Problem]) -> tuple[list[Submission], list[Problem]]:
    inner = _unwrapped(pieces)
    depth = len(pieces[0].parts) - len(inner[0].parts) if pieces else 0
    groups = _groups(inner)
    placed: dict[str, list[Problem]] = {}
    loose = []
    for problem in problems:
        where = "/".join(problem.where.split("/")[depth:]) or problem.where
        owner, found = where.partition("/")[0], problem._replace(where=where)
        if owner in groups:
            placed.setdefault(owner, []).append(found)
        else:
            loose.append(found)
    return [_opened(group, placed.get(key, [])) for key, group in groups.items()], loose


def _unwrapped(pieces: list[Piece]) -> list[Piece]:
    """Without the one folder that everything is in, where that is not somebody's."""
    tops = {piece.parts[0] for piece in pieces}
    while len(tops) == 1 and all(len(piece.parts) > 1 for piece in pieces):
        inner = [piece._replace(parts=piece.parts[1:]) for piece in pieces]
        bots = [piece for piece in inner if len(piece.parts) == 1 and _is_bot(piece)]
        is_theirs = len(bots) == len({piece.parts[0] for piece in inner}) == 1
        if is_theirs or MOODLE.fullmatch(next(iter(tops))):
            break
        pieces, tops = inner, {piece.parts[0] for piece in inner}
    return pieces


def _groups(pieces: list[Piece]) -> dict[str, Group]:
    """By folder, or by what a platform writes before names; any other loose file is one of its own."""
    groups: dict[str, Group] = {}
    for piece in pieces:
        top = piece.parts[0]
        if len(piece.parts) > 1:
            found = MOODLE.fullmatch(top)
            key, owner, part = top, found["owner"] if found else top, piece
            when, is_late = None, False
        else:
            key, owner, name, when, is_late = _platform_name(top)
            part = piece._replace(parts=(name,))
        known = groups.setdefault(shown(key), Group(owner, shown(top), [], when, is_late))
        known.pieces.append(part)
    return groups


def _platform_name(top: str) -> tuple[str, str, str, datetime | None, bool]:
    """Key, owner and name of a loose file; when it came, and whether late, where the platform says so."""
    if found := CANVAS.fullmatch(top):
        return f"canvas {found['owner']}", found["owner"], AGAIN.sub("", found["name"]), None, bool(found["late"])
    if found := BLACKBOARD.fullmatch(top):
        with suppress(ValueError):
            when = datetime.strptime(found["when"], "%Y-%m-%d-%H-%M-%S").astimezone()
            return f"blackboard {found['owner']}", found["owner"], found["name"] or top, when, False
    name = AGAIN.sub("", top)
    return top, Path(name).stem, name, None, False


def _opened(group: Group, problems: list[Problem]) -> Submission:
    """The bots of a group, with those in its archives."""
    opened = _Opened(list(problems))
    is_alone = len(group.pieces) == 1 and len(group.pieces[0].parts) == 1
    opened.take(group.pieces, depth=0)
    is_archive = is_alone and group.pieces[0].name.lower().endswith(".zip")
    python = [bot for bot in opened.bots if not bot.is_program]
    times = [piece.when for piece in group.pieces if piece.when is not None]
    return Submission(
        group.owner,
        group.where,
        tuple(python or opened.bots),
        tuple(in_short(opened.problems)),
        tuple(opened.others),
        group.when or max(times, default=None),
        group.is_late,
        is_alone and not is_archive,
    )


class _Opened:
    """A team's files as they are read; what cannot be used becomes a problem."""

    def __init__(self, problems: list[Problem]) -> None:
        self.bots: list[Bot] = []
        self.problems, self.others, self.archives, self.files, self.size = problems, list[str](), 0, 0, 0

    def take(self, pieces: list[Piece], *, depth: int, inside: str = "") -> None:
        for piece in pieces:
            self.files += 1
            if self.files > MOST_FILES:
                self.problems.append(
                    Problem(inside + piece.where, f"more than {MOST_FILES} files; the rest is left out")
                )
                return
            where, suffix = inside + piece.where, Path(piece.name).suffix.lower()
            if suffix == ".zip":
                self._archive(piece, where, depth)
            elif suffix in OTHER_ARCHIVES:
                self.problems.append(Problem(where, f"{suffix} archives are not opened; expected .py or .zip"))
            elif _is_bot(piece):
                self._bot(piece, where, suffix)
            else:
                self.others.append(shown(piece.name))

    def _bot(self, piece: Piece, where: str, suffix: str) -> None:
        most = LARGEST_SOURCE if suffix == ".py" else LARGEST_PROGRAM
        try:
            content = piece.read(most)
        except UnreadableError as error:
            self.problems.append(Problem(where, str(error)))
            return
        self.size += len(content)
        if self.size > LARGEST_TEAM:
            self.problems.append(Problem(where, f"its team's files have more than {LARGEST_TEAM} bytes together"))
            return
        if not content.strip():
            self.problems.append(Problem(where, "it is empty"))
            return
        self.bots.append(Bot(piece.name, where, content, suffix != ".py"))

    def _archive(self, piece: Piece, where: str, depth: int) -> None:
        self.archives += 1
        if depth >= DEEPEST_ARCHIVE or self.archives > MOST_ARCHIVES:
            self.problems.append(Problem(where, "there are archives in archives in archives; it was not opened"))
            return
        try:
            pieces, problems = list_zip(BytesIO(piece.read(LARGEST_ARCHIVE)))
        except UnreadableError as error:
            self.problems.append(Problem(where, str(error)))
            return
        self.problems += [Problem(f"{where}/{found.where}", found.why) for found in problems]
        if not pieces and not problems:
            self.problems.append(Problem(where, "the archive is empty"))
        self.take(pieces, depth=depth + 1, inside=f"{where}/")


def _is_bot(piece: Piece) -> bool:
    suffix = Path(piece.name).suffix.lower()
    return suffix in (".py", *RUNTIMES) or (piece.is_executable and suffix in ("", ".exe"))

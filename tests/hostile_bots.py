"""The bots of tests/bots with what their headers say, for every test that plays them."""

from __future__ import annotations

import importlib.util
import platform
import re
import shutil
from pathlib import Path
from typing import NamedTuple

BOTS = Path(__file__).parent / "bots"
FORFEITS = {"illegal", "timeout", "exception", "crash", "memory", "tampering", "forbidden", "output", "protocol"}
BY_THE_RULES = {"win", "draw"}
REFUSED = "refused"  # the file is turned away before any game
EVENTS = {
    "nsoc": "ultimate",
    "cse371": "ultimate-adjacent",
    "extreme": "extreme",
    "term-project": "subtraction",
    "slant": "slant",
}
GAMES = set(EVENTS.values())
KEYS = ("verdict", "event", "reason", "line", "limit", "loading", "ply", "needs", "protocol")


class BotCase(NamedTuple):
    """One bot, and what must come of it when it takes seat 0."""

    path: Path
    verdict: frozenset[str]
    event: str
    attempt: str  # one sentence
    reason: str = ""  # a word that the reason must contain
    line: int | None = None
    limit: float | None = None  # seconds a move
    loading: float | None = None  # seconds
    ply: int | None = None
    needs: tuple[str, ...] = ()
    protocol: str = ""  # of a program

    @property
    def name(self) -> str:
        return f"{self.path.parent.name}/{self.path.stem}"

    @property
    def game(self) -> str:
        return EVENTS.get(self.event, self.event)

    @property
    def missing(self) -> str:
        """What this machine lacks for it, if anything."""
        return next((need for need in self.needs if not is_here(need)), "")


def hostile() -> list[BotCase]:
    return _cases("hostile", "*.py")


def honest() -> list[BotCase]:
    return _cases("honest", "*.py")


def hostile_programs() -> list[BotCase]:
    return _cases("hostile_programs", "*.c")


def honest_programs() -> list[BotCase]:
    return _cases("honest_programs", "*.c")


def read_case(path: Path) -> BotCase:
    """What the header of the file says; a header that says nothing of use is an AssertionError."""
    said: dict[str, str] = {}
    sentences = []
    # Some files are no text on purpose; of a header only ASCII counts.
    for line in path.read_bytes().decode("ascii", "ignore").splitlines():
        comment = re.match(r"// ?(.*)" if path.suffix == ".c" else r"# ?(.*)", line)
        if comment is None:
            break
        key, colon, value = comment[1].partition(": ")
        if colon and key in KEYS:
            assert key not in said, f"{path.name}: {key} is said twice"
            said[key] = value.strip()
        elif "coding:" not in line:
            sentences.append(comment[1].strip())
    assert "verdict" in said and "event" in said, f"{path.name}: its header lacks a verdict or an event"
    return BotCase(
        path,
        verdict=frozenset(said["verdict"].split("|")),
        event=said["event"],
        attempt=" ".join(sentences),
        reason=said.get("reason", ""),
        line=_int(said.get("line")),
        limit=_float(said.get("limit")),
        loading=_float(said.get("loading")),
        ply=_int(said.get("ply")),
        needs=tuple(said.get("needs", "").split()),
        protocol=said.get("protocol", ""),
    )


def is_here(need: str) -> bool:
    """Whether this machine has a module, a processor of that name, or a command."""
    if need == "x86_64":
        return platform.machine().lower() in ("x86_64", "amd64")
    return importlib.util.find_spec(need) is not None or shutil.which(need) is not None


def _cases(folder: str, pattern: str) -> list[BotCase]:
    return [read_case(path) for path in sorted((BOTS / folder).glob(pattern))]


def _int(text: str | None) -> int | None:
    return None if text is None else int(text)


def _float(text: str | None) -> float | None:
    return None if text is None else float(text)

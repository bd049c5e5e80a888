"""Who takes part, from what a person typed: an agent's name, a Python file, a program, or `human`.

best, level:3, alphabeta:threads=2      an agent of ours
./team7.py                              a bot in Python
./bot, ./bot.jar, ./bot.js              a program that speaks JSON lines
codingame:./bot                         a program that speaks the protocol of CodinGame
human                                   somebody at the terminal
"""

from __future__ import annotations

import codecs
import hashlib
import io
import os
import shutil
import tokenize
from dataclasses import dataclass
from pathlib import Path

from ludus.agents.naming import KINDS, parse_agent
from ludus.bots.interfaces import INTERFACES, Interface, fits, guess_interface
from ludus.bots.program import language
from ludus.errors import BotError
from ludus.rules import Game

LARGEST_SOURCE, LARGEST_PROGRAM = 1_000_000, 32_000_000  # bytes
LONGEST_NAME = 60
PROTOCOLS = ("ludus", "codingame")
ENCODINGS = ("utf-8", "utf-8-sig", "ascii", "iso8859-1", "iso8859-15", "cp1252")  # others can take for ever to decode
# Few threads, as the runtime takes what it finds otherwise; and it must not open a file for writing, as it does to
# choose what a core dump holds.
JAVA_FLAGS = [
    *("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-XX:+UnlockDiagnosticVMOptions"),
    *("-XX:-DumpPrivateMappingsInCore", "-XX:-DumpSharedMappingsInCore"),
]
RUNTIMES = {".jar": "java", ".js": "node", ".mjs": "node", ".cjs": "node"}


@dataclass(frozen=True)
class PythonFile:
    """Somebody's Python file; its content is what was read, whatever happens to the file later."""

    name: str
    path: Path
    source: str
    digest: str
    interface: Interface


@dataclass(frozen=True)
class ProgramFile:
    """Somebody's executable, with the runtime that it needs."""

    name: str
    path: Path
    runtime: str | None  # the path of java or node
    digest: str
    protocol: str

    def argv(self, *, memory_mb: int) -> list[str]:
        if self.runtime is None:
            return [*_interpreter(self.path), str(self.path)]
        if self.path.suffix == ".jar":
            return [self.runtime, *JAVA_FLAGS, f"-Xmx{max(16, memory_mb // 2)}m", "-jar", str(self.path)]
        return [self.runtime, f"--max-old-space-size={max(16, memory_mb // 2)}", str(self.path)]


@dataclass(frozen=True)
class AgentName:
    """An agent of ours."""

    name: str


@dataclass(frozen=True)
class HumanBeing:
    """Somebody who types."""

    name: str = "human"


Entrant = PythonFile | ProgramFile | AgentName | HumanBeing


def parse_entrant(text: str, game: Game, *, interface: str | None = None) -> Entrant:
    """Whom the text means; a file that cannot be read or used is a BotError, no such agent an AgentError."""
    if text == "human":
        return HumanBeing()
    if not text:
        raise BotError("a player has a name: an agent such as best, a file such as ./bot.py, or human")
    protocol, colon, rest = text.partition(":")
    if colon and protocol in PROTOCOLS:
        return _program(Path(rest), game, protocol)
    path = Path(text)
    looks_like_path = os.sep in text or "/" in text or path.suffix in (".py", *RUNTIMES)
    if not looks_like_path and text.partition(":")[0] in KINDS:
        parse_agent(text)
        return AgentName(text)
    if not looks_like_path and not _exists(path):
        known = ", ".join(KINDS)
        raise BotError(f"there is no agent or file {text[:60]!r}; agents are {known}; a file is named like ./bot.py")
    return _python(path, game, interface) if path.suffix == ".py" else _program(path, game, PROTOCOLS[0])


def _interpreter(path: Path) -> list[str]:
    """What `#!/usr/bin/env NAME` finds, as running `env` is forbidden; Python does not look around in the folder."""
    with path.open("rb") as file:
        words = file.readline(200).split()
    if words[:1] == [b"#!/usr/bin/env"] and len(words) == 2:
        name = words[1].decode("utf-8", "replace")
        found = shutil.which(name, path="/usr/local/bin:/usr/bin:/bin")
        return [] if found is None else [found, "-I"] if name.startswith("python") else [found]
    return [words[0][2:].decode(), "-I"] if words[:1] == [b"#!/usr/bin/python3"] and len(words) == 1 else []


def name_of(path: Path) -> str:
    """The name that a file goes by: its own, without what could move a terminal's cursor."""
    return "".join(c if c.isprintable() else "?" for c in path.stem)[:LONGEST_NAME] or "?"


def _python(path: Path, game: Game, interface: str | None) -> PythonFile:
    content = _read(path, LARGEST_SOURCE)
    source = _decoded(content, path)
    found = guess_interface(source, game, file=name_of(path)) if interface is None else INTERFACES[interface]
    if not fits(found, game):
        raise BotError(f"the interface {found.name} cannot play {game.name}")
    return PythonFile(name_of(path), path, source, _digest(content), found)


def _program(path: Path, game: Game, protocol: str) -> ProgramFile:
    content = _read(path, LARGEST_PROGRAM)
    language(protocol, game)
    name = RUNTIMES.get(path.suffix)
    runtime = None if name is None else shutil.which(name)
    if name is not None and runtime is None:
        raise BotError(f"{path}: it needs {name}, which is not installed here")
    if name is None and not os.access(path, os.X_OK):
        raise BotError(f"{path}: a bot is a .py file or a program, and this file is not executable")
    return ProgramFile(name_of(path), path.resolve(), runtime, _digest(content), protocol)


def _read(path: Path, largest: int) -> bytes:
    shown = str(path)[:200]
    try:
        if path.is_dir():
            raise BotError(f"{shown}: this is a folder; a bot is one file")
        if not path.is_file():
            what = "this is not a plain file" if path.exists() else "there is no such file"
            raise BotError(f"{shown}: {what}")
        size = path.stat().st_size
        if size > largest:
            raise BotError(f"{shown}: the file has {size} bytes; a bot has at most {largest}")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BotError(f"{shown}: the file cannot be read: {reason}") from None


def _decoded(content: bytes, path: Path) -> str:
    """The text of a Python file, by its coding line or as UTF-8."""
    if b"\0" in content:
        raise BotError(f"{path}: this is not a Python file: it holds a null byte at {content.index(0)}")
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        if codecs.lookup(encoding).name not in ENCODINGS:
            raise BotError(f"{path}: a bot's file is UTF-8, and this one is {encoding}")
        return content.decode(encoding)
    except (SyntaxError, LookupError) as error:
        raise BotError(f"{path}: this is not a Python file: {error}") from None
    except UnicodeDecodeError as error:
        raise BotError(f"{path}: this is not a Python file: byte {error.start} is no {error.encoding}") from None


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False

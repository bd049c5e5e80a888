"""Makes the folder of a tournament from an event and bots, and finds in it all that is needed to go on."""

from __future__ import annotations

import json
import os
import platform
import re
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from ludus import __version__
from ludus.bots.entrants import RUNTIMES, AgentName, Entrant, HumanBeing, PythonFile, parse_entrant
from ludus.errors import BotError, EventError, LudusError, StoreError
from ludus.events.event import EVENTS_FOLDER, Event, event_names, load_event
from ludus.rules import GAMES_FOLDER
from ludus.sandbox.process import Level
from ludus.tournament.kit import RULES, Kit, Team, hash_of
from ludus.tournament.penalties import PENALTIES, carried

FORMAT = "ludus-tournament/1"
MANIFEST, EVENT, BOTS = "tournament.json", "event.toml", "bots"
OURS = {
    MANIFEST,
    EVENT,
    BOTS,
    RULES,
    PENALTIES,
    "driver.lock",
    "results.sqlite",
    "results.sqlite-wal",
    "results.sqlite-shm",
}
MOST_RULES_FILES, LARGEST_RULES = 200, 5_000_000  # beside a rules file; bytes of them together
GAME_LINE = re.compile(r"^[ \t]*(?:game|\"game\"|'game')[ \t]*=[^\n]*$", re.MULTILINE)


class Tournament(NamedTuple):
    """A tournament as its folder tells it."""

    folder: Path
    kit: Kit
    sources: tuple[str, ...]  # where each team's bot was, as a person named it
    versions: dict[str, str]

    @property
    def event(self) -> Event:
        return self.kit.opened_event(self.folder)


def is_tournament(folder: Path) -> bool:
    return (folder / MANIFEST).is_file()


class Prepared(NamedTuple):
    """A tournament that is not in a folder yet: its files by their place there."""

    kit: Kit
    sources: tuple[str, ...]
    files: dict[str, bytes]


def prepare_tournament(event_text: str, bots: list[str], *, seed: int, isolation: Level | None = None) -> Prepared:
    """Read the event and the bots; whatever is wrong with them is said before anything is written."""
    event = load_event(event_text)
    found = [(text, _entrant(text, event)) for text in bot_texts(bots)]
    if len(found) < 2:
        raise BotError(f"a tournament needs two bots or more; {len(found)} found in {' '.join(bots)[:200]}")
    teams, contents = _teams([entrant for _, entrant in found])
    text, rules = _event_files(event_text, event)
    files = {f"{BOTS}/{name}": content for name, content in contents.items()}
    files |= {f"{RULES}/{name}": content for name, content in rules.items()}
    known = {name: hash_of(content) for name, content in rules.items()}
    kit = Kit(event.name, text, known, teams, seed, isolation or event.isolation)
    return Prepared(kit, tuple(text for text, _ in found), {**files, **carried(bots), EVENT: text.encode()})


def make_tournament(folder: Path, prepared: Prepared) -> Tournament:
    """Write the folder; its manifest comes last, so that what is half made is made again."""
    programs = {team.stored_as for team in prepared.kit.teams if team.kind == "program"}
    for name, content in prepared.files.items():
        _write(folder / name, content, is_program=Path(name).name in programs)
    made = Tournament(folder, prepared.kit, prepared.sources, versions_here())
    _write(folder / MANIFEST, json.dumps(_manifest(made), indent=1).encode() + b"\n")
    return made


def require_ours(folder: Path) -> None:
    """A folder that holds something else is a StoreError; a new one, or one that is half made, is not."""
    if folder.exists() and (not folder.is_dir() or {part.name for part in folder.iterdir()} - OURS):
        raise StoreError(f"{folder}: this is not the folder of a tournament; name a new one with --out")


def open_tournament(folder: Path) -> Tournament:
    """The tournament that a folder holds, or a StoreError."""
    try:
        values = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        if values.get("format") != FORMAT:
            raise StoreError(f"{folder / MANIFEST}: format is {values.get('format')!r}; {FORMAT!r} was expected")
        event = (folder / EVENT).read_text(encoding="utf-8")
        if hash_of(event.encode()) != values["event_sha256"]:
            raise StoreError(f"{folder / EVENT}: the event was changed after the tournament began")
        teams = tuple(Team(**team) for team in values["teams"])
        if not all(isinstance(word, str) for team in teams for word in (*team, values["event"])):
            raise TypeError("a name is not a text")
        kit = Kit(values["event"], event, values["rules"], teams, values["seed"], values["isolation"])
        return Tournament(folder, kit, tuple(values["sources"]), values["versions"])
    except FileNotFoundError as error:
        raise StoreError(f"{folder}: there is no tournament here: {Path(error.filename).name} is missing") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise StoreError(f"{folder / MANIFEST}: it cannot be read: {error}") from None


def content_of(tournament: Tournament, digest: str) -> bytes:
    """A stored file by its content; one that was tampered with is a StoreError."""
    kit, folder = tournament.kit, tournament.folder
    names = [folder / BOTS / team.stored_as for team in kit.teams if team.sha256 == digest]
    names += [folder / RULES / name for name, known in kit.rules.items() if known == digest]
    try:
        content = names[0].read_bytes()
    except OSError as error:
        raise StoreError(f"{names[0]}: it cannot be read: {error.strerror}") from None
    if hash_of(content) != digest:
        raise StoreError(f"{names[0]}: its content is no longer that of its name; put the file back")
    return content


def changed_bots(tournament: Tournament) -> list[str]:
    """The teams whose file is no longer what it was when the tournament began."""
    changed = []
    for team, source in zip(tournament.kit.teams, tournament.sources, strict=True):
        if team.kind == "agent":
            continue
        file = _path(source)
        try:
            state = file.stat()
            if _hash_of_file(file, state.st_mtime_ns, state.st_size) != team.sha256:
                changed.append(team.name)
        except OSError:
            continue  # gone: nobody can take it for what plays
    return changed


def differences(tournament: Tournament, bots: list[str]) -> list[str]:
    """What somebody who names bots again should know: the tournament goes on with the bots that it has."""
    known, given = set(tournament.sources), set(bot_texts(bots))
    teams = tournament.kit.teams
    said = [f"{text} is not in this tournament, which has begun without it" for text in sorted(given - known)]
    missing = [team.name for team, source in zip(teams, tournament.sources, strict=True) if source not in given]
    return said + [f"{name} stays in this tournament, though its file was not named again" for name in missing]


def bot_texts(bots: list[str]) -> list[str]:
    """The bots of folders and files, as texts that name an entrant; a folder's in the order that people count in."""
    texts = []
    for text in bots:
        folder = Path(text)
        if not folder.is_dir():
            texts.append(text)
            continue
        files = [file for file in folder.iterdir() if file.is_file() and _looks_like_bot(file)]
        if not files:
            raise BotError(f"{text[:200]}: there is no bot in this folder: no .py file and no program")
        texts += [str(file) for file in sorted(files, key=lambda file: _counted(file.name))]
    return texts


def versions_here() -> dict[str, str]:
    return {"ludus": __version__, "python": platform.python_version(), "system": platform.platform()}


def _looks_like_bot(file: Path) -> bool:
    if file.name.startswith((".", "__")):
        return False
    return file.suffix in (".py", *RUNTIMES) or (os.access(file, os.X_OK) and file.suffix in ("", ".exe"))


def _counted(name: str) -> list[tuple[int, str]]:
    """team2 comes before team10."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)]


def _entrant(text: str, event: Event) -> Entrant:
    found = parse_entrant(text, event.game, interface=event.interface)
    if isinstance(found, HumanBeing):
        raise BotError("people cannot play in a tournament; ludus match plays one game with human")
    return found


@lru_cache(maxsize=10_000)
def _hash_of_file(file: Path, _changed_ns: int, _size: int) -> str:
    """Read only when it is touched."""
    return hash_of(file.read_bytes())


def _path(source: str) -> Path:
    head, colon, rest = source.partition(":")
    return Path(rest if colon and head in ("ludus", "codingame") else source)


def _teams(entrants: list[Entrant]) -> tuple[tuple[Team, ...], dict[str, bytes]]:
    """The teams by unique names, and the content of each one's file by the name that it has from it."""
    names: list[str] = []
    stems = [entrant.name for entrant in entrants]
    teams, contents = [], {}
    for entrant in entrants:
        name = entrant.name
        if stems.count(name) > 1 and not isinstance(entrant, AgentName | HumanBeing):
            name = f"{entrant.path.resolve().parent.name}/{name}"
        unique, number = name, 1
        while unique in names:
            number += 1
            unique = f"{name} ({number})"
        names.append(unique)
        if isinstance(entrant, AgentName | HumanBeing):
            teams.append(Team(unique, "agent", entrant.name))
            continue
        content = entrant.path.read_bytes()
        kind, protocol = ("python", "") if isinstance(entrant, PythonFile) else ("program", entrant.protocol)
        team = Team(unique, kind, entrant.path.name, hash_of(content), protocol)  # type: ignore[arg-type]
        teams.append(team)
        contents[team.stored_as] = content
    return tuple(teams), contents


def _event_files(text: str, event: Event) -> tuple[str, dict[str, bytes]]:
    """The event's TOML, and the rules with the helpers beside them where the game is none of ours.

    Then the TOML names the rules as they lie beside it.
    """
    path = EVENTS_FOLDER / f"{text}.toml" if text in event_names() else Path(text)
    content = path.read_text(encoding="utf-8-sig")
    game = event.game
    if game.path.is_relative_to(GAMES_FOLDER):
        return content, {}
    is_folder = game.path.name == "rules.py" and game.name == game.path.parent.name
    below = game.name if is_folder else ""
    beside = [*game.path.parent.glob("*.py"), *game.path.parent.glob("*/*.py")]
    size = sum(file.stat().st_size for file in beside)
    if len(beside) > MOST_RULES_FILES or size > LARGEST_RULES:
        raise EventError(
            f"{game.path}: {len(beside)} files lie beside the rules; put the rules in a folder of their own"
        )
    files = {str(Path(below) / file.relative_to(game.path.parent)): file.read_bytes() for file in beside}
    named = f"{RULES}/{game.name}" if is_folder else f"{RULES}/{game.path.name}"
    moved = GAME_LINE.sub(lambda _: f"game = {json.dumps(named)}", content, count=1)
    if tomllib.loads(moved) != {**tomllib.loads(content), "game": named}:
        raise EventError(
            f'{path}: write game = "..." on a line of its own, so that the rules can be kept with the games'
        )
    return moved, files


def _manifest(made: Tournament) -> dict[str, Any]:
    kit = made.kit
    return {
        "format": FORMAT,
        "event": kit.event_name,
        "event_sha256": hash_of(kit.event.encode()),
        "rules": kit.rules,
        "seed": kit.seed,
        "isolation": kit.isolation,
        "teams": [team._asdict() for team in kit.teams],
        "sources": list(made.sources),
        "versions": made.versions,
    }


def _write(file: Path, content: bytes, *, is_program: bool = False) -> None:
    """Whole or not at all."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        partial = file.with_name(f"{file.name}.partial")
        partial.write_bytes(content)
        if is_program:
            partial.chmod(0o755)
        partial.replace(file)
    except OSError as error:
        raise LudusError(f"{file}: it cannot be written: {error.strerror}") from None

"""What a worker must know of a tournament to play its games, as one blob that is known by its content."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Literal, NamedTuple

from ludus.bots.entrants import AgentName, Entrant, PythonFile, parse_entrant
from ludus.events.event import Event, read_event
from ludus.sandbox.process import Level

RULES = "rules"  # the folder, beside the event, of rules that are none of ours


class Team(NamedTuple):
    """Who takes part, and by what content."""

    name: str
    kind: Literal["python", "program", "agent"]
    file: str  # what the bot's file was called; an agent's name
    sha256: str = ""  # agents have none
    protocol: str = ""  # of a program

    @property
    def stored_as(self) -> str:
        """The file's name by content; a suffix may decide how a program is run."""
        return self.sha256 + Path(self.file).suffix


class Kit(NamedTuple):
    """All that decides the games of a tournament, but for the content of files, which goes by hash."""

    event_name: str
    event: str  # the TOML text
    rules: dict[str, str]  # path below `rules/` and hash of each file, where the game is none of ours
    teams: tuple[Team, ...]
    seed: int
    isolation: Level

    def to_bytes(self) -> bytes:
        return json.dumps({**self._asdict(), "teams": [team._asdict() for team in self.teams]}, sort_keys=True).encode()

    def opened_event(self, folder: Path) -> Event:
        """The event, its rules taken from `rules/` in the folder."""
        return read_event(self.event, name=self.event_name, folder=folder, where="event.toml")


def kit_of_bytes(content: bytes) -> Kit:
    values = json.loads(content)
    return Kit(**{**values, "teams": tuple(Team(**team) for team in values["teams"])})


def entrant_of(team: Team, event: Event, bots: Path) -> Entrant:
    """The team as the referee knows it, its file taken from a folder of bots by content."""
    if team.kind == "agent":
        return AgentName(team.file)
    file = bots / team.stored_as
    if team.kind == "python":
        found = parse_entrant(str(file), event.game, interface=event.interface)
        assert isinstance(found, PythonFile)
        return replace(found, name=team.name, path=Path(team.file))  # as tracebacks show it
    found = parse_entrant(f"{team.protocol}:{file}", event.game)
    return replace(found, name=team.name)


def hash_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()

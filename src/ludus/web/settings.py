"""How a server is set up: where it listens, what it may read, who may come in, and how much of it one client gets."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from pathlib import Path

from aiohttp import web

from ludus.bots.entrants import AgentName, Entrant, HumanBeing
from ludus.bots.room import Room
from ludus.errors import BotError, LudusError
from ludus.rules import Game
from ludus.sandbox.basic import Basic
from ludus.sandbox.process import Limits as BotLimits
from ludus.sittings.opponent import OpenRoom

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
SHORTEST_TOKEN = 12


@dataclass(frozen=True)
class Limits:
    """What strangers, and our own mistakes, cannot exceed."""

    message_bytes: int = 65_536  # of one message over a socket
    post_bytes: int = 262_144  # of one form
    messages_per_s: float = 40.0  # over one socket, on average
    sockets: int = 1_000
    sockets_per_client: int = 500  # all who come from one address; a classroom may share one
    tables: int = 40
    tables_per_client: int = 12
    rest_s: float = 60.0  # after which the processes of a table that nobody looks at end; they come back with somebody
    idle_s: float = 3 * 3600.0  # after which a table that nobody uses is cleared
    limit_s: float = 600.0  # that a person may grant for one move
    hint_s: float = 1.5
    bar_s: float = 0.4
    engines: int = 2  # analyses that run at once
    advisers: int = 4  # processes that give hints at tables; those who come later wait for one that has nothing to do
    agent_mb: int = 1_024  # of memory for the table or the tree of an agent that a form names
    analysis_s: float = 60.0  # that a search goes on for nobody's sake


def only_agents(entrant: Entrant) -> Room:
    """A room for agents of ours; bots need one with a sandbox."""
    if isinstance(entrant, AgentName | HumanBeing):
        return Room(Basic(), limits=BotLimits())
    raise BotError("this server plays no bot files")


@dataclass(frozen=True)
class Settings:
    """Everything that a server is told at its start; a server beyond this machine has a token."""

    folder: Path | None = None  # records and tournaments to look at
    host: str = "127.0.0.1"
    port: int = 0  # any that is free
    token: str | None = None
    games: tuple[Game, ...] = ()  # rules files that the local user named
    preview: Path | None = None  # a rules file to show while it is written
    limits: Limits = field(default_factory=Limits)
    open_room: OpenRoom = only_agents

    @property
    def is_local(self) -> bool:
        """Whether nobody but users of this machine can come in."""
        return is_loopback(self.host)

    def checked(self) -> Settings:
        """The settings, or a sentence that says why they are not safe."""
        if not self.is_local and self.token is None:
            raise LudusError(f"{self.host} can be reached by others; that needs a token, see --token")
        if self.token is not None and (len(self.token) < SHORTEST_TOKEN or not self.token.isascii()):
            raise LudusError(f"a token has at least {SHORTEST_TOKEN} plain characters, so that nobody guesses it")
        return self


SETTINGS = web.AppKey("settings", Settings)


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False

"""Where the players of one referee live: the sandbox that starts bots, and agents of ours that stay between games."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import TracebackType
from typing import Protocol

from ludus.bots.entrants import AgentName, Entrant, HumanBeing, ProgramFile, PythonFile
from ludus.bots.person import AskPerson, Person
from ludus.bots.player import Failure, Player, Setup
from ludus.bots.program import JsonLines, ProgramPlayer, language
from ludus.bots.python_bot import PythonBot
from ludus.errors import AgentError, BotError
from ludus.rules import GAMES_FOLDER, Game
from ludus.sandbox.process import Level, Limits, Process

COMPILING_S = 300.0  # an agent's first start ever compiles its search


class Sandbox(Protocol):
    """What starts bots, at one level of isolation."""

    level: Level

    def python_bot(
        self, source: str, *, name: str, entry: str, seed: int, limits: Limits, audit: bool, cores: set[int] | None
    ) -> Process: ...

    def program(
        self, argv: list[str], *, file: str, threads: bool, limits: Limits, cores: set[int] | None
    ) -> Process: ...

    def close(self) -> None: ...


class Room:
    """Makes players. Close it, and nothing of them is left."""

    def __init__(
        self,
        sandbox: Sandbox | Callable[[], Sandbox],
        *,
        limits: Limits,
        audit: bool = True,
        ask_person: AskPerson | None = None,
    ) -> None:
        self._opened = None if callable(sandbox) else sandbox
        self._open = sandbox if callable(sandbox) else lambda: sandbox
        self.limits, self.audit, self.ask_person = limits, audit, ask_person
        self.cores: set[int] | None = None  # where new players run
        self._agents: dict[tuple[int, str, str], ProgramPlayer] = {}

    @property
    def sandbox(self) -> Sandbox:
        """What starts bots. It may be opened only when the first bot comes: agents and people need none."""
        if self._opened is None:
            self._opened = self._open()
        return self._opened

    def __enter__(self) -> Room:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def player(self, entrant: Entrant, game: Game, *, who: int, seed: int) -> Player:
        """A fresh player for one game; `who` tells apart two that are called the same."""
        if isinstance(entrant, PythonFile):
            process = self.sandbox.python_bot(
                entrant.source,
                name=entrant.path.name,
                entry=entrant.interface.entry,
                seed=seed,
                limits=self.limits,
                audit=self.audit,
                cores=self.cores,
            )
            return PythonBot(process, name=entrant.name, interface=entrant.interface)
        if isinstance(entrant, ProgramFile):
            argv, limits = entrant.argv(memory_mb=self.limits.memory_mb), self.limits
            process = self.sandbox.program(
                argv, file=str(entrant.path), threads=entrant.runtime is not None, limits=limits, cores=self.cores
            )
            speaks = language(entrant.protocol, game)
            return ProgramPlayer(process, name=entrant.name, language=speaks, loading_s=limits.loading_s)
        if isinstance(entrant, AgentName):
            return self._agent(entrant, game, who)
        assert isinstance(entrant, HumanBeing)
        if self.ask_person is None:
            raise BotError("nobody is at the terminal to play as human")
        return Person(self.ask_person, name=entrant.name)

    def _agent(self, entrant: AgentName, game: Game, who: int) -> Player:
        """An agent's process takes a second to start, so it stays for the next game."""
        from ludus.sandbox.trusted import trusted_program  # noqa: PLC0415  # only where an agent plays

        rules = game.name if game.path.is_relative_to(GAMES_FOLDER) else str(game.path)
        key = (who, entrant.name, rules)
        known = self._agents.get(key)
        if known is None or not known.process.is_alive:
            if known is not None:
                known.process.close()
            argv = [sys.executable, "-m", "ludus", "agent", rules, entrant.name]
            process = trusted_program(argv, cores=None)
            known = StayingProgram(process, name=entrant.name, language=JsonLines(is_brief=True), loading_s=COMPILING_S)
            self._agents[key] = known
        return known

    def kill_agents(self) -> None:
        """From any thread, while another one may wait for their answers; the room can still be closed."""
        for player in list(self._agents.values()):
            player.process.kill()

    def close(self) -> None:
        for player in self._agents.values():
            player.process.close()
        self._agents.clear()
        if self._opened is not None:
            self._opened.close()


class StayingProgram(ProgramPlayer):
    """An agent of ours: it stays when its game is over, for the next one, and not starting is our failure."""

    def begin(self, setup: Setup) -> Failure | None:
        failure = super().begin(setup)
        if failure is None:
            return None
        said = self.process.evidence.stderr.strip().splitlines()
        raise AgentError(said[-1].removeprefix("ludus: ") if said else f"agent {self.name}: {failure.reason}")

    def close(self) -> None:
        """The room ends it."""

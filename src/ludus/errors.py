"""Every mistake that a person can make, said in one sentence; our own bugs are never of this tree.

LudusError
├── RulesError         a rules file breaks a promise (it knows file and line)
├── GameNotFoundError  no such game, or a file that is none
├── OptionsError       a start that the game refuses
├── PositionError      a position that is over, where one was to be played on
├── MoveError          a text that is no move, or a move that is not legal here
├── RecordError        a record that does not hold (it knows the ply)
├── AgentError         no such agent, an option that it does not have, or a game that it cannot play
├── NetworkError       a file that holds no network, or one for another game
├── ProtocolError      a line that an agent program cannot understand
├── BotError           a bot's file that cannot be read, or cannot be used here
├── EventError         no such event, or an event file that is wrong
├── SandboxError       bots cannot be isolated here, or somebody ended what isolates them
├── StoreError         a tournament's folder that holds none, another one, or is in use
└── EngineError        games cannot be played: no such engine, no workers, or workers that only die
"""

from __future__ import annotations

from pathlib import Path


class LudusError(Exception):
    """A sentence for a person: where, what, and what was expected."""


class GameNotFoundError(LudusError):
    """No game of that name, or no rules file at that path."""


class OptionsError(LudusError):
    """The options do not describe a start of this game."""


class PositionError(LudusError):
    """The game is over, or has no move, where a move was asked for."""


class MoveError(LudusError):
    """The text is no move of this game, or the move is not legal here; `ply` counts the moves before it."""

    def __init__(self, sentence: str, *, ply: int | None = None) -> None:
        self.sentence, self.ply = sentence, ply
        super().__init__(sentence if ply is None else f"move {ply + 1}: {sentence}")


class RulesError(LudusError):
    """A rules file breaks a promise; `str()` begins with file and line where they are known."""

    def __init__(self, sentence: str, *, path: Path | str | None = None, line: int | None = None) -> None:
        self.sentence, self.path, self.line = sentence, path, line
        where = "" if path is None else f"{_near(path)}: " if line is None else f"{_near(path)}:{line}: "
        super().__init__(where + sentence)


def _near(path: Path | str) -> Path:
    """The path as seen from the current folder, where it lies below it."""
    file, here = Path(path), Path.cwd()
    return file.relative_to(here) if file.is_relative_to(here) else file


class RecordError(LudusError):
    """A record does not hold; `ply` counts the moves that were still good, None before the first."""

    def __init__(self, sentence: str, *, ply: int | None = None) -> None:
        self.ply = ply
        super().__init__(sentence)


class AgentError(LudusError):
    """No agent of that name, an option that it does not have, or a game that it cannot play."""


class NetworkError(LudusError):
    """A file that is no network, is damaged, or belongs to another game or version."""


class ProtocolError(LudusError):
    """A line that is none of the protocol in which an agent program is spoken to."""


class BotError(LudusError):
    """A bot's file that cannot be read, or that cannot play this game."""


class EventError(LudusError):
    """No event of that name, or an event file that does not describe one."""


class SandboxError(LudusError):
    """Bots cannot be isolated as asked on this machine, or what isolates them has ended: no bot is to blame."""


class StoreError(LudusError):
    """A folder that is no tournament's, holds another tournament, or is written by another run now."""


class EngineError(LudusError):
    """No such engine, nothing that answers there, or workers that only die."""

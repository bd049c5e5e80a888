"""A program as a player, in any language, over lines of text: our JSON protocol, or that of CodinGame.

docs/reference/protocol.md describes both. An agent of ours is such a program, and speaks JSON.
"""

from __future__ import annotations

import json
from typing import Any, Protocol

from ludus.agents.protocols import CODINGAME_GAMES, PROTOCOL
from ludus.bots.interfaces import described
from ludus.bots.plain import shown
from ludus.bots.player import Choice, Failure, Setup, Turn, failed
from ludus.errors import BotError, MoveError
from ludus.rules import Game
from ludus.sandbox.process import Evidence, Level, Process, Reply

OTHER_PROTOCOL = " (a program that speaks the protocol of CodinGame is named codingame:PATH)"


class Language(Protocol):
    """A protocol of lines: what the program is told, and what its line means."""

    def greeting(self, setup: Setup) -> bytes:
        """What is said before the first move and wants an answer; nothing where the protocol has none."""

    def greeted(self, line: str) -> None:
        """Raises a ValueError with a sentence where the greeting is not answered as it should be."""

    def question(self, turn: Turn) -> bytes:
        """The lines that ask for a move."""

    def move_text(self, line: str) -> str:
        """The move that the line names, or a ValueError with a sentence."""


class JsonLines:
    """One line of JSON per request and answer."""

    def __init__(self, *, is_brief: bool = False) -> None:
        self.is_brief = is_brief  # an agent of ours knows the rules, and needs the moves only

    def greeting(self, setup: Setup) -> bytes:
        request = {
            "type": "start",
            "protocol": PROTOCOL,
            "game": setup.game.name,
            "options": setup.options,
            "seat": setup.seat,
            "move_ms": 1000 * setup.limit_s,
            "first_ms": 1000 * setup.first_limit_s,
            "seed": setup.seed,
        }
        return _line(request)

    def greeted(self, line: str) -> None:
        if _object(line).get("type") != "ready":
            raise ValueError(f'it answered {line[:60]!r} to "start"; {{"type": "ready"}} was expected')

    def question(self, turn: Turn) -> bytes:
        request = {"moves": [turn.game.move_name(move) for move in turn.moves]} if self.is_brief else described(turn)
        return _line({"type": "move", **request, "move_ms": 1000 * turn.limit_s, "bank_ms": 1000 * turn.bank_s})

    def move_text(self, line: str) -> str:
        answer = _object(line)
        if answer.get("type", "move") != "move" or not isinstance(answer.get("move"), str):
            raise ValueError(f'it answered {line[:60]!r}; {{"type": "move", "move": "..."}} was expected')
        return str(answer["move"])


class CodinGame:
    """The opponent's row and column, a count, so many legal moves; the answer is a row and a column."""

    def greeting(self, _setup: Setup) -> bytes:
        return b""

    def greeted(self, line: str) -> None:
        raise AssertionError(f"nobody asked, and yet {line!r}")

    def question(self, turn: Turn) -> bytes:
        name = turn.game.move_name
        lines = [name(turn.moves[-1]) if turn.moves else "-1,-1"]
        legal = turn.game.legal(turn.state)
        lines += [str(len(legal)), *map(name, legal)]
        return "".join(line.replace(",", " ") + "\n" for line in lines).encode()

    def move_text(self, line: str) -> str:
        words = line.split()
        if len(words) != 2 or not all(word.isascii() and word.lstrip("-").isdigit() for word in words):
            raise ValueError(f"it answered {line[:60]!r}; 'row col' was expected")
        return ",".join(word[:12] for word in words)


def language(name: str, game: Game) -> Language:
    """The protocol of that name, where it can speak of the game."""
    if name == "codingame" and game.name not in CODINGAME_GAMES:
        known = " and ".join(CODINGAME_GAMES)
        raise BotError(f"the protocol codingame is for {known}; for {game.name} a program speaks JSON lines")
    return CodinGame() if name == "codingame" else JsonLines()


class ProgramPlayer:
    """One program in one game, or in several one after the other where it is an agent of ours."""

    is_timed = True

    def __init__(self, process: Process, *, name: str, language: Language, loading_s: float) -> None:
        self.process, self.name, self.language, self.loading_s = process, name, language, loading_s

    @property
    def level(self) -> Level:
        return self.process.level

    def begin(self, setup: Setup) -> Failure | None:
        greeting = self.language.greeting(setup)
        reply = self.process.ready
        if reply.kind == "answer" and greeting:
            reply = self.process.ask(greeting, limit_s=self.loading_s)
        if reply.kind != "answer":
            failure = failed(reply).failure
            hint = OTHER_PROTOCOL if greeting and setup.game.name in CODINGAME_GAMES else ""
            return failure and failure._replace(reason=f"before the first move: {failure.reason}{hint}")
        try:
            if greeting:
                self.language.greeted(_text(reply))
        except ValueError as error:
            return Failure("protocol", str(error))
        return None

    def choose(self, turn: Turn) -> Choice:
        reply = self.process.ask(self.language.question(turn), limit_s=turn.patience_s)
        if reply.kind != "answer":
            return failed(reply)
        try:
            text = self.language.move_text(_text(reply))
        except ValueError as error:
            return Choice(None, Failure("protocol", str(error)), reply.spent)
        try:
            return Choice(turn.game.legal_move(turn.state, text), None, reply.spent)
        except MoveError as error:
            return Choice(None, Failure("illegal", str(error)), reply.spent)

    def evidence(self) -> Evidence:
        return self.process.evidence

    def close(self) -> None:
        self.process.close()


def _line(request: dict[str, Any]) -> bytes:
    return json.dumps(request, separators=(",", ":")).encode() + b"\n"


def _object(line: str) -> dict[str, Any]:
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError(f"it answered {line[:60]!r}, which is not JSON") from None
    if not isinstance(answer, dict):
        raise ValueError(f"it answered {shown(line)}; a JSON object was expected")
    return answer


def _text(reply: Reply) -> str:
    return reply.answer.decode("utf-8", "replace").strip()

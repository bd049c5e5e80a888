"""A Python file as a player: asked in its event's interface, and what it was handed is compared afterwards."""

from __future__ import annotations

import json
from typing import Any

from ludus.bots.interfaces import Interface, question
from ludus.bots.player import Choice, Failure, Setup, Turn, failed
from ludus.errors import MoveError
from ludus.sandbox.process import Evidence, Level, Process, Reply


class PythonBot:
    """One bot in one game, in a process of its own that somebody else made."""

    is_timed = True

    def __init__(self, process: Process, *, name: str, interface: Interface) -> None:
        self.process, self.name, self.interface = process, name, interface

    @property
    def level(self) -> Level:
        return self.process.level

    def begin(self, _setup: Setup) -> Failure | None:
        ready = self.process.ready
        if ready.kind == "answer":
            return None
        failure = failed(ready).failure
        return failure and failure._replace(reason=f"while it was loaded: {failure.reason}")

    def choose(self, turn: Turn) -> Choice:
        message, handed_over = question(self.interface, turn)
        reply = self.process.ask(message, limit_s=turn.patience_s)
        if reply.kind != "answer":
            return failed(reply)
        answer, newline, after = reply.answer.partition(b"\n")
        if not newline:
            return _failure(reply, "protocol", "its answer was not made by the code that asks it")
        if after != handed_over:
            return _failure(reply, "tampering", _difference(self.interface, handed_over, after))
        try:
            text = self.interface.answer(json.loads(answer.decode()))
            return Choice(turn.game.legal_move(turn.state, text), None, reply.spent)
        except MoveError as error:
            return _failure(reply, "illegal", str(error))
        except (ValueError, TypeError, RecursionError, LookupError, AttributeError):
            return _failure(reply, "protocol", "its answer was not made by the code that asks it")

    def evidence(self) -> Evidence:
        return self.process.evidence

    def close(self) -> None:
        self.process.close()


def _failure(reply: Reply, kind: Any, reason: str) -> Choice:
    return Choice(None, Failure(kind, reason), reply.spent)


def _difference(interface: Interface, before: bytes, after: bytes) -> str:
    """Where what was handed over was changed, by the name under which the bot knows it."""
    try:
        given, left = json.loads(before), json.loads(after)
    except (ValueError, RecursionError):
        given, left = None, None
    names = interface.handed
    if not isinstance(left, list) or len(left) != len(given):
        return f"it changed {' or '.join(names)} into something else"
    pairs = [(names[0], given, left)] if len(names) == 1 else zip(names, given, left, strict=True)
    found = next((found for name, one, other in pairs if (found := _first_difference(one, other, name))), None)
    if found is None:
        return f"it changed {' or '.join(names)}"
    path, old, new = found
    return f"it changed {path} from {json.dumps(old)[:30]} to {json.dumps(new)[:30]}"


def _first_difference(before: Any, after: Any, path: str) -> tuple[str, Any, Any] | None:
    if type(before) is type(after) and isinstance(before, list) and len(before) == len(after):
        pairs = [(f"{path}[{index}]", one, other) for index, (one, other) in enumerate(zip(before, after, strict=True))]
    elif type(before) is type(after) and isinstance(before, dict) and list(before) == list(after):
        pairs = [(f"{path}[{key!r}]", before[key], after[key]) for key in before]
    else:
        return (path, before, after) if type(before) is not type(after) or before != after else None
    return next((found for pair in pairs if (found := _first_difference(pair[1], pair[2], pair[0]))), None)

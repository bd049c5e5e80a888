"""What one engine makes of every position of a recorded game: worked out once, told to everybody who looks at it."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from ludus.errors import LudusError
from ludus.records import Replay
from ludus.rules import Line
from ludus.search.finding import SCALE
from ludus.sittings.engine import Question, first_chance
from ludus.view.scene import Hint, scene_of_line
from ludus.view.svg import fragments
from ludus.web.engine import Engines, Lease, waiting_sentence

GAME_S = 40.0  # for a whole game, as far as its positions get between these
SHORTEST_S, LONGEST_S = 0.05, 0.4
MOST_POSITIONS = 600
MOST_REMEMBERED = 64
WORST, LEAST_LOSS = 3, 0.03
LONGEST_LINE = 8  # moves of the better line that are told

Tell = Callable[[dict[str, Any]], None]


class Value(NamedTuple):
    """What a position is worth."""

    chance: float  # of seat 0, 0 to 1
    score: int  # seat 0's payoff in thousandths
    is_exact: bool
    best: tuple[int, ...] = ()  # the best line; none where the game is over


class Bad(NamedTuple):
    """A move that lost much of its side's chance."""

    ply: int  # of the position after it
    loss: float
    points: float  # the payoff that it lost
    better: tuple[int, ...]


class Evaluation:
    """The values of one game, found from its end to its start: what lies ahead is known by then."""

    def __init__(self, played: Replay, engines: Engines) -> None:
        self.played, self.engines = played, engines
        self.values: dict[int, Value] = {}
        self.tellers: set[Tell] = set()
        self.note = ""
        self._task: asyncio.Task[None] | None = None

    @property
    def is_whole(self) -> bool:
        return len(self.values) == len(self.plies())

    def plies(self) -> range:
        """The positions that are evaluated: all, unless the game is too long for that."""
        return range(min(len(self.played.states), MOST_POSITIONS))

    def join(self, tell: Tell) -> None:
        """Be told of what comes; what is known already is `known`."""
        self.tellers.add(tell)
        if not self.is_whole and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._work())

    async def leave(self, tell: Tell) -> None:
        """Nothing is worked out for nobody."""
        self.tellers.discard(tell)
        if not self.tellers and self._task is not None and not self._task.done():
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    def known(self) -> list[dict[str, Any]]:
        messages = [{"is": "values", "values": [self._told(ply) for ply in sorted(self.values)]}, self._progress()]
        return [*messages, self.worst()] if self.is_whole else messages

    async def _work(self) -> None:
        lease = self.engines.lease(self.played.game)
        try:
            for ply in reversed(self.plies()):
                if ply not in self.values:
                    self.values[ply] = await self._value(lease, ply)
                    self._tell({"is": "values", "values": [self._told(ply)]})
                    self._tell(self._progress())
            self._tell(self.worst())
        except LudusError as error:
            self._tell({"is": "error", "text": str(error)})
        finally:
            await lease.close()

    async def _value(self, lease: Lease, ply: int) -> Value:
        game, state = self.played.game, self.played.states[ply]
        payoff = game.result(state)
        if payoff is not None:
            return Value(0.5 if payoff == 0 else float(payoff > 0), SCALE * payoff, True)
        names = [game.move_name(move) for move in self.played.moves[:ply]]
        seconds = max(SHORTEST_S, min(LONGEST_S, GAME_S / len(self.plies())))
        question = Question(names, game.turn(state), seconds, state=self.played.states[0], lines=1)
        found = await lease.think(question, on_wait=self._wait)
        if not found.lines:
            raise LudusError("the engine found nothing to say about this game")
        best = found.lines[0]
        return Value(first_chance(found), best.score, best.is_exact, best.line)

    def _wait(self, place: int) -> None:
        before, self.note = self.note, waiting_sentence(place, self.engines.most) if place else ""
        if before != self.note:
            self._tell(self._progress())

    def _tell(self, message: dict[str, Any]) -> None:
        for tell in list(self.tellers):
            tell(message)

    def _progress(self) -> dict[str, Any]:
        return {"is": "progress", "done": len(self.values), "of": len(self.plies()), "note": self.note}

    def _told(self, ply: int) -> dict[str, Any]:
        value = self.values[ply]
        names = [self.played.game.move_name(move) for move in value.best[:LONGEST_LINE]]
        return {"ply": ply, "chance": round(value.chance, 3), "exact": value.is_exact, "best": names[:1]}

    def worst(self) -> dict[str, Any]:
        """The worst moves, each with the better line and the sign of its first move for the board."""
        game = self.played.game
        moves = [
            {
                "ply": bad.ply,
                "loss": round(bad.loss, 3),
                "points": round(bad.points, 2),
                "better": [game.move_name(move) for move in bad.better[:LONGEST_LINE]],
                "sign": self._sign(bad),
            }
            for bad in worst_moves(self.played, self.values)
        ]
        return {"is": "worst", "moves": moves}

    def _sign(self, bad: Bad) -> str:
        """The better move as a hint on the board."""
        before = bad.ply - 1
        value, mover = self.values[before], self.played.turns[before]
        chance = value.chance if mover == 0 else 1 - value.chance
        line = Line(self.played.states, self.played.moves)
        scene = scene_of_line(self.played.game, line, ply=before, hints=[Hint(bad.better[0], chance)])
        return "".join(svg for key, svg in fragments(scene)["over"].items() if key.startswith("hint "))


def worst_moves(played: Replay, values: dict[int, Value]) -> list[Bad]:
    """Up to three moves that lost most, in the order in which they were played.

    What counts is the chance to win, and among moves that lost none of it the payoff that is proven lost.
    """
    found = []
    for ply, (mover, move) in enumerate(zip(played.turns, played.moves, strict=True)):
        before, after = values.get(ply), values.get(ply + 1)
        if before is None or after is None or before.best[:1] in ((), (move,)):
            continue
        sign = 1 if mover == 0 else -1
        loss, points = sign * (before.chance - after.chance), sign * (before.score - after.score) / SCALE
        is_proven = before.is_exact and after.is_exact and points >= 1
        if loss >= LEAST_LOSS or is_proven:
            found.append(Bad(ply + 1, max(0.0, loss), points, before.best))
    found.sort(key=lambda bad: (-round(bad.loss, 3), -bad.points, bad.ply))
    return sorted(found[:WORST], key=lambda bad: bad.ply)


class Evaluations:
    """Those that were looked at last."""

    def __init__(self, engines: Engines) -> None:
        self.engines = engines
        self.kept: OrderedDict[str, Evaluation] = OrderedDict()

    def of(self, played: Replay) -> Evaluation:
        """The evaluation of a game; the same moves from the same start share one."""
        told = json.dumps([played.game.name, str(played.game.path), played.states[0], played.moves])
        key = hashlib.sha256(told.encode()).hexdigest()
        if key not in self.kept:
            unused = [old for old, one in self.kept.items() if not one.tellers]
            for old in unused[: max(0, len(self.kept) + 1 - MOST_REMEMBERED)]:
                del self.kept[old]
            self.kept[key] = Evaluation(played, self.engines)
        self.kept.move_to_end(key)
        return self.kept[key]

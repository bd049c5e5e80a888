"""One analysis board that somebody has open: a position, an engine that thinks about it, and what the page is told."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from ludus.agents.analysis import Analysis, Variation
from ludus.errors import LudusError, MoveError
from ludus.picture import Seat
from ludus.rules import Game
from ludus.screens.picking import pick
from ludus.search.finding import SCALE
from ludus.sittings.engine import Question, first_chance
from ludus.view.analysis import hints_of, line_on_board, verdict
from ludus.view.canvas import printable
from ludus.view.scene import Scene, scene_of_line
from ludus.web.audience import Listener, Message
from ludus.web.engine import Engines, Lease, waiting_sentence
from ludus.web.frames import Picture, changes, picture_of
from ludus.web.positions import Position, asked_position
from ludus.web.settings import Settings

LINES = 3
LONGEST_THEN = 12  # moves of a line that are told
USUAL_S = 20.0
LONGEST_MOVE = 200


class Study:
    """Everything happens on the loop; the engine has a process, which ends with the page."""

    def __init__(self, settings: Settings, engines: Engines) -> None:
        self.settings, self.engines = settings, engines
        self.listener: Listener | None = None
        self.position: Position | None = None
        self.is_on, self.seconds, self.note = False, USUAL_S, ""
        self.analysis: Analysis | None = None  # of this position
        self.is_thinking = False
        self.chances: dict[int, float] = {}  # of seat 0, by ply of this line
        self.scene: Scene | None = None
        self.picture: Picture | None = None
        self._lease: Lease | None = None
        self._task: asyncio.Task[None] | None = None

    # ---- what the page is told

    def whole(self) -> Iterable[str]:
        """Everything, for a page that knows nothing; one that is new is asked for its position by "hello"."""
        if self.picture is None:
            yield json.dumps({"is": "hello"})
        else:
            yield json.dumps(changes(None, self.picture))
            yield json.dumps(self._line())
            yield json.dumps(self._advice())

    def _tell(self, message: Message) -> None:
        if self.listener is not None:
            self.listener.tell(json.dumps(message))

    def _draw(self, *, still: bool = False) -> None:
        """Tell how the board looks now, with the hints and the best line of the engine."""
        position, analysis = self.position, self.analysis
        assert position is not None
        has_lines = analysis is not None and bool(analysis.lines)
        self.scene = scene_of_line(
            position.game,
            position.shown,
            hints=hints_of(analysis) if analysis and has_lines else (),
            best_line=line_on_board(analysis) if analysis and has_lines else (),
        )
        before, self.picture = self.picture, picture_of(self.scene, may_move=True, ply=position.ply)
        self._tell(changes(before, self.picture, still=still))

    def _line(self) -> Message:
        """The moves, where one is among them, and the address of the position."""
        position = self.position
        assert position is not None
        turns = [position.game.turn(state) for state in position.line.states[:-1]]
        known = {str(ply): round(chance, 3) for ply, chance in self.chances.items()}
        return {
            "is": "line",
            "game": position.game.name,
            "title": position.game.title,
            "start": position.start,
            "state": json.dumps(dict(zip(position.game.module.State._fields, position.state, strict=True))),
            "moves": position.names(),
            "turns": turns,
            "ply": position.ply,
            "chances": known,
        }

    def _advice(self) -> Message:
        """What the engine says, and what it is doing."""
        told: Message = {"is": "advice", "on": self.is_on, "running": self.is_thinking, "note": self.note, "lines": []}
        position, analysis = self.position, self.analysis
        if position is None or self.scene is None:
            return told
        seats = self.scene.view.seats
        payoff = position.game.result(position.state)
        if payoff is not None:
            chance = 0.5 if payoff == 0 else float(payoff > 0)
            return {**told, "words": self.scene.status, "chance": chance, "exact": True}
        if analysis is None or not analysis.lines:
            doing = (analysis.doing if analysis is not None else "") or "getting ready"
            return {**told, "words": doing if self.is_thinking else ""}
        words, ahead = verdict(seats, analysis)
        best = analysis.lines[0]
        return {
            **told,
            "words": words + _in_n(best),
            "ahead": ahead,
            "chance": round(first_chance(analysis), 3),
            "exact": best.is_exact,
            "lines": [
                _told(position.game, seats, line, hint.chance)
                for line, hint in zip(analysis.lines, hints_of(analysis), strict=True)
            ],
            "depth": analysis.depth,
            "nodes": analysis.nodes,
            "speed": round(analysis.nodes_per_second),
            "seconds": round(analysis.seconds, 1),
            "doing": analysis.doing,
            "note": self.note or analysis.note,
        }

    # ---- what the page asks for

    async def act(self, asked: Message) -> None:
        """Do what is asked for; what is wrong with it is a LudusError."""
        action = asked["do"]
        if action == "set":
            await self._set(await asyncio.to_thread(asked_position, asked, self.settings))
        elif self.position is None:
            raise LudusError("set a position first")
        elif action == "move":
            await self._move(self.position, asked)
        elif action == "go":
            ply = asked.get("ply")
            await self._set(self.position.at(ply if type(ply) is int else self.position.ply))
        elif action == "engine":
            await self._switch(asked)
        elif action == "why":
            self._explain(self.position, asked.get("key"))
        else:
            raise LudusError(f"there is nothing that is called {action[:20]!r}")

    async def close(self) -> None:
        """The page has gone, and its engine goes."""
        await self._rest()
        if self._lease is not None:
            await self._lease.close()

    async def _move(self, position: Position, asked: Message) -> None:
        if asked.get("ply", position.ply) != position.ply:
            return  # a click on a board that is no longer there
        text, move = asked.get("text"), asked.get("move")
        if text is None and type(move) is int and 0 <= move < position.game.move_limit:
            text = position.game.move_name(move)
        if not isinstance(text, str) or len(text) > LONGEST_MOVE:
            raise MoveError("that is no move of this game")
        await self._set(position.after(position.game.legal_move(position.state, text)))

    async def _set(self, position: Position) -> None:
        """Look at another position; an engine that is on thinks about it at once."""
        before = self.position
        await self._rest()
        if before is None or before.game is not position.game:
            self.picture = None  # another board: nothing of the old one stays
            if self._lease is not None:
                await self._lease.close()
                self._lease = None
        if before is None or (before.game, before.start) != (position.game, position.start):
            self.chances = {}
        else:
            same = _common(before.line.moves, position.line.moves)
            self.chances = {ply: chance for ply, chance in self.chances.items() if ply <= same}
        self.position, self.analysis, self.note = position, None, ""
        self._draw()
        if self.is_on:
            self._start()
        self._tell(self._line())
        self._tell(self._advice())

    async def _switch(self, asked: Message) -> None:
        seconds = asked.get("seconds", self.seconds)
        if not isinstance(seconds, int | float) or isinstance(seconds, bool) or not seconds >= 0.1:
            raise LudusError("the seconds of a position are a number from 0.1 up")
        await self._rest()
        self.seconds = float(min(seconds, self.settings.limits.analysis_s))
        self.is_on, self.note = asked.get("on") is True, ""
        if self.is_on:
            self._start()
        self._tell(self._advice())

    def _explain(self, position: Position, key: object) -> None:
        if self.scene is None or not isinstance(key, str) or key not in self.scene.view.areas():
            raise LudusError("there is no such place on the board")
        complaint = pick(position.game, position.state, self.scene, (), key).complaint
        self._tell({"is": "say", "text": complaint or "This is where a move may begin."})

    # ---- the engine

    def _start(self) -> None:
        position = self.position
        assert position is not None
        if position.game.result(position.state) is None:
            self.is_thinking = True
            self._task = asyncio.create_task(self._think(position))

    async def _rest(self) -> None:
        """Whatever is thought about ends."""
        task, self._task = self._task, None
        if task is not None and not task.done():
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        self.is_thinking = False

    async def _think(self, position: Position) -> None:
        if self._lease is None:
            self._lease = self.engines.lease(position.game)
        names = position.names()[: position.ply]
        question = Question(
            names,
            position.game.turn(position.state),
            self.seconds,
            state=position.line.start,
            lines=LINES,
            proves=True,
        )
        try:
            found = await self._lease.think(
                question, hear=lambda so_far: self._hear(position, so_far), on_wait=self._wait
            )
        except LudusError as error:
            self.is_thinking, self.is_on, self.note = False, False, printable(str(error))
            self._tell(self._advice())
            return
        self.is_thinking = False
        self._hear(position, found)

    def _hear(self, position: Position, found: Analysis) -> None:
        """The engine knows more, unless it speaks of a position that is no longer looked at."""
        if position is not self.position:
            return
        is_same = self.analysis is not None and _shown(self.analysis) == _shown(found)
        self.analysis = found
        if found.lines:
            self.chances[position.ply] = first_chance(found)
            if not is_same:
                self._draw(still=True)
        self._tell(self._advice())

    def _wait(self, place: int) -> None:
        self.note = waiting_sentence(place, self.engines.most) if place else ""
        self._tell(self._advice())


def _shown(analysis: Analysis) -> tuple[Any, ...]:
    """What of an analysis stands on the board."""
    return tuple(hints_of(analysis)) if analysis.lines else (), line_on_board(analysis)


def _common(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    """How many moves two lines share."""
    return next((ply for ply, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _in_n(line: Variation) -> str:
    return "" if line.ends_in is None else f", in {line.ends_in} move{'s' if line.ends_in != 1 else ''}"


def _told(game: Game, seats: tuple[Seat, Seat], line: Variation, chance: float) -> Message:
    """One line for the page: its move, what it is worth, and what follows."""
    winner = seats[0 if line.score > 0 else 1].name
    amount = abs(line.score) / SCALE
    if line.is_exact:
        worth = "draw" if line.score == 0 else f"{winner} wins" if amount == 1 else f"{winner} by {amount:g}"
    else:
        worth = "even" if line.score == 0 else f"{winner} +{amount:.2f}"
    return {
        "move": printable(game.move_name(line.move)),
        "code": line.move,
        "percent": f"{100 * chance:.0f} %",
        "worth": worth if line.ends_in is None else f"{worth} in {line.ends_in}",
        "exact": line.is_exact,
        "then": [printable(game.move_name(move)) for move in line.line[1:LONGEST_THEN]],
        "depth": line.depth,
        "visits": line.visits,
    }

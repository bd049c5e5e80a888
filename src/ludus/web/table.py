"""One game at one table: who sits there, who looks on, who answers, and what all of them are shown."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Coroutine, Iterable
from dataclasses import replace
from typing import Literal, TypeVar

from ludus.agents.analysis import Analysis
from ludus.bots.entrants import AgentName
from ludus.errors import LudusError
from ludus.sittings.engine import Question, first_chance
from ludus.sittings.opponent import COMPILED, SOON_S, Opponent
from ludus.sittings.sitting import Sitting
from ludus.view.analysis import hints_of, line_on_board
from ludus.view.canvas import printable
from ludus.view.scene import Scene, scene_of_line
from ludus.web.audience import Listener
from ludus.web.engine import Engines, Lease, waiting_sentence
from ludus.web.frames import Frame, Picture, changes, picture_of
from ludus.web.settings import Settings
from ludus.web.telling import told_beside

Found = TypeVar("Found")
Company = Literal["machine", "here", "link"]  # the other one: a machine, somebody at this browser, somebody elsewhere
NEITHER: frozenset[int] = frozenset()


class Table:
    """A sitting that browsers share. Everything here happens on the loop; whoever thinks has a process."""

    def __init__(
        self, sitting: Sitting, company: Company, settings: Settings, *, advisers: Engines, owner: str = ""
    ) -> None:
        self.id = secrets.token_urlsafe(9)
        self.sitting, self.company, self.settings, self.owner = sitting, company, settings, owner
        self.keys = _seat_keys(sitting, company)
        self.viewers: dict[Listener, frozenset[int]] = {}
        self.opponents = {
            seat: Opponent(sitting.pitch, entrant, seat, settings.open_room)
            for seat, entrant in enumerate(sitting.agreement.entrants)
            if not sitting.is_person(seat)
        }
        self.advisers = advisers
        self.adviser: Lease | None = None
        self.analysis: Analysis | None = None  # of this position
        self.shows_hint, self.shows_bar = False, False
        self.chances: dict[int, float] = {}  # of seat 0, by ply
        self.asking: int | None = None  # the seat that would like to take back
        self.note = ""
        self.used_at = time.monotonic()
        self.is_resting = False
        self.next_table: Table | None = None  # of the rematch
        self._thinking: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.told = 0  # moves of the log that everybody knows
        self.scene = self._scene()
        self.picture = self._picture()

    # ---- coming and going

    def begin(self) -> None:
        """Let whoever is not a person get ready, and play if it is its turn."""
        self._get_ready()
        self._go_on()

    def _get_ready(self) -> None:
        if not self.is_over:
            for seat, opponent in self.opponents.items():
                self._start(self._prepare(seat, opponent))

    def join(self, listener: Listener, seats: frozenset[int]) -> None:
        self.viewers[listener] = seats
        self.used_at = time.monotonic()
        if self.is_resting:
            self.is_resting = False
            self._get_ready()
        if self.shows_bar and self.analysis is None:
            self.advise()

    def leave(self, listener: Listener) -> None:
        self.viewers.pop(listener, None)
        self.used_at = time.monotonic()

    def rest(self) -> None:
        """Nobody looks: what takes memory ends, as far as it can be started anew in the middle of a game."""
        self.is_resting = True
        for opponent in self.opponents.values():
            if self.is_over or isinstance(opponent.entrant, AgentName):
                opponent.rest()
        if self.adviser is not None and not self.adviser.is_thinking:
            self._start(self.adviser.drop())

    def seats_of(self, key: str | None) -> frozenset[int]:
        """The seats that a key lets somebody play; none for those who only look on."""
        given = (key or "").encode("utf-8", "replace")
        found = [seats for one, seats in self.keys.items() if secrets.compare_digest(one.encode(), given)]
        return found[0] if found else NEITHER

    def whole(self, seats: frozenset[int]) -> Iterable[str]:
        """What a browser is told that knows nothing yet."""
        yield json.dumps({"is": "hello", "you": sorted(seats), "company": self.company})
        frame = changes(None, self.picture if self.may_move(seats) else self.picture.without_moves())
        yield json.dumps({**frame, "table": told_beside(self, since=0)})

    def earlier(self, ply: int) -> Frame:
        """The board as it was after so many moves, whole, for somebody who looks back."""
        sitting = self.sitting
        scene = scene_of_line(sitting.game, sitting.line, ply=ply, players=sitting.names)
        return changes(None, picture_of(scene, may_move=False, ply=ply))

    async def close(self) -> None:
        """Nothing of it is left."""
        for listener in list(self.viewers):
            listener.tell(json.dumps({"is": "gone"}))
        for task in list(self._tasks):
            task.cancel()
        if self.adviser is not None:
            await self.adviser.close()
        await asyncio.gather(*(asyncio.to_thread(opponent.close) for opponent in self.opponents.values()))

    @property
    def is_over(self) -> bool:
        return self.sitting.turn is None

    # ---- what is shown

    def publish(self, *, still: bool = False) -> None:
        """Tell everybody what changed: written once for those who may move, once for all others."""
        before, known = self.picture, self.told
        self.scene = self._scene()
        self.picture = self._picture()
        frame: Frame = {**changes(before, self.picture, still=still), "table": told_beside(self, since=known)}
        self.told = len(self.sitting.moves)
        movers = [viewer for viewer, seats in self.viewers.items() if self.may_move(seats)]
        if movers:
            text = json.dumps(frame)
            for viewer in movers:
                viewer.tell(text)
        if len(self.viewers) > len(movers):
            text = json.dumps({**frame, "moves": [], "legal": []})
            for viewer, seats in self.viewers.items():
                if not self.may_move(seats):
                    viewer.tell(text)

    def may_move(self, seats: frozenset[int]) -> bool:
        return self.sitting.turn in seats

    def _scene(self) -> Scene:
        analysis = self.analysis if self.shows_hint else None
        has_lines = analysis is not None and bool(analysis.lines)
        scene = scene_of_line(
            self.sitting.game,
            self.sitting.line,
            hints=hints_of(analysis) if analysis and has_lines else (),
            best_line=line_on_board(analysis) if analysis and has_lines else (),
            players=self.sitting.names,
        )
        return scene if self.sitting.verdict is None else replace(scene, mover=None, paths={})

    def _picture(self) -> Picture:
        sitting = self.sitting
        status = sitting.ending() or self.scene.status
        if sitting.turn is not None and not sitting.is_person(sitting.turn):
            status = f"{sitting.names[sitting.turn]} is thinking"
        return picture_of(self.scene, may_move=True, ply=len(sitting.moves), status=printable(status))

    # ---- how the game goes on

    def changed(self) -> None:
        """A new position: nothing that was thought about the old one counts."""
        self.analysis, self.shows_hint, self.asking = None, False, None
        self.told = min(self.told, len(self.sitting.moves))
        if self._thinking is not None:
            self._thinking.cancel()
        for opponent in self.opponents.values():
            opponent.stop()
        self.publish()
        self._go_on()

    def _go_on(self) -> None:
        turn = self.sitting.turn
        if turn is None:
            return
        if self.sitting.is_person(turn):
            self.advise()
        else:
            self._thinking = self._start(self._answer(turn))

    def advise(self) -> None:
        """Let the adviser think about this position, if anybody wants to see what it says."""
        is_wanted = self.shows_hint or (self.shows_bar and self.viewers)
        if not is_wanted or not self.sitting.is_person(self.sitting.turn):
            return
        limits = self.settings.limits
        if self._thinking is not None:
            self._thinking.cancel()
        self._thinking = self._start(self._think(limits.hint_s if self.shows_hint else limits.bar_s))

    def _start(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _prepare(self, seat: int, opponent: Opponent) -> None:
        """Excuse an opponent that needs long to get ready: the first time ever, its search is compiled."""
        name = self.sitting.names[seat]
        try:
            ready = asyncio.wrap_future(opponent.get_ready())
            await self._awaited(ready, excuse=f"{name} is getting ready; {COMPILED}", after_s=SOON_S)
        except LudusError as error:
            self._remark(str(error))
            return
        self._remark("")

    async def _answer(self, seat: int) -> None:
        try:
            choice = await asyncio.wrap_future(self.opponents[seat].choose(self.sitting))
        except LudusError as error:
            self._remark(str(error))
            return
        if choice.move is None:
            assert choice.failure is not None
            self.sitting.fail(choice.failure)
        else:
            self.sitting.play(choice.move, choice.spent)
        self._thinking = None
        self.changed()

    async def _think(self, seconds: float) -> None:
        sitting, turn = self.sitting, self.sitting.turn
        assert turn is not None
        if self.adviser is None:
            self.adviser = self.advisers.lease(sitting.game)
        names = [sitting.game.move_name(move) for move in sitting.moves]
        question = Question(names, turn, seconds, options=sitting.agreement.options)
        thinking = asyncio.ensure_future(self.adviser.think(question, on_wait=self._wait))
        excuse = f"The adviser is getting ready; {COMPILED}"
        try:
            self.analysis = await self._awaited(thinking, excuse=excuse, after_s=seconds + 2 * SOON_S)
        except LudusError as error:
            self.shows_hint = self.shows_bar = False
            self._remark(printable(str(error)))
            return
        if self.analysis.lines:
            self.chances[len(sitting.moves)] = first_chance(self.analysis)
        self.note = ""
        self.publish(still=True)

    def _wait(self, place: int) -> None:
        if place:
            self._remark(waiting_sentence(place, self.advisers.most))

    async def _awaited(self, found: asyncio.Future[Found], *, excuse: str, after_s: float) -> Found:
        """What the future gives; if that takes longer, those who wait are told why."""
        try:
            done, _ = await asyncio.wait({found}, timeout=after_s)
            if not done and not self.note:
                self._remark(excuse)
            return await found
        finally:
            found.cancel()  # whoever is cancelled here no longer hears what becomes of it

    def _remark(self, note: str) -> None:
        if note != self.note:
            self.note = note
            self.publish(still=True)


def _seat_keys(sitting: Sitting, company: Company) -> dict[str, frozenset[int]]:
    """A key for each person's seat, or one for both where both use this browser."""
    people = [seat for seat in (0, 1) if sitting.is_person(seat)]
    groups = [frozenset(people)] if company != "link" else [frozenset([seat]) for seat in people]
    return {secrets.token_urlsafe(16): group for group in groups}

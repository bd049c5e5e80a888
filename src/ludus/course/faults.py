"""What a bot did wrong while it was checked: each fault once, with where it happened and how often."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ludus.bots.player import Failure
from ludus.course.asking import Answer
from ludus.course.ladder import Played
from ludus.course.positions import KINDS
from ludus.rules import Game

CONFUSED = ("illegal", "exception")  # how a bot fails that is put into a game that it did not play
BEFORE_PLAY = ("while it was loaded", "before the first move")  # how reasons begin that every game would have
MOSTLY = 0.5


class Fault(NamedTuple):
    """A failure, where it was seen first, and how often it was seen."""

    kind: str
    reason: str
    line: int | None
    where: str
    times: int = 1
    seats: tuple[int, ...] = ()
    traceback: str = ""

    @property
    def sentence(self) -> str:
        at = f" (line {self.line})" if self.line else ""
        if self.reason.startswith(BEFORE_PLAY):
            return f"{self.reason}{at}"
        often = f", and {self.times - 1} more" if self.times > 1 else ""
        return f"{self.reason}{at}, {self.where}{often}"


def find_faults(game: Game, played: Iterable[Played], answers: Iterable[Answer]) -> list[Fault]:
    """All kinds of failures, those of whole games first."""
    found: dict[tuple[str, int | None, str], Fault] = {}
    for fault in (*_of_games(played), *_of_answers(game, answers)):
        # Reasons name moves and times, so of one line of the file the kind is enough.
        key = fault.kind, fault.line, "" if fault.line or fault.kind in ("illegal", "timeout") else fault.reason
        known = found.get(key)
        seats = () if known is None else known.seats
        merged = fault if known is None else known._replace(times=known.times + 1)
        found[key] = merged._replace(seats=tuple(sorted({*seats, *fault.seats})))
    return list(found.values())


def _of_games(played: Iterable[Played]) -> Iterator[Fault]:
    for one in played:
        verdict = one.judged.verdict
        if one.is_forfeit:
            order = "first" if one.seat == 0 else "second"
            where = f"in game {one.number} against {one.rung}, as {order} player, in ply {verdict.ply}"
            yield Fault(
                verdict.kind, verdict.reason, verdict.line, where, 1, (one.seat,), one.evidence.traceback.strip()
            )


def _of_answers(game: Game, answers: Iterable[Answer]) -> Iterator[Fault]:
    for answer in answers:
        if answer.failure is not None:
            spot = answer.spot
            what = KINDS[spot.kind] if spot.kinds else "a position of a game"
            where = f"asked in ply {len(spot.line.moves)} ({what})"
            failure: Failure = answer.failure
            traceback = answer.evidence.traceback.strip()
            yield Fault(failure.kind, failure.reason, failure.line, where, 1, (game.turn(spot.state),), traceback)


def follows_the_game(played: Iterable[Played], answers: Iterable[Answer]) -> bool:
    """Whether a bot plays whole games well and is lost in single positions: it keeps its own account of the game.

    Such a bot may keep it, as events play whole games; what it does in single positions says nothing then.
    """
    if any(one.judged.verdict.kind in CONFUSED and one.is_forfeit for one in played):
        return False
    ordinary = [answer for answer in answers if answer.spot.kind == "ordinary"]
    lost = [answer for answer in ordinary if answer.failure is not None and answer.failure.kind in CONFUSED]
    return len(ordinary) >= 2 and len(lost) >= MOSTLY * len(ordinary)

"""The pages of a tournament as HTML, made from its folder in a process of their own: for `following.py`.

The functions run in a worker that keeps what it learned of a folder, so that the times of moves are read only once.
The sections are those of the static report. Strengths take long, so they are found apart and handed in as they were.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from ludus.errors import RecordError, StoreError
from ludus.ratings.bootstrap import Confidence
from ludus.ratings.worth import Worth
from ludus.records import parse_record, replay
from ludus.reports.drawing import move_times
from ludus.reports.export import csv_files
from ludus.reports.findings import Findings, Luck, findings_of
from ludus.reports.markup import Markup, badge, card, element, joined
from ludus.reports.sections_games import FILES, sheet_card
from ludus.reports.sections_tables import opening
from ludus.reports.site import games_card, grades_card, sections, team_cards
from ludus.reports.time_use import TimeUse
from ludus.tournament.store import Store

MOST_TIMED = 3000  # games whose moves are timed: a few milliseconds each
TIMED_S = 0.4  # for reading them, each time
RECENT = 200  # games that tell how long the next ones will take
NICENESS = 5  # games have clocks; pages can wait


class Strength(NamedTuple):
    """What takes long to find, as of some moment."""

    confidence: Confidence | None
    worth: Worth | None
    luck: tuple[Luck, ...]
    worked_s: float = 0.0  # that a core took to find it


class Told(NamedTuple):
    """What the first page of a tournament shows: HTML by section."""

    sections: dict[str, str]
    is_finished: bool
    is_whole: bool  # nothing was left for the next time
    worked_s: float


@dataclass
class _Known:
    """What a worker knows of a folder from the last time."""

    use: TimeUse
    timed: set[str] = field(default_factory=set)
    is_whole: bool = False


_known: dict[str, _Known] = {}  # by folder; it lives as long as the worker


def get_ready() -> None:
    """What takes longest at first is to import all this."""


def first_page(folder: str, *, strength: Strength | None, is_running: bool, slots: int, has_grades: bool) -> Told:
    """Everything of the first page."""
    begin = time.process_time()
    found = _found(folder, strength)
    known = _times(found)
    drawn = _replayable(found)
    names = [name for name in FILES if name != "grades.csv"]
    made: dict[str, object] = {"opening": _opening(found, is_running=is_running, slots=slots)}
    made |= sections(found, known.use, drawn, names, has_grades=has_grades)
    html = {name: str(joined(part)) for name, part in made.items()}
    return Told(html, found.unfolded.is_finished, known.is_whole, time.process_time() - begin)


def strength_of(folder: str) -> Strength:
    """What the games say of the teams' strengths; of a large tournament, it takes seconds."""
    begin = time.process_time()
    with _calmly():
        found = findings_of(Path(folder))
        return Strength(found.confidence, found.worth, found.luck, time.process_time() - begin)


def team_page(folder: str, team: int, *, strength: Strength | None) -> tuple[str, str] | None:
    """A team's name and all that is known of it; None where there is no such team."""
    found = _found(folder, strength)
    if not 0 <= team < len(found.names):
        return None
    games = [game for game in found.games if team in (game.result.pairing.first, game.result.pairing.second)]
    return found.names[team], joined(team_cards(found, team, games, _times(found).use, _replayable(found)))


def games_page(folder: str) -> str:
    found = _found(folder, None)
    return games_card(found, _replayable(found))


def grades_page(folder: str, team: int | None) -> str | None:
    """Everybody's marks, or one team's sheet; None where there are none."""
    found = _found(folder, None)
    if team is None:
        return grades_card(found) if found.sheets else None
    return next((sheet_card(found, sheet, level=1) for sheet in found.sheets if sheet.team == team), None)


def csv_file(folder: str, name: str) -> str | None:
    """One of the files of the report; None where the tournament has no such file."""
    with _calmly():
        found = findings_of(Path(folder)) if name == "ratings.csv" else _found(folder, None)
        return csv_files(found).get(name)


def game_id(folder: str, name: str) -> str | None:
    """The id of the game that goes by this name in links."""
    with Store(Path(folder)) as store:
        query = "select id from game where replace(id, '/', '.') = ? and status = 'played'"
        found = store.database.execute(query, (name,)).fetchone()
    return None if found is None else str(found[0])


def _found(folder: str, strength: Strength | None) -> Findings:
    """The findings, with strengths as they are handed in: they are not looked for here."""
    with _calmly():
        found = findings_of(Path(folder))
    confidence, worth, luck, _ = strength or Strength(None, None, ())
    vars(found).update(confidence=confidence, worth=worth, luck=luck)
    return found


@contextmanager
def _calmly() -> Iterator[None]:
    """Behind everything that has a clock. A file that is being written, or broken, is a StoreError."""
    if os.nice(0) < NICENESS:
        os.nice(NICENESS)
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"the results cannot be read now: {error}") from None


def _replayable(found: Findings) -> set[str]:
    return {game.result.pairing.id for game in found.games if game.result.status == "played"}


def _times(found: Findings) -> _Known:
    """What moves took, with some more games than the last time."""
    folder = str(found.tournament.folder)
    known = _known.setdefault(folder, _Known(TimeUse(1000 * found.event.control.limit_s)))
    until = time.monotonic() + TIMED_S
    known.is_whole = False
    with Store(found.tournament.folder) as store:
        for game in found.games:
            pairing = game.result.pairing
            if len(known.timed) >= MOST_TIMED:
                break
            if time.monotonic() > until:
                return known
            if pairing.id in known.timed or game.result.status != "played":
                continue
            known.timed.add(pairing.id)
            try:
                record = parse_record(store.record(pairing.id) or b"")
                times = move_times(record, replay(record, found.event.game))
            except RecordError:
                continue
            known.use.add((pairing.first, pairing.second), times)
    known.is_whole = True
    return known


def _opening(found: Findings, *, is_running: bool, slots: int) -> Markup:
    """The head of the page: live, stopped or finished, and how long it will take."""
    if found.unfolded.is_finished:
        return opening(found)
    more = []
    left = _left_s(found, slots) if is_running else None
    if left is not None:
        on = f"left on {slots} worker{'s' if slots != 1 else ''}"
        more.append((f"≈ {_rounded(left)}", on))
    head = opening(found, state=badge("Live", "good live") if is_running else badge("Stopped", "warn"), more=more)
    if is_running:
        return head
    name = found.tournament.folder.name
    sentence = element("p", "The run was stopped or has died; ", element("code", f"ludus run {name}"), " goes on.")
    return joined(head, card(sentence, class_="stopped"))


def _left_s(found: Findings, slots: int) -> float | None:
    """By what the latest games took; None where the end is unknown, or nothing was played yet."""
    latest = [game.seconds for game in found.games[-RECENT:] if game.result.status == "played"]
    if not latest or not found.planned or not slots:
        return None
    return max(0, found.planned - len(found.games)) * sum(latest) / len(latest) / slots


def _rounded(seconds: float) -> str:
    """45 s, 6 min, 2 h 10 min."""
    if seconds < 55:
        return f"{max(1, 5 * round(seconds / 5)) if seconds > 10 else max(1, round(seconds))} s"
    minutes = max(1, round(seconds / 60))
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"

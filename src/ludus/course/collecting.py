"""Submissions -> a table of who is valid, with faults of form and what they cost, and the bots ready to play."""

from __future__ import annotations

import hashlib
import re
import tempfile
import unicodedata
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from ludus.bots.entrants import ProgramFile, PythonFile, parse_entrant
from ludus.bots.room import Room
from ludus.course.archives import shown
from ludus.course.check import Checkup
from ludus.course.conventions import Convention, convention_of
from ludus.course.judgements import judge
from ludus.course.source_reading import Reading, read_source
from ludus.course.submissions import Bot, Submission
from ludus.course.trial import PATIENCE_S, randomness_of_bot, try_bot
from ludus.errors import BotError
from ludus.events.event import Event
from ludus.tournament.penalties import FormRules, Penalty, priced

ENTRIES = {"play": "play", "make-your-move": "make_your_move", "choose": "choose"}
NEARLY_NUMBERED = re.compile(r"team[ _-]*0*(?P<number>[0-9]{1,6})(?![0-9])", re.IGNORECASE)
NAMED_LIKE = 4  # names of files that are listed
SEATS = 2


class Collected(NamedTuple):
    """A team after all: what it is called, whether it may play, and what its form costs."""

    team: str
    submission: Submission
    bot: Bot | None = None
    is_valid: bool = False
    verdict: str = ""  # why not, in one sentence
    penalties: tuple[Penalty, ...] = ()
    remarks: tuple[str, ...] = ()  # that cost nothing

    @property
    def file(self) -> str:
        """The name that its file gets, made by us."""
        suffix = Path(self.bot.name).suffix.lower() if self.bot else ""
        return f"{self.team}{suffix}"

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.bot.content).hexdigest() if self.bot else ""


class Named(NamedTuple):
    """A submission's bot and its name, before anybody has looked whether others have the same."""

    submission: Submission
    bot: Bot | None
    team: str
    faults: tuple[tuple[str, str], ...] = ()
    verdict: str = ""


def collect(
    submissions: Sequence[Submission],
    event: Event,
    room: Room,
    rules: FormRules,
    *,
    patience_s: float = PATIENCE_S,
    tell: Callable[[float, str], None] = lambda share, text: None,
) -> list[Collected]:
    """Everybody in the order of their names; whatever is wrong with one, the others go on."""
    convention = convention_of(event.interface)
    named = _without_repeats([_named(one, event, convention, rules) for one in submissions])
    named = [one._replace(submission=one.submission._replace(bots=())) for one in named]  # the others are not needed
    teams = _told_apart(named)
    owners: dict[bytes, list[str]] = {}
    for one, team in zip(named, teams, strict=True):
        if one.bot:
            owners.setdefault(one.bot.content, []).append(team)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for number, (one, team) in enumerate(zip(named, teams, strict=True)):
            tell(number / len(named), f"{number} of {len(named)}: {shown(team)}")
            others = [other for other in owners.get(one.bot.content, ()) if other != team] if one.bot else []
            found.append(_tried(one, team, others, event, room, rules, Path(folder), patience_s))
    return sorted(found, key=lambda one: counted(one.team))


def counted(name: str) -> list[tuple[int, str]]:
    """Sorts team2 before team10."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)]


def _named(one: Submission, event: Event, convention: Convention, rules: FormRules) -> Named:
    """Which file of a submission is the bot, what it is called, and the faults of its form."""
    faults = []
    if one.is_late or (rules.deadline is not None and one.when is not None and one.when > rules.deadline):
        faults.append(("late", _lateness(one.when, rules.deadline)))
    readings = [(bot, None if bot.is_program else read_source(_text(bot.content))) for bot in one.bots]
    fitting = [(bot, reading) for bot, reading in readings if reading is None or has_entry(reading, event.interface)]
    by_name = [pair for pair in fitting if convention.stem.fullmatch(_stem(pair[0]))]
    candidates = by_name if len(by_name) == 1 else fitting or (readings if len(readings) == 1 else [])
    if len(candidates) != 1:
        return Named(one, None, _fallback(one, convention), tuple(faults), _why_none(one, candidates, event))
    bot, reading = candidates[0]
    if len(one.bots) > 1:
        names = _listed([other.name for other in one.bots])
        faults.append(("several", f"there are {len(one.bots)} bots' files, {names}; a bot is one file"))
    team, is_right = _team(bot, one, reading, convention)
    if not is_right:
        faults.append(("name", f"the file is called {shown(bot.name)}; {convention.file} was expected"))
    if wrong := _wrong_class(bot, team, reading, convention):
        faults.append(("class", wrong))
    return Named(one, bot, team, tuple(faults))


def _lateness(when: datetime | None, deadline: datetime | None) -> str:
    if when is None or deadline is None or when <= deadline:
        return "it came late, says the platform"
    return (
        f"it came late: {when:%Y-%m-%d %H:%M}, and the deadline was {deadline.astimezone(when.tzinfo):%Y-%m-%d %H:%M}"
    )


def _why_none(one: Submission, candidates: Sequence[object], event: Event) -> str:
    if candidates:
        return f"there are several bots: {_listed([bot.name for bot in one.bots])}; one was expected"
    if one.bots:
        return f"none of {_listed([bot.name for bot in one.bots])} is a bot of {event.name}"
    if one.others:
        return f"there is no bot, but {_listed(one.others)}"
    return str(one.problems[0]) if one.problems else "there is no bot that can be read"


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED_LIKE} more" if len(names) > NAMED_LIKE else ""
    return ", ".join(shown(name) for name in names[:NAMED_LIKE]) + more


def _text(content: bytes) -> str:
    """For reading only; parse_entrant decides whether it is a source at all."""
    return content.decode("utf-8-sig", "replace").replace("\0", " ")


def has_entry(reading: Reading, interface: str | None) -> bool:
    """Whether a file has what the interface calls."""
    if interface in ENTRIES:
        return any(shape.name == ENTRIES[interface] for shape in reading.functions)
    return bool(reading.classes) or (interface is None and bool(reading.functions))


def _stem(bot: Bot) -> str:
    return Path(bot.name).stem


def _team(bot: Bot, one: Submission, reading: Reading | None, convention: Convention) -> tuple[str, bool]:
    """The team's name, and whether the file is named by the convention. A file that is not may still tell."""
    stem = _stem(bot)
    if convention.stem.fullmatch(stem):
        return stem, True
    if convention.stem.fullmatch(one.owner):
        return one.owner, False
    if convention.is_numbered:
        for text in (stem, one.owner):
            if found := NEARLY_NUMBERED.search(text):
                return f"team{found['number']}", False
        for shape in reading.classes if reading else ():
            number = shape.name.removeprefix(str(convention.prefix))
            if number != shape.name and number.isascii() and number.isdigit():
                return f"team{int(number)}", False
    return _fallback(one, convention, stem), False


def _fallback(one: Submission, convention: Convention, stem: str = "") -> str:
    """A harmless name from the owner's, or from that of the file."""
    if found := NEARLY_NUMBERED.search(one.owner) if convention.is_numbered else None:
        return f"team{found['number']}"
    for text in (stem if one.is_alone else one.owner, one.owner, stem):
        if word := _word(text):
            return word if convention.stem.fullmatch(word) or not word[0].isdigit() else f"team_{word}"
    return f"team_{hashlib.sha256(one.owner.encode('utf-8', 'backslashreplace')).hexdigest()[:6]}"


def _word(text: str) -> str:
    """Letters, digits and _ of a name; nothing where there are none."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9]+", "_", plain).strip("_")[:40]


def _wrong_class(bot: Bot, team: str, reading: Reading | None, convention: Convention) -> str:
    expected = convention.class_name(_stem(bot)) or convention.class_name(team)
    if reading is None or convention.prefix is None or not reading.classes:
        return ""
    names = [shape.name for shape in reading.classes]
    if (expected in names) if expected else any(name.startswith(convention.prefix) for name in names):
        return ""
    return f"its class is {_listed(names)}; {expected or convention.prefix + 'N'} was expected"


def _without_repeats(named: list[Named]) -> list[Named]:
    """The same file of the same team counts once."""
    seen: dict[tuple[str, bytes], str] = {}
    kept = []
    for one in named:
        key = (one.team.casefold(), one.bot.content if one.bot else b"")
        if one.bot and key in seen:
            said = f"it is the same file of the same team as {seen[key]}, which counts"
            kept.append(one._replace(bot=None, verdict=said))
            continue
        seen.setdefault(key, one.submission.where)
        kept.append(one)
    return kept


def _told_apart(named: list[Named]) -> list[str]:
    """A name for everybody, different from all others on any file system; who plays comes first."""
    taken: set[str] = set()
    names = [""] * len(named)
    for number in sorted(range(len(named)), key=lambda number: (named[number].bot is None, number)):
        one, count = named[number], 1
        team = one.team
        if team.casefold() in taken and not one.submission.is_alone and (owner := _word(one.submission.owner)):
            team = f"{one.team}_{owner}"
        while team.casefold() in taken:
            count += 1
            team = f"{one.team}_{count}"
        taken.add(team.casefold())
        names[number] = team
    return names


def _tried(
    one: Named, team: str, same: list[str], event: Event, room: Room, rules: FormRules, folder: Path, patience_s: float
) -> Collected:
    """What a trial says of it; nothing is tried of which it is known already that it cannot play."""
    remarks = [said for problem in one.submission.problems if (said := str(problem)) != one.verdict]
    if team != one.team and one.bot is not None:
        remarks.append(f"another submission is {one.team} too; both play until you say which one counts")
    if same:
        remarks.append(f"its file is the same, byte for byte, as that of {_listed(same)}")
    made = Collected(
        team, one.submission, one.bot, False, one.verdict, tuple(priced(one.faults, rules)), tuple(remarks)
    )
    if one.bot is None:
        return made
    path = folder / made.file
    path.write_bytes(one.bot.content)
    path.chmod(0o700 if one.bot.is_program else 0o600)
    try:
        entrant = parse_entrant(str(path), event.game, interface=event.interface)
    except BotError as error:
        return made._replace(verdict=str(error).replace(str(path), shown(one.bot.name)))
    assert isinstance(entrant, PythonFile | ProgramFile)
    judged = _judged(made, try_bot(event, entrant, room, patience_s=patience_s), one.faults, room, rules)
    path.unlink()
    return judged


def _judged(
    made: Collected, found: Checkup, faults: Sequence[tuple[str, str]], room: Room, rules: FormRules
) -> Collected:
    """What a trial found, and what a second one says of play at random, where that costs marks."""
    causes = [row.cause or row.text for row in judge(found).judgements if row.mark == "fail"]
    causes = causes or [fault.sentence for fault in found.faults]  # of time and memory a short trial has no judgement
    if causes:
        return made._replace(verdict="; ".join(dict.fromkeys(causes)))
    remarks = list(made.remarks)
    if len(found.played) < SEATS:
        moves = sum(mind.seat == game.seat for game in found.played for mind in game.judged.minds)
        remarks.append(f"it thinks long, so only {moves} of its moves were tried")
    if rules.marks["random"]:
        randomness = randomness_of_bot(found, room)
        if randomness is None:
            remarks.append("it thinks long, so whether it plays at random was not tried; `ludus check` does")
        elif randomness.verdict == "random":
            faults = [*faults, ("random", randomness.sentence)]
    return made._replace(is_valid=True, penalties=tuple(priced(faults, rules)), remarks=tuple(remarks))

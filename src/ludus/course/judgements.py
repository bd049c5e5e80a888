"""What a check means: one verdict, and a judgement with its reasons on each thing that an event asks for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from ludus.bots.entrants import PythonFile
from ludus.course.check import Checkup
from ludus.course.conventions import convention_of
from ludus.course.faults import Fault
from ludus.course.positions import KINDS
from ludus.course.source_reading import TEMPTING, Reading
from ludus.course.tactics import looks_ahead
from ludus.events.event import Event
from ludus.reports.time_use import quantiles
from ludus.reports.wording import seconds
from ludus.tournament.grades import exact
from ludus.tournament.penalties import form_rules
from ludus.tournament.plan import plan_of

Mark = Literal["pass", "warn", "fail", "note"]
CLOSE = 0.8  # of a limit: one slow machine away from a forfeit
ARGUMENTS = {"play": 3, "player-class": 4, "team-class": 3, "make-your-move": 1, "choose": 2}
ENTRIES = {"play": "play", "make-your-move": "make_your_move", "choose": "choose"}
MOST_NAMED, MOST_TOLD = 6, 2  # things in one line, faults in one line
SURE = 0.01  # so unlikely by chance


class Judgement(NamedTuple):
    """One line of the report; `cause` is what the verdict says of a failure."""

    key: str
    title: str
    mark: Mark
    text: str
    cause: str = ""


class Judged(NamedTuple):
    """The verdict, and all judgements in their order."""

    judgements: tuple[Judgement, ...]

    @property
    def is_valid(self) -> bool:
        return not any(judgement.mark == "fail" for judgement in self.judgements)

    @property
    def warnings(self) -> int:
        return sum(judgement.mark == "warn" for judgement in self.judgements)

    @property
    def verdict(self) -> str:
        """The sentence that comes first."""
        if self.is_valid:
            return "Valid"
        causes = [judgement.cause or judgement.text for judgement in self.judgements if judgement.mark == "fail"]
        return "Would be disqualified: " + "; ".join(dict.fromkeys(causes))


def judge(found: Checkup) -> Judged:
    rows = [*_of_file(found), *_of_running(found)]
    if found.workload is not None:
        rows += [*_of_limits(found), *_of_play(found)]
    return Judged(tuple(rows))


# ---- what can be read


def _of_file(found: Checkup) -> Iterator[Judgement]:
    path, reading = found.entrant.path, found.reading
    if reading is None:
        yield Judgement("file", "File", "pass", f"{path.name} · {_bytes(found.size)} · a program")
        return
    convention = convention_of(found.event.interface)
    told = f"{path.name} · {reading.lines} lines · {_bytes(found.size)}"
    is_named = convention.stem.fullmatch(path.stem) is not None
    wrong = "" if is_named else f" · by the convention of {found.event.name} it is called {convention.file}"
    yield Judgement("file", "File", "pass" if is_named else "warn", told + wrong)
    yield _interface(found, reading)
    yield _imports(found, reading)
    yield _calls(found, reading)


def _interface(found: Checkup, reading: Reading) -> Judgement:
    assert isinstance(found.entrant, PythonFile)
    interface = found.entrant.interface
    title = "Interface"
    if reading.mistake:
        said = _not_python(reading.mistake)
        return Judgement("interface", title, "fail", said, said)
    arguments = ARGUMENTS[interface.name]
    raised = " ".join(fault.reason for fault in found.faults if fault.kind == "exception")
    is_missing, is_broken = "the file has no" in raised, "argument" in raised
    shapes = [s for s in reading.functions if s.name == ENTRIES.get(interface.name)] or list(reading.classes)
    if interface.name in ENTRIES and not any(s.name == ENTRIES[interface.name] for s in reading.functions):
        mark: Mark = "fail" if is_missing else "note"
        return Judgement("interface", title, mark, f"no function {interface.usage} was found in the file")
    if not shapes:
        return Judgement(
            "interface", title, "fail" if is_missing else "note", f"no {interface.usage} was found in the file"
        )
    shape = shapes[0]
    if not shape.takes(arguments):
        said = f"line {shape.line}: it takes {shape.most} arguments, and {interface.usage} has {arguments}"
        return Judgement("interface", title, "fail" if is_broken else "note", said, said)
    convention = convention_of(found.event.interface)
    expected = convention.class_name(found.entrant.path.stem) or f"{convention.prefix}N"
    named = [s for s in shapes if s.name == expected or (expected.endswith("N") and _is_numbered(s.name, expected))]
    if convention.prefix is None or named:
        shape = named[0] if named else shape
        return Judgement("interface", title, "pass", f"{interface.usage} is there: {shape.name}, line {shape.line}")
    said = f"its class is {shape.name}; by the convention of {found.event.name} it is {expected}"
    accepted = "" if is_missing else "; the referee takes it, as it is the only one with a method move"
    return Judgement("interface", title, "warn", said + accepted)


def _not_python(mistake: str) -> str:
    return f"this is not Python: {mistake}"


def _is_numbered(name: str, expected: str) -> bool:
    """Whether the class is called PlayerN for some N."""
    prefix = expected.removesuffix("N")
    return name.startswith(prefix) and name.removeprefix(prefix).isdigit()


def _imports(found: Checkup, reading: Reading) -> Judgement:
    names = sorted({one.module for one in reading.imports})
    told = ", ".join(names[: 2 * MOST_NAMED]) or "none"
    unknown = reading.unknown(allows_numpy=found.event.allows_numpy)
    missing = [one for one in unknown if not one.is_optional]
    if found.neighbours:
        said = f"it imports {', '.join(found.neighbours)} beside it; a bot is one file, and only that one is there"
        mark: Mark = "fail" if any(fault.kind == "exception" for fault in found.faults) else "warn"
        return Judgement("imports", "Imports", mark, said, said)
    if missing:
        one = missing[0]
        may = "the standard library and numpy" if found.event.allows_numpy else "the standard library"
        said = f"it imports {one.module} (line {one.line}); bots of {found.event.name} have {may} only"
        is_felt = any(fault.kind in ("exception", "forbidden") for fault in found.faults)
        return Judgement("imports", "Imports", "fail" if is_felt else "warn", said, said)
    tempting = sorted({one.module for one in reading.imports if one.package in TEMPTING})
    if tempting:
        return Judgement("imports", "Imports", "warn", f"{told}; of {', '.join(tempting)} most calls lose the game")
    return Judgement("imports", "Imports", "pass", f"{told}: all allowed" if names else "none")


def _calls(found: Checkup, reading: Reading) -> Judgement:
    ran = [fault for fault in found.faults if fault.kind == "forbidden"]
    title = "Forbidden calls"
    if ran:
        said = "; ".join(fault.sentence for fault in ran[:MOST_NAMED])
        return Judgement("calls", title, "fail", said, ran[0].sentence)
    certain = [act for act in reading.acts if act.kind == "certain" and act.is_reached]
    if certain:
        said = "; ".join(f"line {act.line}: {act.name} {act.what}" for act in certain[:MOST_NAMED])
        return Judgement("calls", title, "fail", said, said)
    others = [act for act in reading.acts if act.is_reached or act.kind == "certain"]
    if others:
        said = "; ".join(f"line {act.line}: {act.name} {act.what}" for act in others[:MOST_NAMED])
        return Judgement("calls", title, "warn", f"none was made; {said}: if a turn comes there, the game may be lost")
    return Judgement("calls", title, "pass", "none was made, and the source holds none")


# ---- what running showed


def _of_running(found: Checkup) -> Iterator[Judgement]:
    if found.reading is None and (forbidden := _faults(found, "forbidden")):
        yield _failed("calls", "Forbidden calls", forbidden)
    yield _legal(found)
    yield _seats(found)
    tampering = _faults(found, "tampering")
    if tampering:
        yield _failed("board", "Board untouched", tampering)
    elif isinstance(found.entrant, PythonFile):
        handed = " and ".join(found.entrant.interface.handed)
        yield Judgement("board", "Board untouched", "pass", f"{handed} came back as handed over, every time")
    broken = _faults(found, "exception", "crash", "protocol", "output")
    if broken:
        failed = _failed("runs", "Runs without failing", broken)
        mistake = found.reading.mistake if found.reading is not None else ""
        yield failed._replace(cause=_not_python(mistake)) if mistake else failed  # said once, by the interface's line
    else:
        yield Judgement("runs", "Runs without failing", "pass", "no exception, no crash, no flood of output")


def _legal(found: Checkup) -> Judgement:
    moves = len([answer for answer in found.all_answers if answer.move is not None])
    moves += sum(mind.seat == one.seat for one in found.played for mind in one.judged.minds)
    illegal = _faults(found, "illegal")
    if illegal:
        return _failed("legal", "Legal moves", illegal)
    asked = dict.fromkeys(KINDS, 0)
    for answer in found.answers:
        for kind in answer.spot.kinds or ("ordinary",):
            asked[kind] += answer.move is not None
    rare = ", ".join(f"{KINDS[kind]} {count}" for kind, count in asked.items() if count)
    told = f"{moves} moves, all legal, in {len(found.played)} games and {len(found.all_answers)} single positions"
    if found.follows_the_game:
        told += "; single positions do not count, as it keeps its own account of the game"
    return Judgement("legal", "Legal moves", "pass", f"{told}; asked: {rare}" if rare else told)


def _seats(found: Checkup) -> Judgement:
    failed = sorted({seat for fault in found.faults for seat in fault.seats})
    names = ("first", "second")
    if len(failed) == 1 and found.workload is not None:
        seat = failed[0]
        said = f"it fails as {names[seat]} player only"
        return Judgement("seats", "Both seats", "fail", said, said)
    whole = [sum(one.seat == seat and not one.is_forfeit for one in found.played) for seat in (0, 1)]
    if failed:
        return Judgement(
            "seats", "Both seats", "note", f"it finished {whole[0]} games as first and {whole[1]} as second"
        )
    return Judgement(
        "seats", "Both seats", "pass", f"{whole[0]} games as first player, {whole[1]} as second, all finished"
    )


# ---- limits


def _of_limits(found: Checkup) -> Iterator[Judgement]:
    limit_ms = 1000 * found.event.control.limit_s
    walls = [1000 * (spent.wall_s - spent.waited_s) for spent in found.spents]
    late = _faults(found, "timeout")
    _, _, middle, high, most = quantiles(walls) if walls else (0.0,) * 5
    told = f"median {seconds(middle)} · 95 % under {seconds(high)} · longest {seconds(most)} of {seconds(limit_ms)}"
    if late:
        said = f"too slow: {late[0].sentence}"
        yield Judgement("time", "Time per move", "fail", f"{said}; {told}", said)
    elif most >= CLOSE * limit_ms:
        yield Judgement("time", "Time per move", "warn", f"{told}: one slow machine away from a forfeit")
    else:
        yield Judgement("time", "Time per move", "pass", told)
    memory, limit_mb = _faults(found, "memory"), found.event.limits.memory_mb
    peak = f"{found.peak_memory_mb:.0f} MB at most, of {limit_mb} MB"
    if memory:
        said = f"too much memory: {memory[0].sentence}"
        yield Judgement("memory", "Memory", "fail", f"{said}; {peak}", said)
    else:
        is_close = found.peak_memory_mb >= CLOSE * limit_mb
        yield Judgement("memory", "Memory", "warn" if is_close else "pass", peak)


# ---- how it plays


def _of_play(found: Checkup) -> Iterator[Judgement]:
    twice = [(answers[0].move, answers[1].move) for _, answers in found.again if answers[1].move is not None]
    if twice:
        same = sum(one == other for one, other in twice)
        said = f"asked twice with the same seed, {same} of {len(twice)} answers are the same"
        if same < len(twice):
            said += "; a search that watches the clock, or dice of its own, may differ"
        yield Judgement("determinism", "Same again", "pass" if same == len(twice) else "note", said)
    if found.randomness is not None:
        is_random = found.randomness.verdict == "random"
        mark: Mark = "warn" if is_random else "pass" if found.randomness.verdict == "chooses" else "note"
        cost = f"; {_cost_of_random(found.event)}" if is_random else ""
        yield Judgement("random", "Chooses its moves", mark, found.randomness.sentence + cost)
    if found.puzzles:
        solved = sum(score.solved for score in found.tactics)
        expected = sum(score.expected for score in found.tactics)
        said = f"{solved} of {len(found.puzzles)} puzzles solved (chance {expected:.1f})"
        yield Judgement("search", "Looks ahead", "note", f"{seems_to_look(found)}: {said}")


def _cost_of_random(event: Event) -> str:
    off = form_rules(event, plan_of(event).grades).marks["random"]
    return f"{event.name} takes {exact(off)} marks off for that" if off else "some courses give no points for that"


def seems_to_look(found: Checkup) -> str:
    """How far it looks ahead, in a few words, by its puzzles."""
    plies = looks_ahead(found.tactics)
    if plies:
        return f"it seems to look {plies} plies ahead" if plies > 1 else "it takes what wins at once"
    is_above = found.randomness is not None and found.randomness.tactics_probability < SURE
    return "it solves more than chance would, but at no depth surely" if is_above else "no sign that it looks ahead"


def _faults(found: Checkup, *kinds: str) -> list[Fault]:
    return [fault for fault in found.faults if fault.kind in kinds]


def _failed(key: str, title: str, faults: list[Fault]) -> Judgement:
    told = "; ".join(fault.sentence for fault in faults[:MOST_TOLD])
    more = f"; and {len(faults) - MOST_TOLD} more like these" if len(faults) > MOST_TOLD else ""
    return Judgement(key, title, "fail", told + more, faults[0].sentence)


def _bytes(size: int) -> str:
    return f"{size} bytes" if size < 1000 else f"{size / 1000:.0f} kB" if size < 1_000_000 else f"{size / 1e6:.1f} MB"

"""All pairs of bots by the code and the moves that they have in common: evidence for a person who looks, no verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from ludus.bots.entrants import ProgramFile, PythonFile, parse_entrant
from ludus.bots.room import Room
from ludus.course.collecting import has_entry
from ludus.course.conventions import convention_of
from ludus.course.fingerprints import Fingerprint, Likeness, fingerprint, given_runs, likeness
from ludus.course.same_moves import Agreement, agreements, ask_all, reference_moves, trivial_moves
from ludus.course.source_reading import read_source
from ludus.course.starting import new_bot
from ludus.errors import BotError
from ludus.events.event import Event, event_names, load_event

MUCH = 0.4  # of a file's own code: more than a lesson leaves in two bots
LEAST_SHARED = 60  # tokens
NOTE = (
    "This is evidence, no verdict: people who learn from the same book write alike and play alike, and a search that "
    "is right has one best move. Read both files before you say a word."
)


class Pair(NamedTuple):
    """Two bots, by their numbers, with what is known of both."""

    one: int
    other: int
    code: Likeness | None  # None where one of them is no Python
    moves: Agreement | None  # None where nobody was asked

    @property
    def stands_out_by(self) -> tuple[str, ...]:
        has_code = self.code is not None and self.code.share >= MUCH and max(self.code.tokens) >= LEAST_SHARED
        has_moves = self.moves is not None and self.moves.stands_out
        return (*(["code"] if has_code else []), *(["moves"] if has_moves else []))


class Comparison(NamedTuple):
    """Everybody, and all pairs: those that stand out first, then by code, then by moves."""

    names: tuple[str, ...]
    sources: tuple[str | None, ...]
    prints: tuple[Fingerprint | None, ...]
    given: frozenset[bytes]
    pairs: tuple[Pair, ...]
    positions: int

    @property
    def standing_out(self) -> list[Pair]:
        return [pair for pair in self.pairs if pair.stands_out_by]


def compare(
    entrants: Sequence[PythonFile | ProgramFile],
    templates: Iterable[str],
    *,
    given_bots: Sequence[PythonFile | ProgramFile] = (),
    event: Event | None = None,
    room: Room | None = None,
    seed: int = 0,
    positions: int,
    tell: Callable[[float, str], None] = lambda share, text: None,
) -> Comparison:
    """By code, and by moves where there are an event and a room to ask in; bots that were given are asked too."""
    sources = tuple(one.source if isinstance(one, PythonFile) else None for one in entrants)
    prints = tuple(None if source is None else fingerprint(source) for source in sources)
    known = [one for one in prints if one is not None]
    given = given_runs(known, [fingerprint(text) for text in templates])
    agreed: dict[tuple[int, int], Agreement] = {}
    spots = 0
    if event is not None and room is not None and len(entrants) > 1:
        everybody = [*entrants, *given_bots]
        asked, moves = ask_all(event, everybody, room, seed=seed, positions=positions, tell=tell)
        own = moves[: len(entrants)]
        given_moves = [*moves[len(entrants) :], *trivial_moves(event.game, asked)]
        agreed = agreements(event.game, asked, own, reference_moves(event.game, asked), given_moves)
        spots = len(asked)
    pairs = []
    for one in range(len(entrants)):
        for other in range(one + 1, len(entrants)):
            first, second = prints[one], prints[other]
            code = None if first is None or second is None else likeness(first, second, given)
            pairs.append(Pair(one, other, code, agreed.get((one, other))))
    names = tuple(entrant.name for entrant in entrants)
    return Comparison(names, sources, prints, given, tuple(sorted(pairs, key=_order)), spots)


def _order(pair: Pair) -> tuple[float, ...]:
    code = 0.0 if pair.code is None else pair.code.share
    chance = 1.0 if pair.moves is None else pair.moves.chance
    return -len(pair.stands_out_by), -round(code, 2), chance


def known_templates(event: Event | None) -> list[str]:
    """What Ludus gives to everybody: the first bots of this event, or of all, and the files of their games."""
    events = [event] if event is not None else [load_event(name) for name in event_names()]
    texts = []
    for one in events:
        texts.append(new_bot(one, called=one.name, name=convention_of(one.interface).example).text)
        beside = [one.game.path, one.game.path.with_name("evaluation.py")]
        texts += [file.read_text(encoding="utf-8", errors="replace") for file in beside if file.is_file()]
    return texts


def template_files(places: Iterable[str]) -> list[Path]:
    """The files that a course has given out; a folder stands for the Python files in it."""
    found: list[Path] = []
    for place in places:
        path = Path(place)
        files = sorted(path.glob("*.py")) if path.is_dir() else [path]
        if not files:
            raise BotError(f"{place[:200]}: there is no Python file in this folder")
        found += files
    return found


def read_template(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig", errors="replace")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BotError(f"{str(file)[:200]}: the template cannot be read: {reason}") from None


def template_bots(files: Iterable[Path], event: Event) -> list[PythonFile | ProgramFile]:
    """Those templates that are bots of the event themselves, by what stands in them."""
    found: list[PythonFile | ProgramFile] = []
    for file in files:
        reading = read_source(read_template(file))
        if file.suffix == ".py" and has_entry(reading, event.interface):
            try:
                bot = parse_entrant(str(file), event.game, interface=event.interface)
            except BotError:
                continue  # it is still a template for code
            assert isinstance(bot, PythonFile)
            found.append(bot)
    return found

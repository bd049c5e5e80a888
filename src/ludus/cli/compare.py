"""`ludus compare`: which bots have code or moves in common, beyond what is to be expected. Evidence, no verdict."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from textwrap import wrap
from typing import Any

from ludus.bots.entrants import ProgramFile, PythonFile, parse_entrant
from ludus.cli.match import open_room
from ludus.cli.progress import progress
from ludus.course.compare_page import chance_words, code_words, compare_page, habit_words, move_words
from ludus.course.comparing import NOTE, Comparison, Pair, known_templates, read_template, template_bots, template_files
from ludus.course.comparing import compare as compare_all
from ludus.errors import BotError, LudusError
from ludus.events.event import Event, event_names, load_event
from ludus.rules import load_game
from ludus.tournament.folder import bot_texts
from ludus.tournament.penalties import COLLECTED
from ludus.view.canvas import printable

SHOWN = 10  # pairs, where fewer stand out


def compare(arguments: argparse.Namespace) -> int:
    event = _event(arguments)
    entrants = list(_entrants(arguments.folder, event))
    if len(entrants) < 2:
        raise BotError(f"{arguments.folder[:200]}: two bots or more are needed; {len(entrants)} can be read")
    given = template_files(arguments.against)
    templates = [*known_templates(event), *map(read_template, given)]
    given_bots = template_bots(given, event) if event else []
    with (
        progress("compare") as tell,
        nullcontext() if event is None else open_room(event, level=arguments.isolation) as room,
    ):
        found = compare_all(
            entrants,
            templates,
            given_bots=given_bots,
            event=event,
            room=room,
            seed=arguments.seed,
            positions=arguments.positions,
            tell=tell,
        )
    if arguments.html is not None:
        _write(Path(arguments.html), compare_page(found, event=event.title if event else "Ludus"))
    if arguments.json:
        sys.stdout.write(json.dumps(_as_json(found)) + "\n")
    else:
        sys.stdout.write("\n".join(_lines(found)) + "\n")
        if arguments.html is not None:
            sys.stdout.write(f"\nthe page is {arguments.html}\n")
    return 0


def _event(arguments: argparse.Namespace) -> Event | None:
    """The one that is named; else that of the folder, where it was collected for one of ours."""
    if arguments.event is not None:
        return load_event(arguments.event)
    try:
        name = json.loads((Path(arguments.folder) / COLLECTED).read_text(encoding="utf-8"))["event"]
    except (OSError, ValueError, KeyError, TypeError):
        name = None
    if name in event_names():
        return load_event(name)
    sys.stderr.write("ludus: without --event only code is compared; with it, moves are too\n")
    return None


def _entrants(folder: str, event: Event | None) -> Iterator[PythonFile | ProgramFile]:
    """The bots of a folder; one that cannot be read is told and left out."""
    if not Path(folder).is_dir():
        raise BotError(f"{folder[:200]}: there is no such folder of bots")
    # Where nothing is played, any game and interface will do: the source is all that is looked at.
    game, interface = (event.game, event.interface) if event else (load_game("ultimate"), "play")
    for text in bot_texts([folder]):
        try:
            found = parse_entrant(text, game, interface=interface)
        except LudusError as error:
            sys.stderr.write(f"ludus: {printable(str(error))}; it was left out\n")
            continue
        if isinstance(found, PythonFile | ProgramFile):
            yield found


def _write(file: Path, content: str) -> None:
    try:
        file.write_text(content, encoding="utf-8", errors="backslashreplace")
    except (OSError, ValueError) as error:
        raise LudusError(f"{file}: the page cannot be written: {getattr(error, 'strerror', error)}") from None


def _lines(found: Comparison) -> Iterator[str]:
    out = found.standing_out
    pairs = found.pairs[: max(SHOWN, len(out))]
    rows = [("bots", "code", "same moves (expected)", "by chance", "stands out by"), *(_cells(found, p) for p in pairs)]
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
    if len(pairs) < len(found.pairs):
        yield f"and {len(found.pairs) - len(pairs)} more pairs, none of which stands out"
    yield ""
    some = f"{len(out)} of {len(found.pairs)} pairs stand{'s' if len(out) == 1 else ''} out."
    yield from wrap(f"{some if out else 'No pair stands out.'} {NOTE}", 100)


def _cells(found: Comparison, pair: Pair) -> tuple[str, ...]:
    names = f"{printable(found.names[pair.one])}, {printable(found.names[pair.other])}"
    out = ", ".join(pair.stands_out_by) or habit_words(pair)
    return names, code_words(pair), move_words(pair), chance_words(pair), out


def _as_json(found: Comparison) -> dict[str, Any]:
    return {"note": NOTE, "positions": found.positions, "pairs": [_pair_json(found, pair) for pair in found.pairs]}


def _pair_json(found: Comparison, pair: Pair) -> dict[str, Any]:
    code, moves = pair.code, pair.moves
    return {
        "bots": [found.names[pair.one], found.names[pair.other]],
        "stands_out_by": list(pair.stands_out_by),
        "code": code and {"shares": list(code.shares), "tokens": list(code.tokens), "own": list(code.own)},
        "moves": moves and {**moves._asdict(), "share": moves.share},
    }

"""A tournament's findings in the terminal: the table, the champion, what went wrong; short."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ludus.reports.findings import Findings
from ludus.reports.wording import decided, format_line, kind_name, place_of_game, points, signed
from ludus.view.canvas import cut, printable, text_width

NAME_WIDTH = 28
MOST_FAILURES = 10


def text_report(found: Findings) -> Iterator[str]:
    """Lines without colours."""
    names = [printable(name) for name in found.names]
    of = "" if found.planned in (None, len(found.games)) else f" of {found.planned}"
    yield f"{printable(found.event.title)} · {format_line(found.plan, len(names))} · {len(found.games)}{of} games"
    yield ""
    yield from _standings(found, names)
    yield ""
    outcome = found.unfolded.outcome
    if outcome is None:
        yield "not finished: this is how it stands"
    else:
        yield f"champion: {names[outcome.placing[0].team]}"
    yield from _first_move(found)
    yield from _failures(found, names)
    spare = sum(len(same.ids) - 1 for same in found.repetitions)
    if spare:
        yield f"{spare} games repeat another of the same two bots move by move"


def _standings(found: Findings, names: list[str]) -> Iterator[str]:
    marks = {sheet.team: sheet.shown for sheet in found.sheets}
    known = found.confidence
    has_byes = any(standing.total.byes for standing in found.standings)
    byes = f" {'byes':>5}" if has_byes else ""
    head = f"{'':>4}  {'':<{NAME_WIDTH}} {'games':>6} {'won':>5} {'drawn':>5} {'lost':>5}{byes} {'points':>9}"
    rated = f" {'Elo':>6} {'at 95 %':>16}" if known else ""
    marked = f" {'mark':>7}" if marks else ""
    yield f"{head}{rated}{marked}  decided by".rstrip()
    for place, team, total, by in found.standings:
        byes = f" {total.byes:>5}" if has_byes else ""
        record = f"{total.played:>6} {total.wins:>5} {total.draws:>5} {total.losses:>5}{byes} {points(total.points):>9}"
        if known is not None:
            elo, low, high = (signed(float(value[team])) for value in (known.strengths.elo, known.low, known.high))
            rated = f" {elo:>6} {f'{low} to {high}':>16}"
        mark = f" {marks[team]:>7}" if marks else ""
        yield f"{place:>4}  {_padded(names[team])} {record}{rated}{mark}  {decided(by)}".rstrip()


def _padded(name: str) -> str:
    short = cut(name, NAME_WIDTH)
    return short + " " * (NAME_WIDTH - text_width(short))


def _first_move(found: Findings) -> Iterator[str]:
    known = found.confidence
    if known is not None:
        low, high = signed(known.seat_low), signed(known.seat_high)
        yield f"moving first is worth {signed(known.strengths.seat_elo)} Elo (95 %: {low} to {high})"


def _failures(found: Findings, names: list[str]) -> Iterator[str]:
    if not found.failures:
        yield "no failures"
        return
    kinds = Counter(kind_name(failure.kind).lower() for failure in found.failures)
    yield f"failures: {', '.join(f'{count} {kind}' for kind, count in kinds.most_common())}"
    for failure in found.failures[:MOST_FAILURES]:
        who = "nobody" if failure.team is None else names[failure.team]
        where = f"{place_of_game(failure.pairing)}, move {failure.ply + 1}"
        yield f"  {who}: {cut(printable(failure.reason), 90)} ({where})"
    more = len(found.failures) - MOST_FAILURES
    if more > 0:
        yield f"  and {more} more; ludus report --json lists all"

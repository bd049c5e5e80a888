"""A check in the terminal: the verdict first, then everything that stands behind it, as plain lines."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from ludus.course.check import Checkup
from ludus.course.check_words import (
    blunder_chances,
    blunder_place,
    blunder_scene,
    games_by_rung,
    place_on_ladder,
    rating_text,
    results,
    workload_text,
)
from ludus.course.judgements import Judged
from ludus.course.tactics import KINDS
from ludus.reports.plots import bar
from ludus.reports.wording import seconds
from ludus.view.canvas import printable
from ludus.view.terminal import board_lines

SIGNS = {"pass": "✓", "warn": "!", "fail": "✗", "note": "·"}
WIDTH, TITLE = 100, 22
BAR = 30
BINS = 10
LONGEST_TRACEBACK = 12  # lines


def check_text(found: Checkup, judged: Judged, *, is_ascii: bool = False) -> Iterator[str]:
    """Lines without colours; whatever comes from the bot cannot move a cursor."""
    warnings = f" ({judged.warnings} warning{'s' if judged.warnings != 1 else ''})" if judged.warnings else ""
    yield from wrap(printable(judged.verdict) + (warnings if judged.is_valid else ""), WIDTH)
    told = f"{found.entrant.path.name} · {found.event.name} · sha {found.entrant.digest[:6]} · "
    yield printable(told) + f"{workload_text(found)} in {found.seconds:.0f} s"
    yield ""
    for judgement in judged.judgements:
        rows = wrap(printable(judgement.text), WIDTH - TITLE - 3) or [""]
        yield f"{SIGNS[judgement.mark]} {judgement.title:<{TITLE}} {rows[0]}"
        yield from (f"{'':<{TITLE + 3}}{row}" for row in rows[1:])
    yield from _traceback(found)
    if found.workload is not None:
        yield from _ladder(found)
        yield from _times(found)
        yield from _tactics(found)
        yield from _blunders(found, is_ascii=is_ascii)


def _traceback(found: Checkup) -> Iterator[str]:
    stack = next((fault.traceback for fault in found.faults if fault.traceback), "")
    if stack:
        yield from ("", "Where it failed")
        yield from (f"  {printable(row)}"[:WIDTH] for row in stack.splitlines()[-LONGEST_TRACEBACK:])


def _ladder(found: Checkup) -> Iterator[str]:
    rating = rating_text(found)
    yield ""
    forfeits = sum(one.is_forfeit for one in found.played)
    stopped = f"; {forfeits} forfeits" if forfeits else ""
    yield "Against the ladder" + (f": rating {rating}, {place_on_ladder(found)}" if rating else "") + stopped
    for rung, games in games_by_rung(found.played):
        won, drawn, lost = results(games)
        stands = "" if found.rating is None else f"{found.rating.rungs.get(rung, 0):6.0f}"
        filled = bar((won + drawn / 2) / len(games), BAR)
        yield f"  {rung:<10}{stands}  {filled:<{BAR}}  won {won}, drawn {drawn}, lost {lost}"


def _times(found: Checkup) -> Iterator[str]:
    walls = [1000 * (spent.wall_s - spent.waited_s) for spent in found.spents]
    limit_ms = 1000 * found.event.control.limit_s
    if not walls:
        return
    yield from ("", f"Time per move: {len(walls)} moves, limit {seconds(limit_ms)}")
    edges = [limit_ms / 4**step for step in range(BINS - 1, -1, -1)]
    edges = edges[sum(edge <= min(walls) for edge in edges) :] or [limit_ms]
    low = 0.0
    for edge in [*edges, float("inf")]:
        count = sum(low <= wall < edge for wall in walls)
        if edge <= limit_ms or count:
            name = f"to {seconds(edge)}" if edge <= limit_ms else f"over {seconds(limit_ms)}"
            yield f"  {name:>12}  {bar(count / len(walls), BAR):<{BAR}}  {count}"
        low = edge


def _tactics(found: Checkup) -> Iterator[str]:
    if found.tactics:
        yield from ("", "Puzzles")
        for score in found.tactics:
            told = f"{score.solved} of {score.asked} (chance {score.expected:.1f})"
            yield f"  {KINDS[score.kind]:<22} {bar(score.solved / score.asked, BAR):<{BAR}}  {told}"


def _blunders(found: Checkup, *, is_ascii: bool) -> Iterator[str]:
    game = found.event.game
    for number, blunder in enumerate(found.blunders, 1):
        moves = f"played {game.move_name(blunder.moment.move)}, better {game.move_name(blunder.better)}"
        yield ""
        yield f"Blunder {number}, {blunder_place(blunder)}: {moves}, {blunder_chances(blunder)}; {blunder.what}"
        scene = blunder_scene(game, blunder, printable(found.entrant.name))
        yield from (f"    {row}".rstrip() for row in board_lines(scene, ascii=is_ascii))

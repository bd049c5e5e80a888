"""What a page is told of a table besides the board: the log, the clocks, the chances, the advice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludus.view.analysis import verdict
from ludus.view.canvas import printable
from ludus.web.audience import Message

if TYPE_CHECKING:
    from ludus.web.table import Table

LONGEST_THEN = 8  # moves of a line that are told


def told_beside(table: Table, *, since: int) -> Message:
    """Everything but the board; of the log only the moves from `since` on."""
    sitting = table.sitting
    since = min(since, len(sitting.moves))
    is_machines_turn = sitting.turn is not None and not sitting.is_person(sitting.turn)
    return {
        "turn": sitting.turn,
        "ending": printable(sitting.ending()),
        "thinking": is_machines_turn,
        "log": {"from": since, "moves": [_logged(table, ply) for ply in range(since, len(sitting.moves))]},
        "clock": {
            "used": [round(sitting.used_s(seat), 2) for seat in (0, 1)],
            "thought": round(sitting.thought_s(), 2),
            "limit": sitting.agreement.limit_s if is_machines_turn or sitting.agreement.warns_person else None,
        },
        "bar": table.shows_bar,
        "chances": [_chance(table, ply) for ply in range(len(sitting.moves) + 1)],
        "hint": _hint(table),
        "asking": table.asking,
        "note": table.note,
    }


def _logged(table: Table, ply: int) -> list[object]:
    """Name, seat and seconds of a move."""
    sitting = table.sitting
    name = printable(sitting.game.move_name(sitting.moves[ply]))
    return [name, sitting.game.turn(sitting.states[ply]), round(sitting.spent[ply].wall_s, 4)]


def _chance(table: Table, ply: int) -> float | None:
    """Of seat 0, as far as anybody knows."""
    ended = table.sitting.verdict
    if ended is not None and ply == len(table.sitting.moves):
        return 0.5 if ended.winner is None else float(ended.winner == 0)
    known = table.chances.get(ply)
    return None if known is None else round(known, 3)


def _hint(table: Table) -> Message | None:
    if not table.shows_hint:
        return None
    analysis = table.analysis
    if analysis is None or not analysis.lines:
        return {"words": "thinking …", "ahead": None, "lines": []}
    words, ahead = verdict(table.scene.view.seats, analysis)
    name = table.sitting.game.move_name
    lines = [
        [
            printable(name(line.move)),
            round(100 * line.chance),
            printable(" ".join(map(name, line.line[1:LONGEST_THEN]))),
        ]
        for line in analysis.lines
    ]
    return {"words": words, "ahead": ahead, "lines": lines}
